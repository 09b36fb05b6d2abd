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
    /// 4-bit float (nvfp4) in the matrix multiplications, 16 bit elsewhere.
    Fp4,
    /// 32-bit floats everywhere (tf32 on tensor cores where there are any).
    Fp32,
}

impl Precision {
    /// Bytes of one weight, gradient or activation as it is stored and sent.
    pub const fn bytes(self) -> f64 {
        match self {
            Precision::Fp32 => 4.0,
            _ => 2.0,
        }
    }

    /// Whether the matrix multiplications run in fewer than 16 bits.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Precision::Fp8 | Precision::Fp4)
    }
}

/// Bytes of training state per parameter, and what is trained at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct States {
    /// Bytes of a weight as it is multiplied: 2 at 16 bit, 1 and 0.5 where a frozen model is kept in 8 or 4 bits.
    pub weight: f64,
    /// Bytes of a gradient, per trained parameter.
    pub gradient: f64,
    /// Bytes of the optimizer's states, its fp32 weights included, per trained parameter.
    pub optimizer: f64,
    /// Trained parameters over all parameters: 1, or the share of the adapters.
    pub trained: f64,
}

impl States {
    /// Adam in mixed precision: 2 + 2 + 12 (Rajbhandari 2020, section 3.1).
    pub const ADAM: States = States { weight: 2.0, gradient: 2.0, optimizer: 12.0, trained: 1.0 };

    /// Adam in fp32: 4 + 4 + 8.
    pub const ADAM_FP32: States = States { weight: 4.0, gradient: 4.0, optimizer: 8.0, trained: 1.0 };

    /// Whether the model's own weights are frozen: their gradients are not computed.
    pub fn frozen(&self) -> bool {
        self.trained < 1.0
    }

    /// Bytes per parameter of the model: weights, gradients, optimizer. Adapters have 16-bit weights of their own.
    pub fn per_param(&self) -> (f64, f64, f64) {
        let adapters = if self.frozen() { 2.0 * self.trained } else { 0.0 };
        (self.weight + adapters, self.gradient * self.trained, self.optimizer * self.trained)
    }
}

/// A decoder-only transformer and its training data. Counts are `f64` because they go into products only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// Parameters, embeddings and all experts included.
    pub params: f64,
    /// Layers, at least 1.
    pub layers: f64,
    /// Hidden size.
    pub hidden: f64,
    /// Attention heads.
    pub heads: f64,
    /// Key/value heads, at most `heads`.
    pub kv_heads: f64,
    /// Width of the MLP, or of one expert.
    pub ffn: f64,
    /// Matrices of the MLP: 3 where it is gated, else 2.
    pub mlp_matrices: f64,
    /// Vocabulary.
    pub vocab: f64,
    /// Parameters of one layer that every token passes.
    pub layer_dense: f64,
    /// Parameters of all experts of one layer; 0 without experts.
    pub layer_experts: f64,
    /// Experts per layer; 1 without.
    pub experts: f64,
    /// Experts that a token passes; 1 without.
    pub experts_per_token: f64,
    /// Tokens per sequence.
    pub seq: f64,
    /// Sequences per optimizer step over all GPUs, at least 1.
    pub batch_seqs: f64,
    /// Tokens of the whole run.
    pub tokens: f64,
    /// Number format.
    pub precision: Precision,
    /// Whether attention runs in one kernel that never stores the s×s scores.
    pub fused_attention: bool,
    /// Whether the model is compiled.
    pub compiled: bool,
    /// Bytes of training state.
    pub states: States,
}

impl Job {
    /// Parameters of one layer, all experts counted.
    pub fn layer_params(&self) -> f64 {
        self.layer_dense + self.layer_experts
    }

    /// Parameters of one layer that a token passes.
    pub fn layer_active(&self) -> f64 {
        self.layer_dense + self.layer_experts_active()
    }

    /// Parameters of the experts of one layer that a token passes.
    pub fn layer_experts_active(&self) -> f64 {
        self.layer_experts * self.experts_per_token / self.experts
    }

    /// Parameters of the embedding at one end of the model. What the layers leave, if that is less: small models share theirs.
    pub fn embedding(&self) -> f64 {
        (self.vocab * self.hidden).min((self.params - self.layers * self.layer_params()).max(0.0))
    }

    /// Parameters that a token passes.
    pub fn active_params(&self) -> f64 {
        self.params - self.layers * (self.layer_experts - self.layer_experts_active())
    }

    /// Whether the model is a mixture of experts.
    pub fn has_experts(&self) -> bool {
        self.layer_experts > 0.0
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
