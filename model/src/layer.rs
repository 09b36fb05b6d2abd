//! Time of one layer for one micro-batch, part by part: what a step repeats.
//!
//! A closed form whose constants are the [`Stack`]'s, fitted to measured runs. Symbols as in the field: `b` sequences per micro-batch, `s`
//! tokens per sequence, `h` hidden size, `t`, `c`, `e` the degrees of the plan.

use super::cluster::Cluster;
use super::job::{Job, Precision};
use super::plan::{Plan, Recompute};
use super::stack::Stack;
use super::work;

/// The GPU whose rate [`Stack::half_work`] refers to: the best 16-bit multiplication of an A100, FLOP/s
/// (stas00/ml-engineering, compute/accelerator).
const REFERENCE_FLOP_PER_S: f64 = 271.2e12;

/// The head width at which [`Stack::attention_rate`] holds.
const REFERENCE_HEAD_WIDTH: f64 = 128.0;

/// What does not change along a layer.
struct Rates {
    /// FLOP/s of multiplications in the job's format.
    linear: f64,
    /// FLOP/s of multiplications in the wide format.
    wide: f64,
    /// Bytes per second of memory.
    memory: f64,
    /// Slowdown of narrow matrices.
    shape: f64,
    /// Seconds that one pass of a layer loses to starting up and to its last, partly filled waves.
    start_s: f64,
}

/// FLOP/s of multiplications in the wide format.
pub(crate) fn wide_flop_per_s(cluster: &Cluster, stack: &Stack) -> f64 {
    cluster.device.wide_flop_per_s * stack.matmul_rate * stack.gpu_factor
}

fn rates(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> Rates {
    let device = &cluster.device;
    let wide = wide_flop_per_s(cluster, stack);
    let narrow = device.narrow_flop_per_s * stack.fp8_rate * stack.gpu_factor;
    let (linear, faster) = match job.precision {
        Precision::Fp8 => (narrow, device.narrow_flop_per_s / device.wide_flop_per_s),
        Precision::Fp4 => (narrow * stack.fp4_gain, device.narrow_flop_per_s / device.wide_flop_per_s),
        _ => (wide, 1.0),
    };
    Rates {
        linear,
        wide,
        memory: device.memory_bytes_per_s,
        shape: 1.0 + stack.half_width * faster * f64::from(plan.tp).sqrt() / job.hidden,
        start_s: stack.half_work * 1e9 / (REFERENCE_FLOP_PER_S * stack.matmul_rate),
    }
}

/// How often a step passes a layer.
struct Passes {
    /// Multiplications with weights, in forward passes.
    linear: f64,
    /// Attention, in forward passes.
    attention: f64,
    /// Walks through the layer's kernels.
    walks: f64,
    /// One where the whole layer is computed again.
    again: f64,
    /// Share of the layer's multiplications that computing it again leaves out.
    skipped: f64,
}

fn passes(job: &Job, plan: &Plan, stack: &Stack) -> Passes {
    let (again, selective) = match plan.recompute {
        Recompute::None => (0.0, 0.0),
        Recompute::Selective => (0.0, 1.0),
        Recompute::Full => (1.0, 0.0),
    };
    // What is computed again ends before the MLP's last matrix where the stack stops as soon as the backward pass has what it needs.
    let skipped = again * stack.recompute_stop * job.ffn * job.hidden / (job.layer_dense + job.layer_experts_active());
    Passes {
        linear: work::passes(job) + again - skipped + selective * stack.selective_linear,
        attention: 1.0 + stack.attention_backward + again + selective * stack.selective_attention,
        walks: 2.0 + again + selective / 2.0,
        again,
        skipped,
    }
}

/// Seconds on one GPU for one micro-batch through one layer, forward and backward; the parts are those of [`Step`](super::step::Step).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub linear: f64,
    pub experts: f64,
    pub attention: f64,
    pub elementwise: f64,
    pub overhead: f64,
    pub tensor_comm: f64,
    pub context_comm: f64,
    pub expert_comm: f64,
}

impl Layer {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.linear
            + self.experts
            + self.attention
            + self.elementwise
            + self.overhead
            + self.tensor_comm
            + self.context_comm
            + self.expert_comm
    }
}

/// Tokens of a micro-batch on one rank.
pub(crate) fn rank_tokens(job: &Job, plan: &Plan) -> f64 {
    f64::from(plan.micro_batch) * job.seq / f64::from(plan.cp)
}

/// Share of what stands between the matrices that one tensor-parallel rank holds with sequence parallelism, or sends to its neighbours.
pub(crate) fn sequence_share(plan: &Plan) -> f64 {
    if plan.sequence_parallel { 1.0 / f64::from(plan.tp) } else { 1.0 }
}

