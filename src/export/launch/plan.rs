//! What is to be started.

use super::LaunchError;
use crate::locale::Text;
use crate::model::{Precision, Recompute, Sharding};

/// Longest name and image, in characters.
const LONGEST_TEXT: usize = 300;

/// A century: more is a mistake in the plan, not a job.
const MOST_HOURS: f64 = 876_000.0;

/// What carries the messages between the processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// NVIDIA's collectives.
    Nccl,
    /// AMD's; PyTorch calls it nccl too.
    Rccl,
    /// TCP through host memory; also the nearest that PyTorch has to gRPC.
    Gloo,
    /// MPI: PyTorch must have been built with it.
    Mpi,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Backend; 4] = [Backend::Nccl, Backend::Rccl, Backend::Gloo, Backend::Mpi];

    /// Stable key.
    pub const fn key(self) -> &'static str {
        match self {
            Backend::Nccl => "nccl",
            Backend::Rccl => "rccl",
            Backend::Gloo => "gloo",
            Backend::Mpi => "mpi",
        }
    }

    /// What PyTorch calls it.
    pub const fn torch(self) -> &'static str {
        match self {
            Backend::Nccl | Backend::Rccl => "nccl",
            Backend::Gloo => "gloo",
            Backend::Mpi => "mpi",
        }
    }
}

/// A plan with all that its launch needs.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchPlan {
    /// What the person calls it: any text.
    pub name: String,
    /// Machines that there are.
    pub machines: u32,
    /// GPUs of one.
    pub gpus_per_machine: u32,
    /// Tensor-parallel degree.
    pub tp: u32,
    /// Whether the tensor-parallel GPUs share the sequence between the matrices as well.
    pub sequence_parallel: bool,
    /// Pipeline stages.
    pub pp: u32,
    /// Chunks of layers per stage.
    pub interleave: u32,
    /// Context-parallel degree.
    pub cp: u32,
    /// Expert-parallel degree.
    pub ep: u32,
    /// Data-parallel copies.
    pub dp: u32,
    /// Sequences per micro-batch and copy.
    pub micro_batch: u32,
    /// Sequences per step, over all copies.
    pub global_batch_seqs: u64,
    /// Tokens per sequence.
    pub seq: u32,
    /// Layers of the model.
    pub layers: u32,
    /// Width of the model.
    pub hidden: u32,
    /// Attention heads.
    pub heads: u32,
    /// Heads of keys and values.
    pub kv_heads: u32,
    /// Inner width of the feed-forward part (of one expert, where there are experts).
    pub ffn: u32,
    /// Tokens of the vocabulary.
    pub vocab: u32,
    /// Experts per layer; 0 or 1 for a dense model.
    pub experts: u32,
    /// Experts that a token goes through; 0 for a dense model.
    pub experts_per_token: u32,
    /// What is split over the copies.
    pub sharding: Sharding,
    /// What is computed again in the backward pass.
    pub recompute: Recompute,
    /// Number format of the matrix multiplications.
    pub precision: Precision,
    /// What carries the messages.
    pub backend: Backend,
    /// Steps from checkpoint to checkpoint, from the failure model.
    pub checkpoint_interval_steps: u64,
    /// Steps of the training.
    pub steps: u64,
    /// Hours that it is expected to take, failures included.
    pub expected_hours: f64,
    /// Failures that are expected in this time.
    pub expected_failures: f64,
    /// Container image with PyTorch: any text; only Kubernetes and Kubeflow use it.
    pub image: String,
}

/// The plan's processes over the machines: the same number on each, one per GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Machines that are used.
    pub machines: u32,
    /// Processes on each.
    pub per_machine: u32,
}

impl Layout {
    /// Processes in all.
    pub const fn world(&self) -> u64 {
        self.machines as u64 * self.per_machine as u64
    }
}

impl LaunchPlan {
    /// Checks the plan and lays it out: on as few machines as possible.
    pub fn layout(&self) -> Result<Layout, LaunchError> {
        self.check()?;
        let gpus = self.gpus().unwrap_or(u64::MAX);
        let there = u64::from(self.machines) * u64::from(self.gpus_per_machine);
        if gpus > there {
            return Err(LaunchError::TooFewGpus { needed: gpus, there });
        }
        let fits =
            |per_machine: &u32| gpus.is_multiple_of(u64::from(*per_machine)) && gpus / u64::from(*per_machine) <= u64::from(self.machines);
        let per_machine = (1..=self.gpus_per_machine).rev().find(fits).ok_or(LaunchError::Uneven {
            gpus,
            machines: self.machines,
            gpus_per_machine: self.gpus_per_machine,
        })?;
        // At most `self.machines`, which is a u32.
        Ok(Layout { machines: (gpus / u64::from(per_machine)) as u32, per_machine })
    }

