//! From what a person asked for to what the model computes: job, machine, cluster, conditions.

use super::notice::Conflict;
use super::{Param, Scenario};
use crate::catalog;
use crate::model::failures::Recovery;
use crate::model::money::Rates;
use crate::model::reliability::Reliability;
use crate::model::{
    Calibration, Cluster, Conditions, Device, Estimator, Job, Limits, Link, Overlap, Precision, Recompute, Sharding, States, Strategy,
};

/// Links between GPUs below this rate are PCIe (x16 of the fifth generation carries 63 GB/s a direction).
const FASTEST_PCIE_GB_PER_S: f64 = 70.0;

/// Networks above this latency run over TCP sockets, below over RDMA.
const SLOWEST_RDMA_US: f64 = 30.0;

/// Matrices of an MLP with a gate, which all recent models have; a plain one of the same size has wider ones, with as many weights.
pub const GATED_MATRICES: f64 = 3.0;

/// Largest share of a layer's parameters that lies in experts: attention needs some.
const MOST_IN_EXPERTS: f64 = 0.99;

/// Everything the model needs, for both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// What is trained.
    pub job: Job,
    /// The one machine.
    pub single: Cluster,
    /// The cluster.
    pub cluster: Cluster,
    /// Key of the software.
    pub stack: &'static str,
    /// Key of the GPU.
    pub gpu: &'static str,
    /// What each Gbit/s of bandwidth gives without the backend's ceiling, bytes per second.
    pub outer_bytes_per_s_per_gbit: f64,
    /// The backend's ceiling per GPU, bytes per second; infinite where it has none.
    pub backend_ceiling_bytes_per_s: f64,
    /// Conditions of the one machine. Degrees that do not fit into it are searched.
    pub single_conditions: Conditions,
    /// Conditions of the cluster.
    pub cluster_conditions: Conditions,
}

impl Setup {
    /// The same cluster with another number of GPUs.
    pub fn cluster_of(&self, gpus: u32) -> Cluster {
        Cluster { gpus, ..self.cluster }
    }

    /// Estimates of the cluster and of those that differ from it in size and network.
    pub fn estimator(&self) -> Estimator<'_> {
        Estimator::new(&self.job, &self.cluster, &self.cluster_conditions)
    }
}

/// Whether `gpu` has units for the number format with this key.
pub fn computes_in(gpu: &catalog::Gpu, key: &str) -> bool {
    precision(key).is_some_and(|precision| gpu.device(precision).is_some())
}

fn precision(key: &str) -> Option<Precision> {
    Some(match key {
        "bf16" => Precision::Bf16,
        "fp16" => Precision::Fp16,
        "fp8" => Precision::Fp8,
        "fp32" => Precision::Fp32,
        _ => return None,
    })
}

impl Scenario {
    /// The scenario as the model takes it, or the contradictions that stand in the way.
    pub fn resolve(&self) -> Result<Setup, Vec<Conflict>> {
        let conflicts = self.conflicts();
        let gpu = self.gpu();
        let key = self.choice_key(Param::Precision);
        let format = precision(key).and_then(|precision| gpu.device(precision).map(|device| (precision, device)));
        match format {
            Some((precision, device)) if conflicts.is_empty() => Ok(self.setup(precision, device)),
            _ => Err(conflicts),
        }
    }

