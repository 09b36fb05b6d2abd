//! What stands around the layers of a step: the logits, the pipeline, gradients and shards, the optimizer. Everything that plans with the same
//! degrees share is worked out once.

use super::cluster::Cluster;
use super::job::Job;
use super::layer::{sequence_share, wide_flop_per_s};
use super::plan::{Plan, Sharding};
use super::stack::{Overlap, Stack};
use super::work;

/// Of the time of a stage, the backward pass; gradients hide behind it.
const BACKWARD_SHARE: f64 = 0.65;

/// The frame of all plans with the same tensor, pipeline, context, data and expert degrees.
pub struct Frame<'a> {
    stack: &'a Stack,
    overlap: Overlap,
    /// Layers of the heaviest stage.
    stage_layers: f64,
    /// Pipeline stages.
    stages: f64,
    /// Sequences of a step and copy.
    per_copy: f64,
    /// Parameters on one rank, the embedding included.
    params: f64,
    /// Of those, the ones that are trained.
    trained: f64,
    /// Seconds of the logits per sequence of a micro-batch.
    logits_s: f64,
    /// Seconds of the loss per sequence of a micro-batch.
    loss_s: f64,
    /// Seconds of a message between stages: beside its bytes, and per sequence of a micro-batch.
    message_s: (f64, f64),
    /// Bytes per second of memory.
    memory_bytes_per_s: f64,
    replicas: Replicas,
}

/// How the ranks that hold the same weights reach each other.
struct Replicas {
    ranks: f64,
    /// Ranks of one machine.
    inside: f64,
    /// Seconds per byte of a reduce-scatter or all-gather over all of them.
    scatter: f64,
    /// The same over those of one machine.
    scatter_inside: f64,
    /// Seconds that starting a collective takes.
    latency_s: f64,
    /// Seconds of the messages between machines.
    hops_s: f64,
}

/// Seconds of a step beside its layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around {
    /// Logits.
    pub logits: f64,
    /// The loss.
    pub loss: f64,
    /// Messages between stages.
    pub pipeline_comm: f64,
    /// Stages that wait.
    pub bubble: f64,
    /// Gradients and shards that are waited for.
    pub data_comm: f64,
    /// Gradients and shards that travel under the computing.
    pub hidden: f64,
    /// The optimizer's pass.
    pub optimizer: f64,
}

