//! Floating-point operations of a transformer (Narayanan 2021, section 5.1; Kaplan 2020 for the rule 6·P·D).

use super::job::Job;

/// The rule of thumb: 2 FLOP per parameter that a token passes forward, 4 backward.
pub fn rule_of_thumb_flop(active_params: f64, tokens: f64) -> f64 {
    6.0 * active_params * tokens
}

/// FLOP of one forward pass of one layer over one sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerWork {
    /// Matrix multiplications with weights: 2 per parameter that a token passes.
    pub linear_flop: f64,
    /// Attention scores and their product with the values over the full s×s square: 4·s²·h.
    pub attention_flop: f64,
}

/// Work of one layer and one sequence, forward.
pub fn layer(job: &Job) -> LayerWork {
    LayerWork { linear_flop: 2.0 * job.layer_active() * job.seq, attention_flop: 4.0 * job.seq * job.seq * job.hidden }
}

/// FLOP of the logits of one sequence, forward: 2·s·h·V.
pub fn head_flop(job: &Job) -> f64 {
    2.0 * job.seq * job.hidden * job.vocab
}

/// Passes of a step in units of a forward pass, without recomputation: 3, or 2 where the weights are frozen and have no gradients.
pub fn passes(job: &Job) -> f64 {
    if job.states.frozen() { 2.0 } else { 3.0 }
}

/// Model FLOP of a step of `seqs` sequences, forward and backward, without recomputation; of the causal square only the lower half counts.
pub fn model_flop(job: &Job, seqs: f64) -> f64 {
    let layer = layer(job);
    let linear = passes(job) * (job.layers * layer.linear_flop + head_flop(job));
    seqs * (linear + 3.0 * job.layers * layer.attention_flop / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::llama_7b;

    #[test]
    fn seven_billion_parameters_a_trillion_tokens() {
        assert_eq!(rule_of_thumb_flop(7e9, 1e12), 4.2e22);
    }

    #[test]
    fn the_full_count_lies_a_little_above_the_rule() {
        let job = llama_7b();
        let rule = rule_of_thumb_flop(job.params, job.batch_tokens());
        let full = model_flop(&job, job.batch_seqs);
        // Attention at 4,096 tokens adds 6·s·h·L·D; the input embedding multiplies nothing.
        assert!(full > 1.02 * rule && full < 1.2 * rule, "{}", full / rule);
    }

    #[test]
    fn attention_traffic_grows_with_the_sequence_not_with_the_width_squared() {
        let job = llama_7b();
        let double = Job { seq: 2.0 * job.seq, ..job };
        assert_eq!(layer(&double).attention_flop, 4.0 * layer(&job).attention_flop);
    }

    /// The published fault: a mixture of experts priced as dense. Two of eight experts are a quarter of their work.
    #[test]
    fn a_token_passes_its_own_experts_only() {
        let dense = llama_7b();
        let experts = Job { layer_dense: 67e6, layer_experts: 8.0 * 176e6, experts: 8.0, experts_per_token: 2.0, ..dense };
        assert_eq!(experts.layer_active(), 67e6 + 2.0 * 176e6);
        assert_eq!(layer(&experts).linear_flop, 2.0 * dense.seq * (67e6 + 352e6));
    }
}
