//! Memory of the fullest GPU, part by part.

use super::cluster::Cluster;
use super::job::{Job, Precision};
use super::plan::{Plan, Recompute, Sharding};
use super::stack::Stack;

/// Bytes on the fullest GPU.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Memory {
    /// Weights as they are multiplied.
    pub weights: f64,
    /// Gradients.
    pub gradients: f64,
    /// Optimizer states: fp32 weights and the two moments of Adam.
    pub optimizer: f64,
    /// Weights and gradients of the layers that are gathered at the moment (FSDP).
    pub gathered: f64,
    /// Activations kept for the backward pass.
    pub activations: f64,
    /// Logits and their gradient on the last stage.
    pub logits: f64,
    /// Communication buckets.
    pub buckets: f64,
    /// Context, libraries and what the allocator cannot use.
    pub reserved: f64,
}

impl Memory {
    /// All parts together.
    pub fn total(&self) -> f64 {
        self.weights + self.gradients + self.optimizer + self.gathered + self.activations + self.logits + self.buckets + self.reserved
    }

    /// Weights, gradients and optimizer states.
    pub fn states(&self) -> f64 {
        self.weights + self.gradients + self.optimizer
    }
}

/// Bytes per parameter: weights, gradients, optimizer states (Rajbhandari 2020, section 3.1).
pub fn state_bytes(precision: Precision) -> (f64, f64, f64) {
    match precision {
        Precision::Bf16 | Precision::Fp16 | Precision::Fp8 => (2.0, 2.0, 12.0),
        Precision::Fp32 => (4.0, 4.0, 8.0),
    }
}

/// Over how many ranks weights, gradients and optimizer states are split: over the data-parallel copies, never over all GPUs.
fn shards(plan: &Plan, cluster: &Cluster) -> (f64, f64, f64) {
    let copies = f64::from(plan.dp);
    match plan.sharding {
        Sharding::None => (1.0, 1.0, 1.0),
        Sharding::Zero1 => (1.0, 1.0, copies),
        Sharding::Zero2 => (1.0, copies, copies),
        Sharding::Full => (copies, copies, copies),
        Sharding::Hybrid => {
            let inside = cluster.group(plan.dp, plan.tp).inside;
            (inside, inside, inside)
        }
    }
}

/// Activation bytes of one layer for one micro-batch (Korthikanti 2022, table 2): at 16 bit s·b·h·(34 + 5·a·s/h) without parallelism,
/// all of it split `tp` ways with sequence parallelism; the scores' term vanishes with selective recomputation or fused attention;
/// full recomputation keeps the layer's input, 2·s·b·h.
pub fn layer_activations(job: &Job, plan: &Plan) -> f64 {
    let tokens = job.seq * f64::from(plan.micro_batch);
    let tp = f64::from(plan.tp);
    // The table counts 16-bit values and one-byte masks; 32-bit values double the values, which are nearly all of it.
    let width = job.precision.bytes() / 2.0;
    let scores = if job.fused_attention || plan.recompute == Recompute::Selective { 0.0 } else { 5.0 * job.heads * job.seq / job.hidden };
    match plan.recompute {
        Recompute::Full => 2.0 * tokens * job.hidden * width / tp,
        Recompute::None | Recompute::Selective => tokens * job.hidden * (34.0 + scores) * width / tp,
    }
}

