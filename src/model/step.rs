//! Time of one optimizer step, part by part.

use super::cluster::Cluster;
use super::job::Job;
use super::plan::{Plan, Recompute, Sharding};
use super::stack::{Overlap, Stack};
use super::work;

/// Seconds of one optimizer step on the critical path; `hidden` lies under the computing and is not in the sum.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Step {
    /// Matrix multiplications with weights, logits included.
    pub linear: f64,
    /// Attention.
    pub attention: f64,
    /// Memory-bound passes: norms, activations, residuals.
    pub elementwise: f64,
    /// Starting kernels, layer by layer.
    pub overhead: f64,
    /// Tensor-parallel all-reduces.
    pub tensor_comm: f64,
    /// Messages between pipeline stages.
    pub pipeline_comm: f64,
    /// Gradients and shards that are waited for.
    pub data_comm: f64,
    /// Stages that wait for the pipeline to fill and drain.
    pub bubble: f64,
    /// The optimizer's pass over its states.
    pub optimizer: f64,
    /// Gradients and shards that travel while the GPU computes.
    pub hidden: f64,
}

impl Step {
    /// Seconds of the step.
    pub fn total(&self) -> f64 {
        self.compute() + self.communication() + self.bubble + self.optimizer
    }

    /// Seconds of computing, launch overhead included.
    pub fn compute(&self) -> f64 {
        self.linear + self.attention + self.elementwise + self.overhead
    }

    /// Seconds of communication that are waited for.
    pub fn communication(&self) -> f64 {
        self.tensor_comm + self.pipeline_comm + self.data_comm
    }
}

/// The share of the ceiling that work of `gflop` per layer, GPU and micro-batch reaches: x/(x + x½).
fn saturation(gflop: f64, half_gflop: f64) -> f64 {
    gflop / (gflop + half_gflop)
}

/// Seconds on one GPU for one micro-batch through one layer, forward and backward, and through the head.
struct Micro {
    linear: f64,
    attention: f64,
    elementwise: f64,
    overhead: f64,
    tensor_comm: f64,
}

