//! The physics of training: work, memory, collectives, the step, the search for a plan, failures, money. No DOM, no language, no colour.
//!
//! Reads from the outside in: [`estimate`] is the entry; it takes a [`Job`], a [`Cluster`] and a [`Plan`], or searches the plan itself.

#![warn(missing_docs)]

pub mod calibration;
pub mod cluster;
pub mod collective;
pub mod critical_batch;
pub mod embodied;
pub mod estimate;
pub mod failures;
pub mod federated;
pub mod frame;
pub mod job;
pub mod layer;
pub mod local_sgd;
pub mod loss;
pub mod memory;
pub mod money;
pub mod plan;
pub mod purchase;
pub mod reliability;
pub mod search;
pub mod space;
pub mod stack;
pub mod step;
pub mod storage;
pub mod work;

pub use calibration::Calibration;
pub use cluster::{Cluster, Device, Link};
pub use estimate::{Conditions, Estimate, Estimator, estimate};
pub use job::{Job, Precision, States};
pub use plan::{Plan, Recompute, Sharding};
pub use search::{Found, ranking, search};
pub use space::{Limits, Strategy};
pub use stack::{Overlap, Stack};

#[cfg(test)]
pub(crate) mod testing {
    //! Jobs and clusters that the unit tests of this room share.
    use super::*;

    /// A dense model: what the embeddings at both ends leave, spread evenly over the layers.
    fn dense(params: f64, job: Job) -> Job {
        Job { params, layer_dense: (params - 2.0 * job.vocab * job.hidden) / job.layers, ..job }
    }

    /// Llama 2 7B: 32 layers, width 4,096, four million tokens a step.
    pub fn llama_7b() -> Job {
        let job = Job {
            params: 0.0,
            layers: 32.0,
            hidden: 4096.0,
            heads: 32.0,
            kv_heads: 32.0,
            ffn: 11008.0,
            mlp_matrices: 3.0,
            vocab: 32000.0,
            layer_dense: 0.0,
            layer_experts: 0.0,
            experts: 1.0,
            experts_per_token: 1.0,
            seq: 4096.0,
            batch_seqs: 1024.0,
            tokens: 300e9,
            precision: Precision::Bf16,
            fused_attention: true,
            compiled: false,
            states: States::ADAM,
        };
        dense(6.74e9, job)
    }

    /// GPT-3 175B: 96 layers, width 12,288.
    pub fn gpt3_175b() -> Job {
        let job = Job {
            layers: 96.0,
            hidden: 12288.0,
            heads: 96.0,
            kv_heads: 96.0,
            ffn: 49152.0,
            mlp_matrices: 2.0,
            vocab: 50257.0,
            seq: 2048.0,
            batch_seqs: 1536.0,
            ..llama_7b()
        };
        dense(175e9, job)
    }

    /// A100 80 GB, eight per machine, 100 Gbit/s per GPU.
    pub fn a100_cluster(gpus: u32) -> Cluster {
        Cluster {
            gpus,
            per_machine: 8,
            device: Device {
                wide_flop_per_s: 271e12,
                narrow_flop_per_s: 271e12,
                peak_flop_per_s: 312e12,
                memory_bytes: 79.15 * 1_073_741_824.0,
                memory_bytes_per_s: 2.039e12,
            },
            inner: Link { bytes_per_s: 230e9, latency_s: 6e-6 },
            outer: Link { bytes_per_s: 10.6e9, latency_s: 5e-6 },
            servers: None,
        }
    }
}
