//! A model scaled to somebody's own runs: how many times as long their computing and their communication take.

use super::cluster::{Cluster, Device, Link};
use super::stack::Stack;

/// Factors on the two kinds of time; 1 is the model as it was fitted to published runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Of everything that a GPU and its host work on.
    pub computing: f64,
    /// Of everything that travels over links.
    pub communication: f64,
}

impl Calibration {
    /// The model as it is.
    pub const NONE: Calibration = Calibration { computing: 1.0, communication: 1.0 };

    /// A GPU that is slower by the factor of computing.
    pub fn device(self, device: Device) -> Device {
        Device {
            wide_flop_per_s: device.wide_flop_per_s / self.computing,
            narrow_flop_per_s: device.narrow_flop_per_s / self.computing,
            memory_bytes_per_s: device.memory_bytes_per_s / self.computing,
            ..device
        }
    }

    /// A link that is slower by the factor of communication.
    pub fn link(self, link: Link) -> Link {
        Link { bytes_per_s: link.bytes_per_s / self.communication, latency_s: link.latency_s * self.communication }
    }

    /// Both links and the GPU of a cluster.
    pub fn cluster(self, cluster: Cluster) -> Cluster {
        Cluster { device: self.device(cluster.device), inner: self.link(cluster.inner), outer: self.link(cluster.outer), ..cluster }
    }

    /// A stack whose own times, beside rates, are longer by these factors.
    pub fn stack(self, stack: Stack) -> Stack {
        let (computing, communication) = (self.computing, self.communication);
        Stack {
            half_work: stack.half_work * computing,
            launch: stack.launch * computing,
            softmax_launch: stack.softmax_launch * computing,
            quantise_launch: stack.quantise_launch * computing,
            expert_launch: stack.expert_launch * computing,
            micro_batch_fixed: stack.micro_batch_fixed * computing,
            step_fixed: stack.step_fixed * computing,
            tensor_latency: stack.tensor_latency * communication,
            tensor_latency_rank: stack.tensor_latency_rank * communication,
            context_latency: stack.context_latency * communication,
            expert_latency: stack.expert_latency * communication,
            expert_latency_rank: stack.expert_latency_rank * communication,
            pipeline_latency: stack.pipeline_latency * communication,
            data_latency: stack.data_latency * communication,
            data_latency_rank: stack.data_latency_rank * communication,
            ..stack
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::step;
    use crate::testing::{a100_cluster, gpt3_175b, llama_7b};
    use crate::{Job, Overlap, Plan, Sharding};

    fn seconds(job: &Job, plan: &Plan, calibration: Calibration) -> (f64, f64) {
        let cluster = calibration.cluster(a100_cluster(plan.gpus()));
        let step = step(job, &cluster, plan, &calibration.stack(Stack::PRIOR), Overlap::None, 0.5);
        (step.compute() + step.bubble + step.optimizer, step.communication() + step.hidden)
    }

    /// Every time of the model is one of the two kinds: with both factors at 3, every part takes three times as long; with one, only its own.
    #[test]
    fn each_factor_scales_its_own_times_and_nothing_else() {
        let experts = Job { layer_experts: 1e9, experts: 8.0, experts_per_token: 2.0, ..llama_7b() };
        let cases = [
            (llama_7b(), Plan { dp: 16, sharding: Sharding::Full, ..Plan::PLAIN }),
            (gpt3_175b(), Plan { tp: 8, sequence_parallel: true, pp: 8, dp: 2, ..Plan::PLAIN }),
            (experts, Plan { dp: 16, ep: 8, ..Plan::PLAIN }),
            (Job { seq: 32_768.0, ..llama_7b() }, Plan { cp: 4, dp: 4, ..Plan::PLAIN }),
        ];
        for (job, plan) in cases {
            let (computing, communication) = seconds(&job, &plan, Calibration::NONE);
            let both = seconds(&job, &plan, Calibration { computing: 3.0, communication: 3.0 });
            assert!((both.0 / computing - 3.0).abs() < 1e-9 && (both.1 / communication - 3.0).abs() < 1e-9, "{plan:?}");
            let slow = seconds(&job, &plan, Calibration { computing: 2.0, communication: 1.0 });
            // A little of the pipeline's filling is communication inside a stage: tensor parallelism's.
            let share = if plan.pp > 1 { 0.05 } else { 1e-9 };
            assert!((slow.0 / computing / 2.0 - 1.0).abs() < share, "{plan:?}: {}", slow.0 / computing);
        }
    }
}
