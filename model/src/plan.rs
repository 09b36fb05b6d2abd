//! How the work is laid out over the GPUs.

/// What of the training state is split over the data-parallel ranks (Rajbhandari 2020).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharding {
    /// Nothing: every rank holds all states (DDP).
    None,
    /// Optimizer states.
    Zero1,
    /// Optimizer states and gradients.
    Zero2,
    /// All of it inside a machine, copies between machines (HSDP).
    Hybrid,
    /// Optimizer states, gradients and weights (ZeRO-3, FSDP).
    Full,
}

impl Sharding {
    /// Every kind, the simplest first.
    pub const ALL: [Sharding; 5] = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Hybrid, Sharding::Full];

    /// Whether the weights are gathered layer by layer.
    pub const fn gathers_weights(self) -> bool {
        matches!(self, Sharding::Hybrid | Sharding::Full)
    }

    /// Stable key.
    pub const fn key(self) -> &'static str {
        match self {
            Sharding::None => "ddp",
            Sharding::Zero1 => "zero1",
            Sharding::Zero2 => "zero2",
            Sharding::Hybrid => "hsdp",
            Sharding::Full => "fsdp",
        }
    }
}

/// Which activations are computed again in the backward pass (Korthikanti 2022).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recompute {
    /// None: all are kept.
    None,
    /// The attention, and what else is cheap.
    Selective,
    /// Whole layers: only their inputs are kept.
    Full,
}

impl Recompute {
    /// Every kind, the cheapest in time first.
    pub const ALL: [Recompute; 3] = [Recompute::None, Recompute::Selective, Recompute::Full];

    /// Stable key.
    pub const fn key(self) -> &'static str {
        match self {
            Recompute::None => "none",
            Recompute::Selective => "selective",
            Recompute::Full => "full",
        }
    }
}

/// A layout. It uses `tp · pp · cp · dp` GPUs; the experts are spread over `ep` of the `cp · dp` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Tensor-parallel degree: GPUs that share each matrix.
    pub tp: u32,
    /// Whether they share the sequence between the matrices as well.
    pub sequence_parallel: bool,
    /// Pipeline stages.
    pub pp: u32,
    /// Chunks of layers per stage (interleaved schedule); 1 for the plain one.
    pub interleave: u32,
    /// Context-parallel degree: GPUs that share each sequence.
    pub cp: u32,
    /// Expert-parallel degree: ranks over which the experts of a layer are spread.
    pub ep: u32,
    /// Data-parallel copies.
    pub dp: u32,
    /// Sequences per micro-batch and copy.
    pub micro_batch: u32,
    /// What is split over the copies.
    pub sharding: Sharding,
    /// What is computed again.
    pub recompute: Recompute,
}

impl Plan {
    /// One GPU, one sequence at a time, nothing split, nothing computed again.
    pub const PLAIN: Plan = Plan {
        tp: 1,
        sequence_parallel: false,
        pp: 1,
        interleave: 1,
        cp: 1,
        ep: 1,
        dp: 1,
        micro_batch: 1,
        sharding: Sharding::None,
        recompute: Recompute::None,
    };

    /// GPUs that the plan puts to work.
    pub const fn gpus(&self) -> u32 {
        self.tp * self.pp * self.cp * self.dp
    }

    /// Ranks that hold the same weights: copies, and those that share a sequence.
    pub const fn replicas(&self) -> u32 {
        self.cp * self.dp
    }

    /// Sequences per step and copy: the batch in equal shares, at least one sequence each. Nobody trains with copies that idle for want
    /// of a divisible batch; the batch is chosen to suit.
    pub fn seqs_per_copy(&self, batch_seqs: f64) -> f64 {
        (batch_seqs / f64::from(self.dp)).round().max(1.0)
    }

    /// Sequences of a step, as near to `batch_seqs` as equal shares allow.
    pub fn step_seqs(&self, batch_seqs: f64) -> f64 {
        self.seqs_per_copy(batch_seqs) * f64::from(self.dp)
    }

    /// Micro-batches per step and copy, the last perhaps partly filled: m = ⌈B/(d·b)⌉.
    pub fn micro_batches(&self, batch_seqs: f64) -> f64 {
        (self.seqs_per_copy(batch_seqs) / f64::from(self.micro_batch)).ceil()
    }

    /// Sorts plans of the same time: fewer kinds of parallelism first, then less splitting, less recomputation, larger micro-batches.
    pub fn complexity(&self) -> (u32, u32, u32, u32, Sharding, Recompute, u32) {
        let kinds = [self.tp, self.pp, self.cp, self.ep, self.dp].iter().map(|&degree| u32::from(degree > 1)).sum();
        (kinds, self.pp, self.tp, self.cp * self.ep * self.interleave, self.sharding, self.recompute, u32::MAX - self.micro_batch)
    }
}