/// Memory of the fullest GPU under `plan`.
pub fn memory(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> Memory {
    let (tp, pp) = (f64::from(plan.tp), f64::from(plan.pp));
    let stage_layers = (job.layers / pp).ceil();
    // The heaviest stage: the first carries the input embedding and the most micro-batches in flight, the last the logits. Never the average.
    let embedding = job.embedding_params() * if plan.pp > 1 { 0.5 } else { 1.0 };
    let params = (stage_layers * job.layer_params() + embedding) / tp;
    let (weight, gradient, optimizer) = state_bytes(job.precision);
    let (weight_shards, gradient_shards, optimizer_shards) = shards(plan, cluster);
    let one_layer = job.layer_params() / tp;
    let micro_batches = plan.micro_batches(job.batch_seqs);
    let in_flight = micro_batches.min(pp);
    let per_layer = layer_activations(job, plan);
    // Full recomputation brings one layer's activations to life at a time.
    let live = if plan.recompute == Recompute::Full { layer_activations(job, &Plan { recompute: Recompute::None, ..*plan }) } else { 0.0 };
    let tokens = job.seq * f64::from(plan.micro_batch);
    let width = job.precision.bytes();
    Memory {
        weights: weight * params / weight_shards,
        gradients: gradient * params / gradient_shards,
        optimizer: optimizer * params / optimizer_shards,
        // Two layers' weights (one in use, one under way) and one layer's gradient.
        gathered: if plan.sharding.gathers_weights() && plan.dp > 1 {
            (2.0 * weight + gradient) * one_layer.max(job.embedding_params() / tp / 2.0)
        } else {
            0.0
        },
        activations: per_layer * stage_layers * in_flight + live,
        // 16-bit logits, fp32 copy for the loss and the gradient: 2 + 4 + 4 bytes, of the last stage, which has one micro-batch in flight.
        logits: if plan.pp == 1 || per_layer * stage_layers * (in_flight - 1.0) < tokens * job.vocab * 10.0 / tp {
            tokens * job.vocab * (width + 8.0) / tp
        } else {
            0.0
        },
        buckets: if plan.dp > 1 { (2.0 * stack.bucket_bytes).min(width * params) } else { 0.0 },
        reserved: stack.reserved_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{a100_cluster, gpt3_175b, plain_plan, stack};

    /// GPT-3 175B over 64 data-parallel ranks: 16·P; 4·P + 12·P/64; 2·P + 14·P/64; 16·P/64 (Rajbhandari 2020, figure 1).
    #[test]
    fn gpt3_states_under_zero() {
        let job = gpt3_175b();
        for (sharding, per_param) in [
            (Sharding::None, 16.0),
            (Sharding::Zero1, 4.0 + 12.0 / 64.0),
            (Sharding::Zero2, 2.0 + 14.0 / 64.0),
            (Sharding::Full, 16.0 / 64.0),
        ] {
            let plan = Plan { dp: 64, sharding, ..plain_plan() };
            let states = memory(&job, &a100_cluster(64), &plan, &stack()).states();
            assert!((states / (per_param * job.params) - 1.0).abs() < 1e-9, "{sharding:?}: {states}");
        }
    }

    /// The published fault: dividing by all GPUs. With tensor parallel 8 only dp = 8 ranks share the states.
    #[test]
    fn shards_count_data_parallel_ranks_only() {
        let job = gpt3_175b();
        let plan = Plan { tp: 8, dp: 8, sharding: Sharding::Full, ..plain_plan() };
        let states = memory(&job, &a100_cluster(64), &plan, &stack()).states();
        assert!((states - 16.0 * job.params / 8.0 / 8.0).abs() / states < 1e-9);
    }

    #[test]
    fn activations_follow_the_table() {
        let job = Job { fused_attention: false, ..gpt3_175b() };
        let plan = Plan { micro_batch: 1, ..plain_plan() };
        let (s, h, a) = (2048.0, 12288.0, 96.0);
        assert_eq!(layer_activations(&job, &plan), s * h * (34.0 + 5.0 * a * s / h));
        assert_eq!(layer_activations(&job, &Plan { recompute: Recompute::Selective, ..plan }), s * h * 34.0);
        assert_eq!(layer_activations(&job, &Plan { recompute: Recompute::Full, ..plan }), 2.0 * s * h);
        assert_eq!(layer_activations(&job, &Plan { tp: 8, recompute: Recompute::Selective, ..plan }), s * h * 34.0 / 8.0);
    }

    /// Pipeline stages are not averaged: 96 layers on 10 stages leave one with 10 layers, not 9.6.
    #[test]
    fn the_heaviest_stage_counts() {
        let job = gpt3_175b();
        let plan = Plan { pp: 10, ..plain_plan() };
        let stage = 10.0 * job.layer_params() + job.embedding_params() / 2.0;
        assert!((memory(&job, &a100_cluster(16), &plan, &stack()).states() / (16.0 * stage) - 1.0).abs() < 1e-9);
    }
}