impl<'a> Frame<'a> {
    /// The frame of a plan and of all that differ from it in schedule, sharding, micro-batch and recomputation alone.
    pub fn new(job: &Job, cluster: &Cluster, plan: &Plan, stack: &'a Stack, overlap: Overlap) -> Frame<'a> {
        let (tp, pp) = (f64::from(plan.tp), f64::from(plan.pp));
        let stage_layers = (job.layers / pp).ceil();
        let tokens = job.seq / f64::from(plan.cp);
        // The last stage has logits and loss besides its layers. Logits are always multiplied in the wide format.
        let weight = if plan.pp > 1 { stack.loss_stage } else { 1.0 };
        let dense = stage_layers * job.layer_dense / tp + job.embedding() / tp;
        let params = dense + stage_layers * job.layer_experts / tp / f64::from(plan.ep);
        let ranks = plan.replicas();
        let group = cluster.replicas(ranks, plan.tp);
        let (inner, outer) = (stack.data_share, stack.data_share_outer);
        // Once the stages reach beyond a machine, some border lies between two, and the pipeline runs at its pace.
        let (link, between) = if plan.gpus() > cluster.per_machine { (cluster.outer, true) } else { (cluster.inner, false) };
        let bytes = job.precision.bytes() * tokens * job.hidden * sequence_share(plan);
        Frame {
            stack,
            overlap,
            stage_layers,
            stages: pp,
            per_copy: plan.seqs_per_copy(job.batch_seqs),
            params,
            trained: job.states.trained,
            logits_s: 2.0 * work::passes(job) * tokens * job.vocab * job.hidden / tp / wide_flop_per_s(cluster, stack) * weight,
            loss_s: stack.loss_bytes * tokens * job.vocab / tp / cluster.device.memory_bytes_per_s * weight,
            message_s: (
                stack.pipeline_latency + if between { link.latency_s } else { 0.0 },
                bytes / (stack.pipeline_share * link.bytes_per_s),
            ),
            memory_bytes_per_s: cluster.device.memory_bytes_per_s,
            replicas: Replicas {
                ranks: f64::from(ranks),
                inside: group.inside,
                scatter: group.scatter_s_per_byte(inner, outer),
                scatter_inside: group.inside_only().scatter_s_per_byte(inner, outer),
                latency_s: stack.data_latency + stack.data_latency_rank * (f64::from(ranks) - 1.0),
                hops_s: group.hops_s(),
            },
        }
    }

    /// Layers of the heaviest stage.
    pub fn stage_layers(&self) -> f64 {
        self.stage_layers
    }

    /// Micro-batches of a step and copy.
    pub fn micro_batches(&self, plan: &Plan) -> f64 {
        (self.per_copy / f64::from(plan.micro_batch)).ceil()
    }

    /// What stands around layers that take `layer_s` seconds each per micro-batch.
    pub fn around(&self, plan: &Plan, layer_s: f64) -> Around {
        let (stack, micro_batches, size) = (self.stack, self.micro_batches(plan), f64::from(plan.micro_batch));
        let layers_s = self.stage_layers * layer_s;
        let (pipeline_comm, bubble) = if plan.pp > 1 {
            let chunks = f64::from(plan.interleave);
            let message = self.message_s.0 + self.message_s.1 * size;
            // What the other stages add while the pipeline fills and drains: (p−1)/v of a stage.
            let waits = self.stages - 1.0;
            (2.0 * (micro_batches + waits) * chunks * message, stack.bubble * waits / chunks * layers_s)
        } else {
            (0.0, 0.0)
        };
        let (logits, loss) = (size * self.logits_s, size * self.loss_s);
        let (data_comm, hidden) = self.data_parallel(plan, micro_batches, layers_s, logits + loss);
        let shard = match plan.sharding {
            Sharding::None => 1.0,
            Sharding::Hybrid => self.replicas.inside,
            _ => self.replicas.ranks,
        };
        let updated = self.params * self.trained;
        let optimizer = (stack.optimizer_bytes / shard + stack.cast_bytes) * updated / self.memory_bytes_per_s + stack.step_fixed;
        Around { logits: micro_batches * logits, loss: micro_batches * loss, pipeline_comm, bubble, data_comm, hidden, optimizer }
    }

    /// Seconds of a step whose layers take `layer_s` each per micro-batch, before what full memory costs.
    pub fn total_s(&self, plan: &Plan, layer_s: f64) -> f64 {
        let around = self.around(plan, layer_s);
        let micro_batches = self.micro_batches(plan);
        micro_batches * (self.stage_layers * layer_s + self.stack.micro_batch_fixed)
            + around.logits
            + around.loss
            + around.pipeline_comm
            + around.bubble
            + around.data_comm
            + around.optimizer
    }

    /// Seconds of gradients and shards that are waited for, and that hide.
    fn data_parallel(&self, plan: &Plan, micro_batches: f64, layers_s: f64, head_s: f64) -> (f64, f64) {
        let Replicas { ranks, scatter, scatter_inside, latency_s, hops_s, .. } = self.replicas;
        if ranks <= 1.0 {
            return (0.0, 0.0);
        }
        let stack = self.stack;
        let gradient_bytes = stack.gradient_bytes * self.params * self.trained;
        if !plan.sharding.gathers_weights() {
            // One all-reduce; ZeRO-1 and -2 split it into a reduce-scatter of gradients and an all-gather of weights.
            let all = 2.0 * scatter * gradient_bytes + latency_s + 2.0 * hops_s;
            let window = self.overlap.share(stack.data_window) * BACKWARD_SHARE * layers_s;
            let slowed = stack.shard_slowdown * all.min(window);
            let exposed = ((all - window).max(0.0) + slowed + stack.data_tail * all / self.stage_layers).min(all);
            return (exposed, all - exposed);
        }
        // Weights gathered forward and again backward, gradients scattered, in every micro-batch, layer by layer.
        let (gather, scatter, hops) = match plan.sharding {
            // Inside the machine a scatter, between machines an all-reduce of each rank's part.
            Sharding::Hybrid => (scatter_inside, 2.0 * (scatter - scatter_inside) + scatter_inside, 2.0 * hops_s),
            _ => (scatter, scatter, 3.0 * hops_s),
        };
        let bytes_s = 2.0 * 2.0 * self.params * gather + gradient_bytes * scatter;
        let all = micro_batches * (bytes_s + self.stage_layers * (3.0 * latency_s + hops));
        let compute = micro_batches * (layers_s + head_s);
        let unhidden = (all - self.overlap.share(stack.shard_window) * compute).max(0.0);
        let slowed = stack.shard_slowdown * all.min(compute);
        let exposed = (unhidden + slowed + all / self.stage_layers / micro_batches).min(all);
        (exposed, all - exposed)
    }

    /// A bound below the seconds of a step of every plan of this frame: its layers take at least `layer_s` per sequence, it has at most
    /// `chunks` chunks a stage and `largest` sequences a micro-batch.
    pub fn below_s(&self, layer_s: f64, chunks: f64, largest: f64) -> f64 {
        let stack = self.stack;
        let layers_s = self.per_copy * self.stage_layers * layer_s;
        let head_s = self.per_copy * (self.logits_s + self.loss_s);
        let fewest = (self.per_copy / largest).ceil();
        let (pipeline_s, filling) = if self.stages > 1.0 {
            let waits = self.stages - 1.0;
            (
                2.0 * ((fewest + waits) * self.message_s.0 + self.per_copy * self.message_s.1),
                stack.bubble * waits / (self.per_copy * chunks),
            )
        } else {
            (0.0, 0.0)
        };
        let data_s = if self.replicas.ranks > 1.0 {
            // An all-reduce of gradients, or two gathers of 16-bit weights and a scatter.
            let gradient = stack.gradient_bytes * self.trained;
            (2.0 * gradient).min(4.0 + gradient) * self.params * self.replicas.scatter
                + self.replicas.latency_s
                + 2.0 * self.replicas.hops_s
        } else {
            0.0
        };
        let window = (self.overlap.share(stack.data_window) * BACKWARD_SHARE).max(self.overlap.share(stack.shard_window)).min(1.0);
        // What is exposed shrinks by less than the layers' time grows, so that a bound of that gives a bound of this.
        let exposed_s = (data_s - window * (layers_s + head_s)).max(0.0);
        layers_s * (1.0 + filling) + head_s + pipeline_s + exposed_s + fewest * stack.micro_batch_fixed + stack.step_fixed
    }
}
