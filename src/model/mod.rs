//! The physics of training: work, memory, collectives, the step, the search for a plan, failures, money. No DOM, no language, no colour.
//!
//! Reads from the outside in: [`estimate`] is the entry; it takes a [`Job`], a [`Cluster`] and a [`Plan`], or searches the plan itself.

pub mod cluster;
pub mod collective;
pub mod estimate;
pub mod job;
pub mod memory;
pub mod money;
pub mod plan;
pub mod reliability;
pub mod search;
pub mod stack;
pub mod step;
pub mod work;

pub use cluster::{Cluster, Device, Link};
pub use estimate::{Conditions, Estimate, estimate};
pub use job::{Job, Precision};
pub use plan::{Plan, Recompute, Sharding};
pub use search::{Limits, Strategy, search};
pub use stack::{Overlap, Stack};

#[cfg(test)]
pub(crate) mod testing {
    //! Jobs and clusters that the unit tests of this room share.
    use super::*;

    /// Llama 2 7B: 32 layers, width 4,096, four million tokens a step.
    pub fn llama_7b() -> Job {
        Job {
            params: 6.74e9,
            layers: 32.0,
            hidden: 4096.0,
            heads: 32.0,
            kv_heads: 32.0,
            ffn: 11008.0,
            vocab: 32000.0,
            seq: 4096.0,
            batch_seqs: 1024.0,
            tokens: 300e9,
            precision: Precision::Bf16,
            fused_attention: true,
        }
    }

    /// GPT-3 175B: 96 layers, width 12,288.
    pub fn gpt3_175b() -> Job {
        Job {
            params: 175e9,
            layers: 96.0,
            hidden: 12288.0,
            heads: 96.0,
            kv_heads: 96.0,
            ffn: 49152.0,
            vocab: 50257.0,
            seq: 2048.0,
            batch_seqs: 1536.0,
            tokens: 300e9,
            precision: Precision::Bf16,
            fused_attention: true,
        }
    }

    /// A100 80 GB, eight per machine, 100 Gbit/s per GPU.
    pub fn a100_cluster(gpus: u32) -> Cluster {
        Cluster {
            gpus,
            per_machine: 8,
            device: Device {
                flop_per_s: 271e12,
                peak_flop_per_s: 312e12,
                memory_bytes: 79.15 * 1_073_741_824.0,
                memory_bytes_per_s: 2.039e12,
            },
            inner: Link { bytes_per_s: 230e9, latency_s: 6e-6 },
            outer: Link { bytes_per_s: 10.6e9, latency_s: 5e-6 },
        }
    }

    /// No parallelism at all.
    pub fn plain_plan() -> Plan {
        Plan { tp: 1, pp: 1, dp: 1, micro_batch: 1, sharding: Sharding::None, recompute: Recompute::None }
    }

    /// Constants in the range of a modern stack.
    pub fn stack() -> Stack {
        Stack {
            matmul_ceiling: 0.86,
            half_gflop: 29.0,
            fused_attention_rate: 0.6,
            elementwise_values: 20.0,
            score_bytes: 12.0,
            layer_overhead_s: 2e-4,
            overlap: 0.6,
            bucket_bytes: 25e6,
            reserved_bytes: 2e9,
            step_overhead_s: 5e-3,
        }
    }
}
