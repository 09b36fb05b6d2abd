//! What a software stack makes of the hardware: the few constants that are fitted to measured runs.

/// How much of the communication of gradients and shards hides behind computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// None: all of it is waited for.
    None,
    /// What the stack reaches in practice.
    Realistic,
    /// All that fits into the backward pass.
    Perfect,
}

/// Constants of one software stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stack {
    /// Share of the best matrix multiplication that large layers reach.
    pub matmul_ceiling: f64,
    /// Forward GFLOP per layer, GPU and micro-batch at which half the ceiling is reached.
    pub half_gflop: f64,
    /// Rate of fused attention against the matrix multiplications', counting the full s×s square.
    pub fused_attention_rate: f64,
    /// Passes over memory per layer and token beside the matrix multiplications, in values of width h.
    pub elementwise_values: f64,
    /// Passes over the s×s scores of unfused attention, in bytes per head and pair of tokens.
    pub score_bytes: f64,
    /// Launch overhead of one layer, forward, seconds.
    pub layer_overhead_s: f64,
    /// Share of the backward pass behind which communication hides.
    pub overlap: f64,
    /// Bytes of one gradient bucket.
    pub bucket_bytes: f64,
    /// Context, libraries, fragmentation, bytes.
    pub reserved_bytes: f64,
    /// Fixed seconds of an optimizer step.
    pub step_overhead_s: f64,
}

impl Overlap {
    /// Share of the backward window that hides communication.
    pub fn share(self, stack: &Stack) -> f64 {
        match self {
            Overlap::None => 0.0,
            Overlap::Realistic => stack.overlap,
            Overlap::Perfect => 1.0,
        }
    }
}
