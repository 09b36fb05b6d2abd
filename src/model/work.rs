//! Floating-point operations of a transformer (Narayanan 2021, section 5.1; Kaplan 2020 for the rule 6·P·D).

use super::job::Job;
use super::plan::Recompute;

/// The rule of thumb: 2 FLOP per parameter and token forward, 4 backward.
pub fn rule_of_thumb_flop(params: f64, tokens: f64) -> f64 {
    6.0 * params * tokens
}

/// FLOP of one forward pass of one layer over one sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerWork {
    /// Matrix multiplications with weights: 2 per parameter and token.
    pub linear_flop: f64,
    /// Attention scores and their product with the values over the full s×s square: 4·s²·h.
    pub attention_flop: f64,
}

/// Work of one layer and one sequence, forward.
pub fn layer(job: &Job) -> LayerWork {
    LayerWork { linear_flop: 2.0 * job.layer_params() * job.seq, attention_flop: 4.0 * job.seq * job.seq * job.hidden }
}

/// FLOP of the logits of one sequence, forward: 2·s·h·V.
pub fn head_flop(job: &Job) -> f64 {
    2.0 * job.seq * job.hidden * job.vocab
}

/// Model FLOP of a step of `seqs` sequences, forward and backward, without recomputation; of the causal square only the lower half counts.
pub fn model_flop(job: &Job, seqs: f64) -> f64 {
    let layer = layer(job);
    3.0 * seqs * (job.layers * (layer.linear_flop + layer.attention_flop / 2.0) + head_flop(job))
}

/// Forward passes that one forward and backward pass of the weights' multiplications amounts to.
pub fn linear_passes(recompute: Recompute) -> f64 {
    match recompute {
        Recompute::None | Recompute::Selective => 3.0,
        Recompute::Full => 4.0,
    }
}

/// The same for attention, which selective recomputation runs again as well.
pub fn attention_passes(recompute: Recompute) -> f64 {
    match recompute {
        Recompute::None => 3.0,
        Recompute::Selective | Recompute::Full => 4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::llama_7b;

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
}