    /// GPUs that the plan puts to work; nothing if they are more than a number can hold.
    pub fn gpus(&self) -> Option<u64> {
        [self.tp, self.pp, self.cp, self.dp].into_iter().try_fold(1u64, |product, degree| product.checked_mul(u64::from(degree)))
    }

    /// Whether the plan splits the model's layers or experts, which the small script cannot.
    pub const fn splits_model(&self) -> bool {
        self.tp > 1 || self.pp > 1 || self.cp > 1 || self.ep > 1
    }

    /// Whether the layers have experts.
    pub const fn has_experts(&self) -> bool {
        self.experts > 1
    }

    /// Restarts that are allowed: twice the expected failures, and a few for bad luck. A job that fails more often has another fault.
    pub fn restarts(&self) -> u64 {
        (2.0 * self.expected_failures).ceil() as u64 + 3
    }

    /// Weights of the small script's model: dense, gated feed-forward, embedding and head apart.
    pub fn params(&self) -> u64 {
        let [hidden, layers, ffn, vocab] = [self.hidden, self.layers, self.ffn, self.vocab].map(u128::from);
        let kv = hidden / u128::from(self.heads) * u128::from(self.kv_heads);
        let layer = 2 * hidden * hidden + 2 * hidden * kv + 3 * hidden * ffn + 2 * hidden;
        u64::try_from(layers * layer + 2 * vocab * hidden + hidden).unwrap_or(u64::MAX)
    }

    fn check(&self) -> Result<(), LaunchError> {
        let fields = [
            (t("Maschinen", "machines"), u64::from(self.machines)),
            (t("GPUs je Maschine", "GPUs per machine"), self.gpus_per_machine.into()),
            (Text::same("tp"), self.tp.into()),
            (Text::same("pp"), self.pp.into()),
            (t("Verschachtelung", "interleave"), self.interleave.into()),
            (Text::same("cp"), self.cp.into()),
            (Text::same("ep"), self.ep.into()),
            (Text::same("dp"), self.dp.into()),
            (t("Micro-Batch", "micro-batch"), self.micro_batch.into()),
            (t("Batch", "batch"), self.global_batch_seqs),
            (t("Sequenzlänge", "sequence length"), self.seq.into()),
            (t("Schichten", "layers"), self.layers.into()),
            (t("Breite", "hidden"), self.hidden.into()),
            (HEADS, self.heads.into()),
            (t("Schlüssel-/Wertköpfe", "kv heads"), self.kv_heads.into()),
            (t("MLP-Breite", "ffn"), self.ffn.into()),
            (t("Vokabular", "vocabulary"), self.vocab.into()),
            (t("Abstand der Checkpoints", "checkpoint interval"), self.checkpoint_interval_steps),
            (t("Schritte", "steps"), self.steps),
        ];
        if let Some((field, _)) = fields.into_iter().find(|&(_, value)| value == 0) {
            return Err(LaunchError::Zero { field });
        }
        divides(t("Breite", "hidden"), self.hidden, HEADS, self.heads)?;
        divides(t("Breite eines Kopfs", "width of a head"), self.hidden / self.heads, t("drehende Positionen", "rotary positions"), 2)?;
        divides(HEADS, self.heads, t("Schlüssel-/Wertköpfe", "kv heads"), self.kv_heads)?;
        divides(t("Experten", "experts"), self.experts, Text::same("ep"), self.ep)?;
        for (field, text) in [(t("Name", "name"), &self.name), (IMAGE, &self.image)] {
            if text.contains('\0') {
                return Err(LaunchError::Text {
                    field,
                    why: t(
                        "enthält ein NUL-Zeichen, das kein Programm annehmen kann",
                        "holds a NUL character, which no program can be given",
                    ),
                });
            }
            if text.chars().count() > LONGEST_TEXT {
                return Err(LaunchError::Text { field, why: t("ist länger als 300 Zeichen", "is longer than 300 characters") });
            }
        }
        if self.image.trim().is_empty() {
            return Err(LaunchError::Text { field: IMAGE, why: t("ist leer", "is empty") });
        }
        match [self.expected_hours, self.expected_failures].into_iter().find(|n| !(0.0..=MOST_HOURS).contains(n)) {
            Some(found) => Err(LaunchError::Hours { found }),
            None => Ok(()),
        }
    }
}

const HEADS: Text = t("Köpfe", "heads");
const IMAGE: Text = t("Container-Image", "image");

const fn t(de: &'static str, en: &'static str) -> Text {
    Text { de, en }
}

fn divides(what: Text, value: u32, by: Text, divisor: u32) -> Result<(), LaunchError> {
    if value.is_multiple_of(divisor) {
        return Ok(());
    }
    Err(LaunchError::Indivisible { what, value: value.into(), by, divisor: divisor.into() })
}