pub(crate) fn layer(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> Layer {
    let rates = &rates(job, cluster, plan, stack);
    let passes = passes(job, plan, stack);
    let (tokens, tp) = (rank_tokens(job, plan), f64::from(plan.tp));
    let linear_flop = 2.0 * tokens * job.layer_dense / tp;
    let linear = passes.linear * linear_flop * rates.shape / rates.linear + passes.walks * rates.start_s;
    let attention = attention_s(job, cluster, plan, stack, &passes, rates);
    let replicated =
        if plan.sequence_parallel { 1.0 / tp } else { stack.elementwise_replicated + (1.0 - stack.elementwise_replicated) / tp };
    let compiled = if job.compiled { 1.0 - stack.compile_gain } else { 1.0 };
    let narrow = if job.precision.is_narrow() { 1.0 } else { 0.0 };
    let per_token = stack.elementwise_bytes * replicated * compiled + narrow * stack.quantise_bytes / tp;
    let weights = (3.0 + passes.again) * 2.0 * job.layer_dense / tp * stack.weight_reads;
    let width = job.precision.bytes() / 2.0;
    let elementwise = (passes.walks * per_token * tokens * job.hidden + weights) * width / rates.memory;
    let experts = experts_s(job, plan, stack, &passes, rates);
    let (tensor, tensor_start) = tensor_s(job, cluster, plan, stack, &passes);
    // The host starts kernels while the GPU works; the longer of the two counts, with a soft corner.
    let gpu = linear + experts + attention + elementwise + tensor;
    let softmax = if splits_softmax(job, plan) { stack.softmax_launch } else { 0.0 };
    let host = passes.walks * (stack.launch + narrow * stack.quantise_launch + softmax);
    let sharpness = 1.0 + stack.host_overlap;
    let longer = gpu.max(host);
    let together = longer * (1.0 + (gpu.min(host) / longer).powf(sharpness)).powf(1.0 / sharpness);
    Layer {
        linear,
        experts,
        attention,
        elementwise,
        overhead: together - gpu,
        tensor_comm: tensor + tensor_start,
        context_comm: context_s(job, cluster, plan, stack, attention),
        expert_comm: exchange_s(job, cluster, plan, stack, &passes),
    }
}

/// The rows of scores that one block of Megatron's fused softmax takes, and the longest of them, tokens.
const SOFTMAX_ROWS: u32 = 4;
const SOFTMAX_TOKENS: f64 = 4096.0;

/// Whether unfused attention has to fall back to single kernels for the scale, the mask and the softmax: the fused kernel takes only
/// micro-batches whose heads are a multiple of four on each rank, and sequences of at most 4,096 tokens (`is_kernel_available` in
/// <https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/fusions/fused_softmax.py>).
fn splits_softmax(job: &Job, plan: &Plan) -> bool {
    let uneven = !((job.heads * f64::from(plan.micro_batch)) as u32 / plan.tp).is_multiple_of(SOFTMAX_ROWS);
    !job.fused_attention && (uneven || job.seq > SOFTMAX_TOKENS)
}

/// Fused attention at its own rate, slower for narrow heads (the softmax) and short sequences; unfused attention reads and writes the
/// scores several times.
fn attention_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, passes: &Passes, rates: &Rates) -> f64 {
    let (tokens, tp) = (rank_tokens(job, plan), f64::from(plan.tp));
    let flop = 4.0 * tokens * job.seq * job.hidden / tp;
    if job.fused_attention {
        let head_width = job.hidden / job.heads;
        let heads = (1.0 + stack.half_head_width / head_width) / (1.0 + stack.half_head_width / REFERENCE_HEAD_WIDTH);
        let rate = cluster.device.wide_flop_per_s * stack.attention_rate * stack.attention_factor;
        passes.attention * flop * heads * (1.0 + stack.half_sequence / job.seq) / rate
    } else {
        let scores = job.heads / tp * tokens * job.seq;
        passes.walks * stack.score_bytes * scores / rates.memory + passes.linear * flop / rates.wide
    }
}

