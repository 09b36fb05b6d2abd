//! Time of one optimizer step, part by part.
//!
//! A closed form whose constants are the [`Stack`]'s, fitted to measured runs. Symbols as in the field: `b` sequences per micro-batch, `s`
//! tokens per sequence, `h` hidden size, `t`, `p`, `c`, `e`, `d` the degrees of the plan, `m` micro-batches, `L` layers.

use super::cluster::Cluster;
use super::job::{Job, Precision};
use super::plan::{Plan, Recompute, Sharding};
use super::stack::{Overlap, PRESSURE_FROM, PRESSURE_OVER, Stack};
use super::work;

/// Seconds of one optimizer step on the critical path; `hidden` lies under the computing and is not in the sum.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Step {
    /// Matrix multiplications with weights, logits included.
    pub linear: f64,
    /// The experts' multiplications and the routing.
    pub experts: f64,
    /// Attention.
    pub attention: f64,
    /// Memory-bound passes: norms, activations, residuals, quantising, the loss.
    pub elementwise: f64,
    /// The host's work that the GPU waits for: starting kernels, micro-batch by micro-batch.
    pub overhead: f64,
    /// Tensor-parallel collectives.
    pub tensor_comm: f64,
    /// Context-parallel messages.
    pub context_comm: f64,
    /// Exchanges of tokens between experts.
    pub expert_comm: f64,
    /// Messages between pipeline stages.
    pub pipeline_comm: f64,
    /// Gradients and shards that are waited for.
    pub data_comm: f64,
    /// Stages that wait for the pipeline to fill and drain.
    pub bubble: f64,
    /// The optimizer's pass over its states.
    pub optimizer: f64,
    /// What the allocator loses where memory is nearly full.
    pub pressure: f64,
    /// Gradients and shards that travel while the GPU computes.
    pub hidden: f64,
}

impl Step {
    /// Seconds of the step.
    pub fn total(&self) -> f64 {
        self.compute() + self.communication() + self.bubble + self.optimizer + self.pressure
    }

    /// Seconds of computing, launch overhead included.
    pub fn compute(&self) -> f64 {
        self.linear + self.experts + self.attention + self.elementwise + self.overhead
    }

    /// Seconds of communication that are waited for.
    pub fn communication(&self) -> f64 {
        self.tensor_comm + self.context_comm + self.expert_comm + self.pipeline_comm + self.data_comm
    }
}

/// The GPU whose rate [`Stack::half_work`] refers to: the best 16-bit multiplication of an A100, FLOP/s
/// (stas00/ml-engineering, compute/accelerator).
const REFERENCE_FLOP_PER_S: f64 = 271.2e12;

/// The head width at which [`Stack::attention_rate`] holds.
const REFERENCE_HEAD_WIDTH: f64 = 128.0;

/// Of the time of a stage, the backward pass; gradients hide behind it.
const BACKWARD_SHARE: f64 = 0.65;

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