    fn setup(&self, precision: Precision, device: Device) -> Setup {
        let own = self.calibration();
        let (device, inner, outer) = (own.device(device), own.link(self.inner_link()), own.link(self.outer_link()));
        // Ranges of the table keep both far inside u32.
        let (gpus, single) = (self.number(Param::Gpus) as u32, self.number(Param::Single) as u32);
        let per_machine = self.number(Param::PerMachine) as u32;
        let limits = self.limits();
        let used = [limits.tp, limits.pp, limits.cp].iter().map(|degree| u64::from(degree.unwrap_or(1))).product::<u64>();
        let replicas = u64::from(single) / used.max(1) * u64::from(limits.cp.unwrap_or(1));
        let fits_single = used <= u64::from(single) && u64::from(limits.ep.unwrap_or(1)) <= replicas;
        let single_limits = if fits_single { limits } else { Limits { tp: None, pp: None, cp: None, ep: None, ..limits } };
        let (per_gbit, ceiling) = self.outer_rates();
        // TensorFlow's simplest form: one server, on one of the machines.
        let servers = (self.choice_key(Param::Strategy) == "ps").then_some(1);
        let conditions = Conditions {
            limits,
            stack: own.stack(self.stack().on(self.gpu().id)),
            overlap: self.overlap(),
            reliability: self.reliability(),
            rates: self.rates(),
        };
        Setup {
            job: self.job(precision),
            single: Cluster { gpus: single, per_machine: single, device, inner, outer, servers },
            cluster: Cluster { gpus, per_machine, device, inner, outer, servers },
            stack: self.stack().id,
            gpu: self.gpu().id,
            outer_bytes_per_s_per_gbit: per_gbit / own.communication,
            backend_ceiling_bytes_per_s: ceiling / own.communication,
            single_conditions: Conditions { limits: single_limits, ..conditions },
            cluster_conditions: conditions,
        }
    }

    /// Sequences per step: the batch in whole sequences.
    pub fn batch_seqs(&self) -> f64 {
        (self.number(Param::Batch) / self.number(Param::Seq)).round().max(1.0)
    }

    fn job(&self, precision: Precision) -> Job {
        let n = |param| self.number(param);
        let (params, layers, hidden, vocab, ffn) = (n(Param::Params), n(Param::Layers), n(Param::Hidden), n(Param::Vocab), n(Param::Ffn));
        let mlp_matrices = GATED_MATRICES;
        let experts = n(Param::Experts);
        // Embeddings at both ends, at most half of the model; the layers share the rest evenly, so that the stated size counts, whatever
        // the widths add up to.
        let layer = (params - (2.0 * vocab * hidden).min(params / 2.0)) / layers;
        let layer_experts = if experts > 1.0 { (experts * mlp_matrices * ffn * hidden).min(layer * MOST_IN_EXPERTS) } else { 0.0 };
        Job {
            params,
            layers,
            hidden,
            heads: n(Param::Heads),
            kv_heads: n(Param::KvHeads),
            ffn,
            mlp_matrices,
            vocab,
            layer_dense: layer - layer_experts,
            layer_experts,
            experts,
            experts_per_token: if experts > 1.0 { n(Param::ExpertsPerToken) } else { 1.0 },
            seq: n(Param::Seq),
            batch_seqs: self.batch_seqs(),
            tokens: n(Param::Tokens),
            precision,
            fused_attention: self.choice_key(Param::Attention) == "fused",
            compiled: self.choice_key(Param::Compiled) == "yes",
            states: self.states(precision),
        }
    }

    /// Bytes of training state: what is trained, how weights are kept, what the optimizer remembers.
    fn states(&self, precision: Precision) -> States {
        let full = if precision == Precision::Fp32 { States::ADAM_FP32 } else { States::ADAM };
        let optimizer = match self.choice_key(Param::Optimizer) {
            // fp32 weights and two moments of one byte each (Dettmers 2022, arXiv 2110.02861).
            "adam8" => full.optimizer - 6.0,
            // fp32 weights and one moment.
            "sgd" => full.optimizer - 4.0,
            _ => full.optimizer,
        };
        let full = States { optimizer, ..full };
        let adapters = States { trained: self.number(Param::Adapters), ..full };
        match self.choice_key(Param::Method) {
            "lora" => adapters,
            "lora8" => States { weight: 1.0, ..adapters },
            // 4 bits and their constants (Dettmers 2023, arXiv 2305.14314: 0.127 bits a weight with double quantisation).
            "lora4" => States { weight: 4.127 / 8.0, ..adapters },
            _ => full,
        }
    }

