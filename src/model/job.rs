//! What is to be trained.

/// Number format of the matrix multiplications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 16-bit brain float, mixed precision.
    Bf16,
    /// 16-bit float, mixed precision with loss scaling.
    Fp16,
    /// 8-bit float in the matrix multiplications, 16 bit elsewhere.
    Fp8,
    /// 32-bit floats everywhere (tf32 on tensor cores where there are any).
    Fp32,
}

impl Precision {
    /// Bytes of one weight, gradient or activation as it is stored and sent.
    pub const fn bytes(self) -> f64 {
        match self {
            Precision::Bf16 | Precision::Fp16 | Precision::Fp8 => 2.0,
            Precision::Fp32 => 4.0,
        }
    }
}

/// A dense decoder-only transformer and its training data. Counts are `f64` because they go into products only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// Parameters, embeddings included.
    pub params: f64,
    /// Layers, at least 1.
    pub layers: f64,
    /// Hidden size.
    pub hidden: f64,
    /// Attention heads.
    pub heads: f64,
    /// Key/value heads, at most `heads`.
    pub kv_heads: f64,
    /// Width of the MLP.
    pub ffn: f64,
    /// Vocabulary.
    pub vocab: f64,
    /// Tokens per sequence.
    pub seq: f64,
    /// Sequences per optimizer step over all GPUs, a whole number of at least 1.
    pub batch_seqs: f64,
    /// Tokens of the whole run.
    pub tokens: f64,
    /// Number format.
    pub precision: Precision,
    /// Whether attention runs in one kernel that never stores the s×s scores.
    pub fused_attention: bool,
}

impl Job {
    /// Parameters of the input and output embeddings, at most half of the model.
    pub fn embedding_params(&self) -> f64 {
        (2.0 * self.vocab * self.hidden).min(self.params / 2.0)
    }

    /// Parameters of one layer: what the embeddings leave, spread evenly. So the stated size counts, whatever the widths add up to.
    pub fn layer_params(&self) -> f64 {
        (self.params - self.embedding_params()) / self.layers
    }

    /// Tokens of one optimizer step.
    pub fn batch_tokens(&self) -> f64 {
        self.batch_seqs * self.seq
    }

    /// Optimizer steps of the run when a step takes `step_seqs` sequences, at least one.
    pub fn steps(&self, step_seqs: f64) -> f64 {
        (self.tokens / (step_seqs * self.seq)).ceil().max(1.0)
    }
}