fn rates(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> Rates {
    let device = &cluster.device;
    let wide = device.wide_flop_per_s * stack.matmul_rate * stack.gpu_factor;
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
}

fn passes(job: &Job, plan: &Plan, stack: &Stack) -> Passes {
    let (again, selective) = match plan.recompute {
        Recompute::None => (0.0, 0.0),
        Recompute::Selective => (0.0, 1.0),
        Recompute::Full => (1.0, 0.0),
    };
    Passes {
        linear: work::passes(job) + again + selective * stack.selective_linear,
        attention: 1.0 + stack.attention_backward + again + selective * stack.selective_attention,
        walks: 2.0 + again + selective / 2.0,
        again,
    }
}

/// Seconds on one GPU for one micro-batch through one layer, forward and backward.
struct Layer {
    linear: f64,
    experts: f64,
    attention: f64,
    elementwise: f64,
    overhead: f64,
    tensor_comm: f64,
    context_comm: f64,
    expert_comm: f64,
}

impl Layer {
    fn total(&self) -> f64 {
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
fn rank_tokens(job: &Job, plan: &Plan) -> f64 {
    f64::from(plan.micro_batch) * job.seq / f64::from(plan.cp)
}

/// Share of what stands between the matrices that one tensor-parallel rank holds with sequence parallelism, or sends to its neighbours.
fn sequence_share(plan: &Plan) -> f64 {
    if plan.sequence_parallel { 1.0 / f64::from(plan.tp) } else { 1.0 }
}

fn layer(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, rates: &Rates) -> Layer {
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
    let (tensor_bytes, tensor_latency) = tensor_s(job, cluster, plan, stack, &passes);
    // The host starts kernels while the GPU works; the longer of the two counts, with a soft corner.
    let gpu = linear + experts + attention + elementwise + tensor_bytes;
    let host = passes.walks * (stack.launch + narrow * stack.quantise_launch);
    let sharpness = 1.0 + stack.host_overlap;
    let longer = gpu.max(host);
    let together = longer * (1.0 + (gpu.min(host) / longer).powf(sharpness)).powf(1.0 / sharpness);
    Layer {
        linear,
        experts,
        attention,
        elementwise,
        overhead: together - gpu,
        tensor_comm: tensor_bytes + tensor_latency,
        context_comm: context_s(job, cluster, plan, stack, attention),
        expert_comm: exchange_s(job, cluster, plan, stack, &passes),
    }
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

/// Tensor parallelism: two all-reduces forward, two backward, two for each pass that is computed again (Narayanan 2021): seconds of their
/// bytes, and of their latency.
fn tensor_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, passes: &Passes) -> (f64, f64) {
    if plan.tp <= 1 {
        return (0.0, 0.0);
    }
    let group = cluster.group(plan.tp, 1);
    let selective = passes.linear - work::passes(job) - passes.again;
    let all_reduces = 4.0 + 2.0 * passes.again + 2.0 * selective;
    let bytes = job.precision.bytes() * rank_tokens(job, plan) * job.hidden;
    let per_byte = 2.0 * group.scatter_s_per_byte(stack.tensor_share, stack.tensor_share_outer);
    let latency = stack.tensor_latency + stack.tensor_latency_rank * (f64::from(plan.tp) - 1.0) + 2.0 * group.hops_s();
    (all_reduces * bytes * per_byte * stack.tensor_exposed, all_reduces * latency)
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

/// Expert parallelism: tokens travel to their experts and back, forward and backward.
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
    (4.0 + 2.0 * passes.again) * (latency + inside + between)
}

/// Communication of gradients and shards: what is waited for, and what hides.
struct DataParallel {
    exposed: f64,
    hidden: f64,
}

/// What the communication of a stage works with.
struct Stage {
    layers: f64,
    /// Parameters on one rank, the embedding included.
    params: f64,
    /// Seconds of the layers for one micro-batch.
    layers_s: f64,
    /// Seconds of the logits for one micro-batch.
    head_s: f64,
    micro_batches: f64,
}

fn data_parallel(cluster: &Cluster, plan: &Plan, stack: &Stack, overlap: Overlap, trained: f64, stage: &Stage) -> DataParallel {
    let ranks = plan.replicas();
    if ranks <= 1 {
        return DataParallel { exposed: 0.0, hidden: 0.0 };
    }
    let group = cluster.group(ranks, plan.tp);
    let (inner, outer) = (stack.data_share, stack.data_share_outer);
    let gradient_bytes = stack.gradient_bytes * stage.params * trained;
    let latency = stack.data_latency + stack.data_latency_rank * (f64::from(ranks) - 1.0);
    if !plan.sharding.gathers_weights() {
        // One all-reduce; ZeRO-1 and -2 split it into a reduce-scatter of gradients and an all-gather of weights.
        let all = 2.0 * group.scatter_s_per_byte(inner, outer) * gradient_bytes + latency + 2.0 * group.hops_s();
        let window = overlap.share(stack.data_window) * BACKWARD_SHARE * stage.layers_s;
        let exposed = ((all - window).max(0.0) + stack.data_tail * all / stage.layers).min(all);
        return DataParallel { exposed, hidden: all - exposed };
    }
    // Weights gathered forward and again backward, gradients scattered, in every micro-batch, layer by layer.
    let (gather, scatter, hops) = match plan.sharding {
        Sharding::Hybrid => {
            let inside = group.inside_only().scatter_s_per_byte(inner, outer);
            // Inside the machine a scatter, between machines an all-reduce of each rank's part.
            let all = 2.0 * (group.scatter_s_per_byte(inner, outer) - inside) + inside;
            (inside, all, 2.0 * group.hops_s())
        }
        _ => {
            let seconds = group.scatter_s_per_byte(inner, outer);
            (seconds, seconds, 3.0 * group.hops_s())
        }
    };
    let bytes_s = 2.0 * 2.0 * stage.params * gather + gradient_bytes * scatter;
    let all = stage.micro_batches * (bytes_s + stage.layers * (3.0 * latency + hops));
    let compute = stage.micro_batches * (stage.layers_s + stage.head_s);
    let unhidden = (all - overlap.share(stack.shard_window) * compute).max(0.0);
    let slowed = stack.shard_slowdown * all.min(compute);
    let exposed = (unhidden + slowed + all / stage.layers / stage.micro_batches).min(all);
    DataParallel { exposed, hidden: all - exposed }
}

/// Time of one step of `job` on `cluster` under `plan`, which fills `memory_share` of the memory.
pub fn step(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, overlap: Overlap, memory_share: f64) -> Step {
    let (tp, pp) = (f64::from(plan.tp), f64::from(plan.pp));
    let rates = rates(job, cluster, plan, stack);
    let layer = layer(job, cluster, plan, stack, &rates);
    let micro_batches = plan.micro_batches(job.batch_seqs);
    let stage_layers = (job.layers / pp).ceil();
    let layers_s = stage_layers * layer.total();
    let tokens = rank_tokens(job, plan);

    // Logits: always multiplied in the wide format; the last stage has them besides its layers.
    let weight = if plan.pp > 1 { stack.loss_stage } else { 1.0 };
    let logits = 2.0 * work::passes(job) * tokens * job.vocab * job.hidden / tp / rates.wide * weight;
    let loss = stack.loss_bytes * tokens * job.vocab / tp / rates.memory * weight;

    let (pipeline_comm, bubble) = if plan.pp > 1 {
        // Once the stages reach beyond a machine, some border lies between two, and the pipeline runs at its pace.
        let link = if plan.gpus() > cluster.per_machine { cluster.outer } else { cluster.inner };
        let bytes = job.precision.bytes() * tokens * job.hidden * sequence_share(plan);
        let latency = stack.pipeline_latency + if plan.gpus() > cluster.per_machine { link.latency_s } else { 0.0 };
        let message = latency + bytes / (stack.pipeline_share * link.bytes_per_s);
        let chunks = f64::from(plan.interleave);
        // What the other stages add while the pipeline fills and drains: (p−1)/v of a stage.
        (2.0 * (micro_batches + pp - 1.0) * chunks * message, stack.bubble * (pp - 1.0) / chunks * layers_s)
    } else {
        (0.0, 0.0)
    };

    let dense = stage_layers * job.layer_dense / tp + job.embedding() / tp;
    let params = dense + stage_layers * job.layer_experts / tp / f64::from(plan.ep);
    let trained = job.states.trained;
    let stage = Stage { layers: stage_layers, params, layers_s, head_s: logits + loss, micro_batches };
    let data = data_parallel(cluster, plan, stack, overlap, trained, &stage);
    let shard = match plan.sharding {
        Sharding::None => 1.0,
        Sharding::Hybrid => cluster.group(plan.replicas(), plan.tp).inside,
        _ => f64::from(plan.replicas()),
    };
    let updated = params * trained;
    let optimizer = (stack.optimizer_bytes / shard + stack.cast_bytes) * updated / rates.memory + stack.step_fixed;

    let all_layers = micro_batches * stage_layers;
    let mut step = Step {
        linear: all_layers * layer.linear + micro_batches * logits,
        experts: all_layers * layer.experts,
        attention: all_layers * layer.attention,
        elementwise: all_layers * layer.elementwise + micro_batches * loss,
        overhead: all_layers * layer.overhead + micro_batches * stack.micro_batch_fixed,
        tensor_comm: all_layers * layer.tensor_comm,
        context_comm: all_layers * layer.context_comm,
        expert_comm: all_layers * layer.expert_comm,
        pipeline_comm,
        data_comm: data.exposed,
        bubble,
        optimizer,
        pressure: 0.0,
        hidden: data.hidden,
    };
    step.pressure = step.total() * stack.pressure * ((memory_share - PRESSURE_FROM) / PRESSURE_OVER).clamp(0.0, 1.0);
    step
}

/// Bounds below the traffic of every plan with the same degrees, whatever it shards and however it schedules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrafficBound {
    /// Seconds of gradients and shards over the replicas, before anything hides.
    pub data_s: f64,
    /// Share of the computing behind which they may hide.
    pub window: f64,
    /// Seconds of the messages between stages, which never hide.
    pub pipeline_s: f64,
}

/// The bounds of a plan's traffic.
pub fn traffic_bound(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, overlap: Overlap) -> TrafficBound {
    let (tp, pp) = (f64::from(plan.tp), f64::from(plan.pp));
    let data_s = if plan.replicas() > 1 {
        let group = cluster.group(plan.replicas(), plan.tp);
        let dense = ((job.layers / pp).ceil() * job.layer_dense + job.embedding()) / tp;
        let gradient = stack.gradient_bytes * job.states.trained;
        // An all-reduce of gradients, or two gathers of 16-bit weights and a scatter.
        (2.0 * gradient).min(4.0 + gradient) * dense * group.scatter_s_per_byte(stack.data_share, stack.data_share_outer)
    } else {
        0.0
    };
    let pipeline_s = if plan.pp > 1 {
        let link = if plan.gpus() > cluster.per_machine { cluster.outer } else { cluster.inner };
        let tokens = plan.seqs_per_copy(job.batch_seqs) * job.seq / f64::from(plan.cp);
        2.0 * job.precision.bytes() * tokens * job.hidden * sequence_share(plan) / (stack.pipeline_share * link.bytes_per_s)
    } else {
        0.0
    };
    let window = (overlap.share(stack.data_window) * BACKWARD_SHARE).max(overlap.share(stack.shard_window)).min(1.0);
    TrafficBound { data_s, window, pipeline_s }
}

/// Seconds of a layer for one micro-batch of `plan`, forward and backward.
pub fn layer_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> f64 {
    layer(job, cluster, plan, stack, &rates(job, cluster, plan, stack)).total()
}

/// Seconds of a layer for one micro-batch of `plan` without the exchange of experts: per sequence, a bound below every plan with the same
/// degrees and a smaller micro-batch, whatever it computes again, since what a pass costs beside its tokens is spread over more of them.
pub fn layer_bound_s(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack) -> f64 {
    // Spreading the experts as far as it goes leaves each rank the fewest weights to read.
    let plan = Plan { recompute: Recompute::None, ep: job.experts.max(1.0) as u32, ..*plan };
    let layer = layer(job, cluster, &plan, stack, &rates(job, cluster, &plan, stack));
    layer.total() - layer.expert_comm
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{a100_cluster, gpt3_175b, llama_7b};

    /// A stack that reaches every rate and loses nothing, so that each part can be worked by hand.
    fn ideal() -> Stack {
        Stack {
            matmul_rate: 1.0,
            half_width: 1e-9,
            half_work: 1e-12,
            half_sequence: 1e-9,
            launch: 1e-15,
            micro_batch_fixed: 1e-15,
            tensor_share: 1.0,
            tensor_share_outer: 1.0,
            tensor_latency: 1e-15,
            tensor_latency_rank: 1e-15,
            context_share: 1.0,
            context_latency: 1e-15,
            context_window: 1e-15,
            context_exposed: 1e-15,
            expert_share: 1.0,
            expert_share_outer: 1.0,
            expert_latency: 1e-15,
            expert_latency_rank: 1e-15,
            data_share: 1.0,
            data_share_outer: 1.0,
            data_latency: 1e-15,
            data_latency_rank: 1e-15,
            data_tail: 1e-15,
            step_fixed: 1e-15,
            ..Stack::PRIOR
        }
    }

    fn close(value: f64, by_hand: f64) {
        assert!((value / by_hand - 1.0).abs() < 1e-6, "{value}, by hand {by_hand}");
    }

    fn one(job: &Job, cluster: &Cluster, plan: Plan) -> Step {
        step(job, cluster, &plan, &ideal(), Overlap::None, 0.5)
    }

    /// One sequence of Llama 7B on one A100: 3 passes of 2·s·N FLOP at 271 TFLOP/s, logits included.
    #[test]
    fn multiplications_of_one_sequence() {
        let job = Job { batch_seqs: 1.0, ..llama_7b() };
        let flop = 3.0 * 2.0 * 4096.0 * (32.0 * job.layer_dense + 4096.0 * 32000.0);
        close(one(&job, &a100_cluster(1), Plan::PLAIN).linear, flop / 271e12);
        let again = one(&job, &a100_cluster(1), Plan { recompute: Recompute::Full, ..Plan::PLAIN }).linear;
        close(again - one(&job, &a100_cluster(1), Plan::PLAIN).linear, 2.0 * 4096.0 * 32.0 * job.layer_dense / 271e12);
    }

    /// Fused attention: (1 + 2.5)·4·s²·h FLOP a layer at 0.55 of 271 TFLOP/s, heads of 128.
    #[test]
    fn fused_attention_of_one_sequence() {
        let job = Job { batch_seqs: 1.0, ..llama_7b() };
        close(one(&job, &a100_cluster(1), Plan::PLAIN).attention, 32.0 * 3.5 * 4.0 * 4096.0 * 4096.0 * 4096.0 / (0.55 * 271e12));
    }

    /// Four all-reduces of b·s·h 16-bit values per layer over 8 GPUs: 2·7/8·33.55 MB/230 GB/s each.
    #[test]
    fn tensor_parallel_traffic() {
        let job = Job { batch_seqs: 1.0, ..llama_7b() };
        let plan = Plan { tp: 8, sequence_parallel: true, ..Plan::PLAIN };
        close(one(&job, &a100_cluster(8), plan).tensor_comm, 32.0 * 4.0 * 2.0 * 7.0 / 8.0 * (2.0 * 4096.0 * 4096.0) / 230e9);
        // Over two machines of 8: 15/16 of the bytes as before inside, and half of an eighth between them.
        let two = Plan { tp: 16, ..plan };
        let per_message = 2.0 * (2.0 * 4096.0 * 4096.0) * (7.0 / 8.0 / 230e9 + 0.5 / 8.0 / 10.6e9) + 2.0 * 5e-6;
        close(one(&job, &a100_cluster(16), two).tensor_comm, 32.0 * 4.0 * per_message);
    }

    /// Keys and values of s/c tokens travel c − 1 times forward, twice that backward; all of it is waited for here.
    #[test]
    fn context_parallel_traffic() {
        let job = Job { batch_seqs: 1.0, seq: 8192.0, ..llama_7b() };
        let plan = Plan { cp: 4, ..Plan::PLAIN };
        let bytes = 2.0 * 2.0 * 2048.0 * 4096.0;
        let stack = Stack { context_exposed: 1e-15, ..ideal() };
        let waited = 32.0 * 3.0 * 3.0 * bytes / 230e9;
        close(step(&job, &a100_cluster(4), &plan, &stack, Overlap::None, 0.5).context_comm, waited);
        // Attention takes longer than the traffic: behind all of it, nothing is waited for.
        let hiding = Stack { context_window: 1.0, ..stack };
        assert!(step(&job, &a100_cluster(4), &plan, &hiding, Overlap::None, 0.5).context_comm < 1e-9);
    }

    /// 8 experts over 8 GPUs, two a token: 7/8 of b·s·h·k values leave, four times a layer.
    #[test]
    fn tokens_travel_to_their_experts() {
        let dense = llama_7b();
        let job = Job { batch_seqs: 8.0, layer_dense: 67e6, layer_experts: 8.0 * 176e6, experts: 8.0, experts_per_token: 2.0, ..dense };
        let plan = Plan { dp: 8, ep: 8, ..Plan::PLAIN };
        close(one(&job, &a100_cluster(8), plan).expert_comm, 32.0 * 4.0 * 7.0 / 8.0 * (2.0 * 4096.0 * 4096.0 * 2.0) / 230e9);
        assert_eq!(one(&dense, &a100_cluster(8), Plan { dp: 8, ..Plan::PLAIN }).expert_comm, 0.0);
        // The published fault: all experts' work for every token. Two of eight are a quarter of it.
        let all = Job { experts_per_token: 8.0, ..job };
        let stack = Stack { expert_launch: 1e-15, routing_bytes: 1e-9, half_expert_width: 1e-9, grouped_slowdown: 1.0, ..ideal() };
        let cluster = Cluster { device: crate::model::Device { memory_bytes_per_s: 1e30, ..a100_cluster(8).device }, ..a100_cluster(8) };
        let seconds = |job: &Job| step(job, &cluster, &plan, &stack, Overlap::None, 0.5).experts;
        close(seconds(&all) / seconds(&job), 4.0);
    }

    /// DDP sends 2·(n−1)/n·2·N bytes; FSDP gathers twice and scatters once, 3·(n−1)/n·2·N, in every micro-batch.
    #[test]
    fn volumes_of_data_parallelism() {
        let job = Job { batch_seqs: 8.0, ..llama_7b() };
        let params = 32.0 * job.layer_dense + job.embedding();
        let ddp = one(&job, &a100_cluster(8), Plan { dp: 8, ..Plan::PLAIN });
        close(ddp.data_comm + ddp.hidden, 2.0 * 7.0 / 8.0 * 2.0 * params / 230e9);
        let full = one(&job, &a100_cluster(8), Plan { dp: 8, sharding: Sharding::Full, ..Plan::PLAIN });
        close(full.data_comm + full.hidden, 3.0 * 7.0 / 8.0 * 2.0 * params / 230e9);
        let twice = one(&Job { batch_seqs: 16.0, ..job }, &a100_cluster(8), Plan { dp: 8, sharding: Sharding::Full, ..Plan::PLAIN });
        close(twice.data_comm + twice.hidden, 2.0 * (full.data_comm + full.hidden));
        // Sharded inside the machine: the gathers stay there, between machines only an eighth of the gradients is reduced.
        let job = Job { batch_seqs: 16.0, ..job };
        let hybrid = one(&job, &a100_cluster(16), Plan { dp: 16, sharding: Sharding::Hybrid, ..Plan::PLAIN });
        let inside = 3.0 * 7.0 / 8.0 * 2.0 * params / 230e9;
        let between = 2.0 * 0.5 * 2.0 * params / 8.0 / 10.6e9;
        close(hybrid.data_comm + hybrid.hidden - 32.0 * 2.0 * 5e-6, inside + between);
    }

    /// Interleaving divides the bubble by the chunks: (p−1)/v of a stage.
    #[test]
    fn interleaving_shrinks_the_bubble() {
        let job = Job { batch_seqs: 64.0, ..gpt3_175b() };
        let plan = Plan { pp: 8, ..Plan::PLAIN };
        let bubble = |interleave: u32| one(&job, &a100_cluster(8), Plan { interleave, ..plan }).bubble;
        close(bubble(1) / bubble(4), 4.0);
    }

    /// Adapters on frozen weights: two passes in place of three, and gradients of the adapters alone.
    #[test]
    fn frozen_weights_have_no_gradients() {
        let job = Job { batch_seqs: 8.0, ..llama_7b() };
        let adapters = Job { states: crate::model::States { trained: 0.01, ..job.states }, ..job };
        let plan = Plan { dp: 8, ..Plan::PLAIN };
        let (all, few) = (one(&job, &a100_cluster(8), plan), one(&adapters, &a100_cluster(8), plan));
        close(few.linear / all.linear, 2.0 / 3.0);
        close((few.data_comm + few.hidden) / (all.data_comm + all.hidden), 0.01);
    }

    #[test]
    fn full_memory_costs_time() {
        let stack = Stack { pressure: 0.2, ..ideal() };
        let at = |share: f64| step(&llama_7b(), &a100_cluster(1), &Plan::PLAIN, &stack, Overlap::Realistic, share);
        assert_eq!(at(0.9).pressure, 0.0);
        close(at(1.0).total() / at(0.9).total(), 1.2);
    }

    #[test]
    fn the_bound_lies_below_every_step() {
        for (job, cluster) in [(llama_7b(), a100_cluster(64)), (gpt3_175b(), a100_cluster(512))] {
            for layout in crate::model::space::layouts(&job, &cluster, &crate::model::Limits::FREE) {
                let seconds =
                    step(&job, &cluster, &layout, &Stack::PRIOR, Overlap::Perfect, 0.5).total() / layout.step_seqs(job.batch_seqs);
                let largest = Plan { micro_batch: 64, ..layout };
                let layers = (job.layers / f64::from(layout.pp)).ceil();
                let bound = layers * layer_bound_s(&job, &cluster, &largest, &Stack::PRIOR) / 64.0 / f64::from(layout.dp);
                assert!(bound <= seconds, "{layout:?}: {bound} {seconds}");
            }
        }
    }
}