    /// The software.
    pub fn stack(&self) -> &'static catalog::StackRow {
        // A choice's index lies inside its list.
        &catalog::STACKS[self.choice_index(Param::Stack).min(catalog::STACKS.len() - 1)]
    }

    /// How the model is scaled to the reader's own runs.
    fn calibration(&self) -> Calibration {
        Calibration { computing: self.number(Param::OwnComputing), communication: self.number(Param::OwnCommunication) }
    }

    fn inner_link(&self) -> Link {
        let rate = self.number(Param::Link);
        let share = if rate < FASTEST_PCIE_GB_PER_S { catalog::PCIE_SHARE.value } else { catalog::NVLINK_SHARE.value };
        Link { bytes_per_s: rate * 1e9 * share, latency_s: catalog::NVLINK_LATENCY.value }
    }

    fn backend(&self) -> &'static catalog::Backend {
        // A choice's index lies inside its list.
        &catalog::BACKENDS[self.choice_index(Param::Backend).min(catalog::BACKENDS.len() - 1)]
    }

    /// What the backend gets out of each Gbit/s, and at most in all, bytes per second and GPU.
    fn outer_rates(&self) -> (f64, f64) {
        let reachable = 1e9 / 8.0 * self.number(Param::Achieved);
        let ceiling = self.backend().ceiling_bytes_per_s.map_or(f64::INFINITY, |ceiling| ceiling / self.number(Param::PerMachine));
        (reachable * self.backend().share, ceiling)
    }

    fn outer_link(&self) -> Link {
        let (per_gbit, ceiling) = self.outer_rates();
        let latency_us = self.number(Param::Latency);
        let backend = self.backend();
        let added = if latency_us > SLOWEST_RDMA_US { backend.latency_tcp_s } else { backend.latency_rdma_s };
        Link { bytes_per_s: (per_gbit * self.number(Param::Bandwidth)).min(ceiling), latency_s: latency_us * 1e-6 + added }
    }

    fn limits(&self) -> Limits {
        let degree = |param| self.value(param).filter(|_| param.moot(self).is_none()).map(|value| value as u32);
        Limits {
            strategy: match self.choice_key(Param::Strategy) {
                "ddp" | "mirrored" | "ps" => Strategy::Data(Sharding::None),
                "zero1" => Strategy::Data(Sharding::Zero1),
                "zero2" => Strategy::Data(Sharding::Zero2),
                "fsdp" => Strategy::Data(Sharding::Full),
                "hsdp" => Strategy::Data(Sharding::Hybrid),
                "3d" => Strategy::ThreeD,
                _ => Strategy::Auto,
            },
            tp: degree(Param::Tp),
            pp: degree(Param::Pp),
            interleave: degree(Param::Interleave),
            cp: degree(Param::Cp),
            ep: degree(Param::Ep),
            micro_batch: degree(Param::Micro),
            recompute: match self.choice_key(Param::Recompute) {
                "none" => Some(Recompute::None),
                "selective" => Some(Recompute::Selective),
                "full" => Some(Recompute::Full),
                _ => None,
            },
        }
    }

    fn overlap(&self) -> Overlap {
        match self.choice_key(Param::Overlap) {
            "none" => Overlap::None,
            "perfect" => Overlap::Perfect,
            _ => Overlap::Realistic,
        }
    }

    fn reliability(&self) -> Reliability {
        self.reliability_with(self.choice_key(Param::Recovery))
    }

    /// What fails how often, if after a failure there follows what the choice with this key says.
    pub fn reliability_with(&self, recovery: &str) -> Reliability {
        let (restart_s, repair_s) = (self.number(Param::Restart), self.number(Param::Repair) * 3600.0);
        let (restart_s, recovery) = match recovery {
            "wait" => (restart_s + repair_s, Recovery::Restart),
            "elastic" => (restart_s, Recovery::Elastic { repair_s }),
            _ => (restart_s, Recovery::Restart),
        };
        Reliability {
            gpu_hours_per_failure: self.number(Param::Mtbf),
            checkpoint_bytes_per_s: self.number(Param::Checkpoint) * 1e9,
            restart_s,
            recovery,
        }
    }

    fn rates(&self) -> Rates {
        Rates {
            usd_per_gpu_hour: self.value(Param::Price),
            watts_per_gpu: self.number(Param::Power),
            pue: self.number(Param::Pue),
            usd_per_kwh: self.number(Param::Electricity),
            grams_per_kwh: self.number(Param::Carbon),
        }
    }

    /// What cannot hold together.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let n = |param| self.number(param);
        let (heads, kv, hidden, layers) = (n(Param::Heads), n(Param::KvHeads), n(Param::Hidden), n(Param::Layers));
        let degree = |param: Param| self.value(param).filter(|_| param.moot(self).is_none());
        let (tp, pp) = (degree(Param::Tp), degree(Param::Pp));
        let mut found = Vec::new();
        let mut check = |wrong: bool, conflict: Conflict| {
            if wrong {
                found.push(conflict);
            }
        };
        check(heads % kv != 0.0, Conflict::KvHeads { heads, kv });
        check(hidden % heads != 0.0, Conflict::HiddenHeads { hidden, heads });
        if let Some(tp) = tp {
            check(heads % tp != 0.0, Conflict::TensorHeads { tp, heads });
        }
        if let Some(pp) = pp {
            check(pp > layers, Conflict::PipelineLayers { pp, layers });
        }
        let (tp, pp, gpus) = (tp.unwrap_or(1.0), pp.unwrap_or(1.0), n(Param::Gpus));
        let cp = degree(Param::Cp).unwrap_or(1.0);
        check(tp * pp * cp > gpus, Conflict::TooFewGpus { tp, pp, cp, gpus });
        let (experts, topk) = (n(Param::Experts), n(Param::ExpertsPerToken));
        check(topk > experts, Conflict::ExpertsPerToken { topk, experts });
        if let Some(ep) = degree(Param::Ep) {
            check(experts % ep != 0.0, Conflict::ExpertRanks { ep, experts });
            let replicas = (gpus / (tp * pp * cp)).floor() * cp;
            check(ep > replicas && experts % ep == 0.0, Conflict::TooFewReplicas { ep, replicas });
        }
        let (batch, seq) = (n(Param::Batch), n(Param::Seq));
        check(batch < seq, Conflict::BatchSeq { batch, seq });
        if let Some(micro) = self.value(Param::Micro) {
            let batch_seqs = self.batch_seqs();
            check(micro > batch_seqs, Conflict::MicroBatch { micro, batch_seqs });
        }
        let (gpu, precision) = (self.gpu(), self.choice_key(Param::Precision));
        check(!computes_in(gpu, precision), Conflict::NoSuchPrecision { gpu: gpu.name, precision });
        if let Some(offer) = self.offer() {
            check(offer.gpu != gpu.id, Conflict::OtherGpu { offer: offer.label, gpu: gpu.name });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_scenario_resolves() {
        let setup = Scenario::default().resolve().unwrap();
        assert_eq!((setup.single.gpus, setup.cluster.gpus, setup.cluster.per_machine), (8, 64, 8));
        assert!((setup.cluster.outer.bytes_per_s - 50e9 * 0.85).abs() < 1.0);
    }

    #[test]
    fn each_contradiction_is_named() {
        for (settings, wanted) in [
            (&[("tp", "3")][..], "tp"),
            (&[("kv", "5")], "kv"),
            (&[("hidden", "4097")], "hidden"),
            (&[("pp", "40"), ("gpus", "64")], "pp"),
            (&[("tp", "8"), ("pp", "16")], "gpus"),
            (&[("batch", "100")], "batch"),
            (&[("micro", "1000")], "micro"),
            (&[("gpu", "a100-80gb-sxm"), ("precision", "fp8")], "precision"),
            (&[("gpu", "a100-80gb-sxm"), ("offer", "lambda-h100-8")], "offer"),
        ] {
            let mut scenario = Scenario::default();
            for (key, value) in settings {
                scenario.set_key(key, value).unwrap();
            }
            let conflicts = scenario.resolve().unwrap_err();
            assert_eq!(conflicts.len(), 1, "{settings:?}: {conflicts:?}");
            for lang in crate::locale::Lang::ALL {
                assert!(conflicts[0].words(lang).contains(&format!("({wanted})")), "{settings:?}: {}", conflicts[0].words(lang));
            }
        }
    }

    #[test]
    fn older_gpus_get_a_format_that_they_have() {
        for gpu in catalog::GPUS {
            let mut scenario = Scenario::default();
            scenario.set_key("gpu", gpu.id).unwrap();
            assert!(scenario.resolve().is_ok(), "{}: {:?}", gpu.id, scenario.conflicts());
        }
    }
}