fn micro_layer(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> Micro {
    let device = &cluster.device;
    let (tp, b) = (f64::from(plan.tp), f64::from(plan.micro_batch));
    let work = work::layer(job);
    let linear_flop = b * work.linear_flop / tp;
    let attention_flop = b * work.attention_flop / tp;
    let rate = device.flop_per_s * stack.matmul_ceiling;
    let (passes, attention_passes) = (work::linear_passes(plan.recompute), work::attention_passes(plan.recompute));
    let saturated = saturation(linear_flop / 1e9, stack.half_gflop);
    let tokens = b * job.seq;
    let width = job.precision.bytes();
    let score_s = if job.fused_attention { 0.0 } else { stack.score_bytes * job.heads * tokens * job.seq / tp / device.memory_bytes_per_s };
    let attention_rate = if job.fused_attention { rate * stack.fused_attention_rate } else { rate };
    let all_reduces = if plan.recompute == Recompute::Full { 6.0 } else { 4.0 };
    let tensor_comm = if plan.tp > 1 { all_reduces * cluster.group(plan.tp, 1).all_reduce_s(tokens * job.hidden * width) } else { 0.0 };
    Micro {
        linear: passes * linear_flop / (rate * saturated),
        attention: attention_passes * (attention_flop / attention_rate + score_s),
        elementwise: passes * stack.elementwise_values * tokens * job.hidden * width / tp / device.memory_bytes_per_s,
        overhead: passes * stack.layer_overhead_s,
        tensor_comm,
    }
}

/// Seconds of the collectives of one step over the data-parallel ranks, before anything hides.
fn data_parallel_s(job: &Job, cluster: &Cluster, plan: &Plan, stage_params: f64, micro_batches: f64) -> f64 {
    if plan.dp <= 1 {
        return 0.0;
    }
    let group = cluster.group(plan.dp, plan.tp);
    let bytes = job.precision.bytes() * stage_params;
    match plan.sharding {
        // One all-reduce of the gradients; ZeRO-1 and -2 split it into a reduce-scatter of gradients and an all-gather of weights.
        Sharding::None | Sharding::Zero1 | Sharding::Zero2 => group.all_reduce_s(bytes),
        // Weights gathered for the forward and again for the backward pass, gradients scattered, in every micro-batch.
        Sharding::Full => 3.0 * micro_batches * group.shard_s(bytes),
        Sharding::Hybrid => {
            let inside = super::cluster::Group { machines: 1.0, ..group };
            let between = super::collective::all_reduce_s(cluster.outer, group.machines, bytes / group.inside);
            3.0 * micro_batches * inside.shard_s(bytes) + between
        }
    }
}

/// Time of one step of `job` on `cluster` under `plan`.
pub fn step(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, overlap: Overlap) -> Step {
    let device = &cluster.device;
    let (tp, pp, b) = (f64::from(plan.tp), f64::from(plan.pp), f64::from(plan.micro_batch));
    let micro_batches = plan.micro_batches(job.batch_seqs);
    let stage_layers = (job.layers / pp).ceil();
    let layer = micro_layer(job, cluster, plan, stack);
    let layer_s = layer.linear + layer.attention + layer.elementwise + layer.overhead + layer.tensor_comm;
    let rate = device.flop_per_s * stack.matmul_ceiling;
    let head_s = 3.0 * b * work::head_flop(job) / tp / rate;
    // The last stage carries the head as well: the pipeline runs at its pace. The other stages add their share once, while it fills and drains.
    let border = if plan.pp > 1 {
        // Once the stages reach beyond a machine, some border lies between two, and the pipeline runs at its pace.
        let link = if plan.gpus() > cluster.per_machine { cluster.outer } else { cluster.inner };
        2.0 * link.send_s(b * job.seq * job.hidden * job.precision.bytes() / tp)
    } else {
        0.0
    };
    let heaviest_s = stage_layers * layer_s + head_s + border;
    let all_stages_s = job.layers * layer_s + head_s + (pp - 1.0) * border;
    let bubble = (all_stages_s - heaviest_s).max(0.0);
    let passes = micro_batches * stage_layers;

    let stage_params = (stage_layers * job.layer_params() + job.embedding_params() / if plan.pp > 1 { 2.0 } else { 1.0 }) / tp;
    let communication = data_parallel_s(job, cluster, plan, stage_params, micro_batches);
    let compute_s = passes * layer_s + micro_batches * head_s;
    // Gradients travel while the last backward pass goes on; gathered weights while any layer computes.
    let window = if plan.sharding.gathers_weights() { compute_s } else { stage_layers * layer_s * 2.0 / 3.0 };
    let bytes = job.precision.bytes() * stage_params;
    let last_bucket = communication * (stack.bucket_bytes / bytes).min(1.0);
    let exposed = (communication - overlap.share(stack) * window).max(last_bucket).min(communication);

    let optimizer_params = match plan.sharding {
        Sharding::None => stage_params,
        Sharding::Zero1 | Sharding::Zero2 | Sharding::Full => stage_params / f64::from(plan.dp),
        Sharding::Hybrid => stage_params / cluster.group(plan.dp, plan.tp).inside,
    };
    // Reads weights, moments and gradient (16 bytes) and writes weights and moments (14).
    let optimizer = 30.0 * optimizer_params / device.memory_bytes_per_s + stack.step_overhead_s;
    Step {
        linear: passes * layer.linear + micro_batches * head_s,
        attention: passes * layer.attention,
        elementwise: passes * layer.elementwise,
        overhead: passes * layer.overhead,
        tensor_comm: passes * layer.tensor_comm,
        pipeline_comm: micro_batches * border,
        data_comm: exposed,
        bubble,
        optimizer,
        hidden: communication - exposed,
    }
}

/// A bound below the seconds per sequence of every plan that spreads the work over `gpus` and computes again what `recompute` says:
/// the matrix multiplications at full ceiling.
pub fn bound_s(job: &Job, cluster: &Cluster, gpus: f64, recompute: Recompute, stack: &Stack) -> f64 {
    let linear = work::linear_passes(recompute) * job.layers * work::layer(job).linear_flop;
    linear / (cluster.device.flop_per_s * stack.matmul_ceiling * gpus)
}
