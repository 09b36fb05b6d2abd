//! From what a person asked for to what the model computes: job, machine, cluster, conditions.

use super::notice::Conflict;
use super::{Param, Scenario};
use crate::catalog;
use crate::model::money::Rates;
use crate::model::reliability::Reliability;
use crate::model::{Cluster, Conditions, Device, Job, Limits, Link, Overlap, Precision, Recompute, Sharding, Stack, Strategy};

/// Links between GPUs below this rate are PCIe (x16 of the fifth generation carries 63 GB/s a direction).
const FASTEST_PCIE_GB_PER_S: f64 = 70.0;

/// Networks above this latency run over TCP sockets, below over RDMA.
const SLOWEST_RDMA_US: f64 = 30.0;

/// Everything the model needs, for both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// What is trained.
    pub job: Job,
    /// The one machine.
    pub single: Cluster,
    /// The cluster.
    pub cluster: Cluster,
    /// What the present bandwidth would give without the backend's ceiling, bytes per second.
    pub unlimited_outer_bytes_per_s: f64,
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
}

/// Dense peak of `gpu` in `precision`, and what its best multiplication reaches of it.
fn rates(gpu: &catalog::Gpu, precision: Precision) -> Option<(f64, f64)> {
    let (peak, achieved) = match precision {
        Precision::Bf16 => (gpu.peak_bf16?, gpu.achieved_bf16),
        Precision::Fp16 => (gpu.peak_fp16?, gpu.achieved_bf16),
        Precision::Fp8 => (gpu.peak_fp8?, gpu.achieved_fp8),
        Precision::Fp32 => (gpu.peak_tf32.or(gpu.peak_fp32)?, None),
    };
    Some((peak, achieved.unwrap_or(peak * catalog::MATMUL_SHARE_UNMEASURED.value)))
}

/// Whether `gpu` has units for the number format with this key.
pub fn computes_in(gpu: &catalog::Gpu, key: &str) -> bool {
    precision(key).is_some_and(|precision| rates(gpu, precision).is_some())
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
        let format = precision(key).and_then(|precision| rates(gpu, precision).map(|rates| (precision, rates)));
        match format {
            Some((precision, (peak, achieved))) if conflicts.is_empty() => {
                let device = Device {
                    flop_per_s: achieved,
                    peak_flop_per_s: peak,
                    memory_bytes: gpu.memory_bytes,
                    memory_bytes_per_s: gpu.memory_bytes_per_s,
                };
                Ok(self.setup(precision, device))
            }
            _ => Err(conflicts),
        }
    }

    fn setup(&self, precision: Precision, device: Device) -> Setup {
        let (inner, outer) = (self.inner_link(), self.outer_link());
        // Ranges of the table keep both far inside u32.
        let (gpus, single) = (self.number(Param::Gpus) as u32, self.number(Param::Single) as u32);
        let per_machine = self.number(Param::PerMachine) as u32;
        let limits = self.limits();
        let fits_single = limits.tp.unwrap_or(1) * limits.pp.unwrap_or(1) <= single;
        let single_limits = if fits_single { limits } else { Limits { tp: None, pp: None, ..limits } };
        let (unlimited_outer_bytes_per_s, backend_ceiling_bytes_per_s) = self.outer_rates();
        let conditions =
            Conditions { limits, stack: stack(), overlap: self.overlap(), reliability: self.reliability(), rates: self.rates() };
        Setup {
            job: self.job(precision),
            single: Cluster { gpus: single, per_machine: single, device, inner, outer },
            cluster: Cluster { gpus, per_machine, device, inner, outer },
            unlimited_outer_bytes_per_s,
            backend_ceiling_bytes_per_s,
            single_conditions: Conditions { limits: single_limits, ..conditions },
            cluster_conditions: conditions,
        }
    }

    /// Sequences per step: the batch in whole sequences.
    pub fn batch_seqs(&self) -> f64 {
        (self.number(Param::Batch) / self.number(Param::Seq)).round().max(1.0)
    }

    fn job(&self, precision: Precision) -> Job {
        Job {
            params: self.number(Param::Params),
            layers: self.number(Param::Layers),
            hidden: self.number(Param::Hidden),
            heads: self.number(Param::Heads),
            kv_heads: self.number(Param::KvHeads),
            ffn: self.number(Param::Ffn),
            vocab: self.number(Param::Vocab),
            seq: self.number(Param::Seq),
            batch_seqs: self.batch_seqs(),
            tokens: self.number(Param::Tokens),
            precision,
            fused_attention: self.choice_key(Param::Attention) == "fused",
        }
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

    /// What the backend gets out of the bandwidth without and at most with its ceiling, bytes per second and GPU.
    fn outer_rates(&self) -> (f64, f64) {
        let reachable = self.number(Param::Bandwidth) / 8.0 * 1e9 * self.number(Param::Achieved);
        let ceiling = self.backend().ceiling_bytes_per_s.map_or(f64::INFINITY, |ceiling| ceiling / self.number(Param::PerMachine));
        (reachable * self.backend().share, ceiling)
    }

    fn outer_link(&self) -> Link {
        let (unlimited, ceiling) = self.outer_rates();
        let latency_us = self.number(Param::Latency);
        let backend = self.backend();
        let added = if latency_us > SLOWEST_RDMA_US { backend.latency_tcp_s } else { backend.latency_rdma_s };
        Link { bytes_per_s: unlimited.min(ceiling), latency_s: latency_us * 1e-6 + added }
    }

    fn limits(&self) -> Limits {
        let degree = |param| self.value(param).filter(|_| param.moot(self).is_none()).map(|value| value as u32);
        Limits {
            strategy: match self.choice_key(Param::Strategy) {
                "ddp" => Strategy::Data(Sharding::None),
                "zero1" => Strategy::Data(Sharding::Zero1),
                "zero2" => Strategy::Data(Sharding::Zero2),
                "fsdp" => Strategy::Data(Sharding::Full),
                "hsdp" => Strategy::Data(Sharding::Hybrid),
                "3d" => Strategy::ThreeD,
                _ => Strategy::Auto,
            },
            tp: degree(Param::Tp),
            pp: degree(Param::Pp),
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
        Reliability {
            gpu_hours_per_failure: self.number(Param::Mtbf),
            checkpoint_bytes_per_s: self.number(Param::Checkpoint) * 1e9,
            restart_s: self.number(Param::Restart),
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
        check(tp * pp > gpus, Conflict::TooFewGpus { tp, pp, gpus });
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

/// The constants of the software that both sides run.
fn stack() -> Stack {
    let row = &catalog::STACKS[0];
    Stack {
        matmul_ceiling: row.matmul_ceiling,
        half_gflop: row.half_gflop,
        fused_attention_rate: row.fused_attention_rate,
        elementwise_values: row.elementwise_values,
        score_bytes: row.score_bytes,
        layer_overhead_s: row.layer_overhead_s,
        overlap: row.overlap,
        bucket_bytes: catalog::DDP_BUCKET.value,
        reserved_bytes: row.reserved_bytes,
        step_overhead_s: row.step_overhead_s,
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
