//! Time of one optimizer step, part by part.
//!
//! A closed form whose constants are the [`Stack`]'s, fitted to measured runs. Symbols as in the field: `b` sequences per micro-batch, `s`
//! tokens per sequence, `h` hidden size, `t`, `p`, `c`, `e`, `d` the degrees of the plan, `m` micro-batches, `L` layers.

use super::cluster::Cluster;
use super::frame::Frame;
use super::job::Job;
use super::layer::layer;
use super::plan::Plan;
use super::stack::{Overlap, PRESSURE_FROM, PRESSURE_OVER, Stack};

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

/// Time of one step of `job` on `cluster` under `plan`, which fills `memory_share` of the memory.
pub fn step(job: &Job, cluster: &Cluster, plan: &Plan, stack: &Stack, overlap: Overlap, memory_share: f64) -> Step {
    let layer = layer(job, cluster, plan, stack);
    let frame = Frame::new(job, cluster, plan, stack, overlap);
    let around = frame.around(plan, layer.total());
    let micro_batches = frame.micro_batches(plan);
    let layers = micro_batches * frame.stage_layers();
    let mut step = Step {
        linear: layers * layer.linear + around.logits,
        experts: layers * layer.experts,
        attention: layers * layer.attention,
        elementwise: layers * layer.elementwise + around.loss,
        overhead: layers * layer.overhead + micro_batches * stack.micro_batch_fixed,
        tensor_comm: layers * layer.tensor_comm,
        context_comm: layers * layer.context_comm,
        expert_comm: layers * layer.expert_comm,
        pipeline_comm: around.pipeline_comm,
        data_comm: around.data_comm,
        bubble: around.bubble,
        optimizer: around.optimizer,
        pressure: 0.0,
        hidden: around.hidden,
    };
    step.pressure = step.total() * pressure_share(stack, memory_share);
    step
}

/// What full memory adds to a step, as a share of it.
pub fn pressure_share(stack: &Stack, memory_share: f64) -> f64 {
    stack.pressure * ((memory_share - PRESSURE_FROM) / PRESSURE_OVER).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::layer_bound_s;
    use crate::plan::{Recompute, Sharding};
    use crate::testing::{a100_cluster, gpt3_175b, llama_7b};

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
    fn recomputation_that_stops_early_leaves_out_the_last_matrix() {
        let (job, cluster) = (llama_7b(), a100_cluster(8));
        let plan = Plan { dp: 8, sharding: Sharding::Full, recompute: Recompute::Full, ..Plan::PLAIN };
        let linear = |recompute_stop| layer(&job, &cluster, &plan, &Stack { recompute_stop, ..ideal() }).linear;
        // Of four forward passes, one without the MLP's last matrix, f·h of the layer's parameters.
        let left_out = job.ffn * job.hidden / job.layer_dense;
        close(linear(1.0) / linear(1e-15), (4.0 - left_out) / 4.0);
    }

    #[test]
    fn scores_that_do_not_suit_the_fused_softmax_cost_launches() {
        let job = Job { fused_attention: false, heads: 16.0, ..llama_7b() };
        let cluster = a100_cluster(8);
        // The host alone counts: nothing computes as long as it takes to start.
        let cost = |micro_batch, seq| {
            let plan = Plan { tp: 8, micro_batch, ..Plan::PLAIN };
            let host = |softmax_launch| {
                let stack = Stack { launch: 100.0, host_overlap: 100.0, softmax_launch, ..ideal() };
                layer(&Job { seq, ..job }, &cluster, &plan, &stack).total()
            };
            host(10.0) - host(1e-15)
        };
        // Two heads a rank: one sequence has two planes of scores, two sequences four. Two walks through the layer.
        close(cost(1, 4096.0), 20.0);
        assert_eq!(cost(2, 4096.0), 0.0);
        // Longer ones never suit it.
        close(cost(2, 8192.0), 20.0);
    }

    #[test]
    fn gradients_that_hide_slow_the_computing() {
        let (job, cluster) = (llama_7b(), a100_cluster(8));
        let plan = Plan { dp: 8, sharding: Sharding::Zero1, ..Plan::PLAIN };
        let at = |shard_slowdown| {
            let stack = Stack { data_window: 1.0, shard_slowdown, ..ideal() };
            step(&job, &cluster, &plan, &stack, Overlap::Realistic, 0.5)
        };
        let (free, slowed) = (at(1e-15), at(0.25));
        // All of it hides; a quarter of its time is lost.
        close(slowed.data_comm, 0.25 * (free.hidden + free.data_comm));
    }

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
        // An interleaved pipeline hides its share of them; a plain one hides nothing.
        let cluster = a100_cluster(16);
        let stack = Stack { expert_exposed: 0.25, ..ideal() };
        let waited = |interleave| step(&job, &cluster, &Plan { pp: 2, interleave, ..plan }, &stack, Overlap::None, 0.5).expert_comm;
        close(waited(1), 16.0 * 4.0 * 7.0 / 8.0 * (2.0 * 4096.0 * 4096.0 * 2.0) / 230e9);
        close(waited(4), 0.25 * waited(1));
        // The published fault: all experts' work for every token. Two of eight are a quarter of it.
        let all = Job { experts_per_token: 8.0, ..job };
        let stack = Stack { expert_launch: 1e-15, routing_bytes: 1e-9, half_expert_width: 1e-9, grouped_slowdown: 1.0, ..ideal() };
        let cluster = Cluster { device: crate::Device { memory_bytes_per_s: 1e30, ..a100_cluster(8).device }, ..a100_cluster(8) };
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
        let adapters = Job { states: crate::States { trained: 0.01, ..job.states }, ..job };
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
            for layout in crate::space::layouts(&job, &cluster, &crate::Limits::FREE) {
                let seconds =
                    step(&job, &cluster, &layout, &Stack::PRIOR, Overlap::Perfect, 0.5).total() / layout.step_seqs(job.batch_seqs);
                let largest = Plan { micro_batch: 64, ..layout };
                let frame = Frame::new(&job, &cluster, &layout, &Stack::PRIOR, Overlap::Perfect);
                let layer_s = layer_bound_s(&job, &cluster, &largest, &Stack::PRIOR) / 64.0;
                let bound = frame.below_s(layer_s, 8.0, 64.0) / layout.step_seqs(job.batch_seqs);
                assert!(bound <= seconds, "{layout:?}: {bound} {seconds}");
            }
        }
    }
}