/// The experts' multiplications, the reads of their weights, the launches, and the memory traffic of routing.
fn experts_s(job: &Job, plan: &Plan, stack: &Stack, passes: &Passes, rates: &Rates) -> f64 {
    if !job.has_experts() {
        return 0.0;
    }
    let (tokens, tp, ep) = (rank_tokens(job, plan), f64::from(plan.tp), f64::from(plan.ep));
    let flop = 2.0 * tokens * job.layer_experts_active() / tp;
    let grouped = stack.grouped_slowdown * (1.0 + stack.half_expert_width / job.ffn);
    let weights = (3.0 + passes.again) * 2.0 * job.layer_experts / ep / tp;
    let routing = passes.walks * stack.routing_bytes * tokens * job.experts_per_token * job.hidden / tp;
    passes.linear * flop * grouped / rates.linear
        + (weights + routing) / rates.memory
        + passes.walks * job.experts / ep * stack.expert_launch
}

/// Tensor parallelism: two all-reduces forward, two backward, two for each pass that is computed again (Narayanan 2021): seconds that
/// they take on the GPU, which the host's work may cover, and seconds of starting them, which is the host's own work.
fn tensor_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, passes: &Passes) -> (f64, f64) {
    if plan.tp <= 1 {
        return (0.0, 0.0);
    }
    let group = cluster.group(plan.tp, 1);
    let selective = passes.linear - work::passes(job) - passes.again + passes.skipped;
    let all_reduces = 4.0 + 2.0 * passes.again + 2.0 * selective;
    let bytes = job.precision.bytes() * rank_tokens(job, plan) * job.hidden;
    let per_byte = 2.0 * group.scatter_s_per_byte(stack.tensor_share, stack.tensor_share_outer);
    let latency = stack.tensor_latency_rank * (f64::from(plan.tp) - 1.0) + 2.0 * group.hops_s();
    (all_reduces * (bytes * per_byte * stack.tensor_exposed + latency), all_reduces * stack.tensor_latency)
}

/// Context parallelism: keys and values travel around the ring once forward, twice backward, behind attention.
fn context_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, attention: f64) -> f64 {
    if plan.cp <= 1 {
        return 0.0;
    }
    let group = cluster.group(plan.cp, plan.tp);
    let bytes = 2.0 * job.precision.bytes() * rank_tokens(job, plan) * job.hidden * job.kv_heads / job.heads / f64::from(plan.tp);
    // A ring over several machines has one border between two for each rank of a machine.
    let rate =
        if group.machines > 1.0 { group.inner.bytes_per_s.min(group.outer.bytes_per_s * group.inside) } else { group.inner.bytes_per_s };
    let messages = 3.0 * (f64::from(plan.cp) - 1.0);
    let seconds = messages * (bytes / (stack.context_share * rate) + stack.context_latency) + 3.0 * group.hops_s();
    (seconds - stack.context_window * attention).max(0.0) + stack.context_exposed * seconds
}

/// Expert parallelism: tokens travel to their experts and back, forward and backward. Megatron-Core hides them behind the computing of a
/// neighbouring micro-batch, in a pipeline only where it is interleaved
/// (<https://docs.nvidia.com/megatron-core/developer-guide/nightly/user-guide/features/moe_a2a_overlap.html>).
fn exchange_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, passes: &Passes) -> f64 {
    if plan.ep <= 1 || !job.has_experts() {
        return 0.0;
    }
    let group = cluster.group(plan.ep, plan.tp * plan.cp);
    let ranks = f64::from(plan.ep);
    let bytes = job.precision.bytes() * rank_tokens(job, plan) * job.hidden * job.experts_per_token * sequence_share(plan);
    let inside = (group.inside - 1.0) / ranks * bytes / (stack.expert_share * group.inner.bytes_per_s);
    let between = (ranks - group.inside) / ranks * bytes / (stack.expert_share_outer * group.outer.bytes_per_s);
    let latency = stack.expert_latency + stack.expert_latency_rank * (ranks - 1.0) + group.hops_s();
    let exposed = if plan.interleave > 1 { stack.expert_exposed } else { 1.0 };
    exposed * (4.0 + 2.0 * passes.again) * (latency + inside + between)
}

/// Seconds of a layer for one micro-batch of `plan`, forward and backward.
pub fn layer_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> f64 {
    layer(job, cluster, plan, stack).total()
}

/// Seconds of a layer for one micro-batch of `plan` without the exchange of experts: per sequence, a bound below every plan with the same
/// degrees and a smaller micro-batch, whatever it computes again, since what a pass costs beside its tokens is spread over more of them.
pub fn layer_bound_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> f64 {
    // Spreading the experts as far as it goes leaves each rank the fewest weights to read.
    let plan = Plan { recompute: Recompute::None, ep: job.experts.max(1.0) as u32, ..*plan };
    // A smaller micro-batch may have its softmax fused where this one has not.
    let stack = Stack { softmax_launch: 0.0, ..*stack };
    let layer = layer(job, cluster, &plan, &stack);
    layer.total() - layer.expert_comm
}
