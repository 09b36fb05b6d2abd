//! How far a larger batch still helps: past the critical batch size it saves few steps and costs many tokens.
//!
//! To one and the same loss: steps S = S_min·(1 + B_crit/B), tokens E = E_min·(1 + B/B_crit) (McCandlish 2018,
//! <https://arxiv.org/abs/1812.06162>, equation 2.11). Batches are in tokens throughout.

/// B* of B_crit = B*/L^(1/α_B), tokens (Kaplan 2020, <https://arxiv.org/abs/2001.08361>, equation 1.4).
pub const KAPLAN_BATCH_TOKENS: f64 = 2e8;

/// α_B of the same equation; L is the loss in nats per token.
pub const KAPLAN_EXPONENT: f64 = 0.21;

/// Sequences of the batch of Zhang 2024 at a million training tokens, <https://arxiv.org/abs/2410.21676>. (Quoted elsewhere with billions: the
/// authors' own runs, in the test below, rule that out.)
pub const ZHANG_SEQS_AT_MILLION: f64 = 22.91;

/// Exponent of the training tokens in the same law.
pub const ZHANG_EXPONENT: f64 = 0.47;

/// Tokens per sequence in the runs behind that law.
pub const ZHANG_SEQ_TOKENS: f64 = 512.0;

/// Share of extra steps over linear scaling that defines the batch of that law.
pub const ZHANG_OVERHEAD: f64 = 0.2;

/// Ratios of batch sizes are held inside this, so that every factor stays finite.
const WIDEST: f64 = 1e100;

fn ratio(of: f64, over: f64) -> f64 {
    (of / over.max(f64::MIN_POSITIVE)).clamp(0.0, WIDEST)
}

/// Steps to the same loss over the fewest possible ones: 1 + B_crit/B.
pub fn steps_factor(batch_tokens: f64, critical_tokens: f64) -> f64 {
    1.0 + ratio(critical_tokens, batch_tokens)
}

/// Tokens to the same loss over the fewest possible ones: 1 + B/B_crit. At the critical batch it is twice as many.
pub fn tokens_factor(batch_tokens: f64, critical_tokens: f64) -> f64 {
    1.0 + ratio(batch_tokens, critical_tokens)
}

/// A training with another batch, to the same loss, against one with a reference batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rescaled {
    /// Tokens over those of the reference: what the other batch costs.
    pub tokens_factor: f64,
    /// Steps over those of the reference: what it saves.
    pub steps_factor: f64,
}

/// Batch `batch_tokens` in place of `reference_tokens`, the one that the token count of a recipe was found with:
/// (1 + B/B_crit)/(1 + B_ref/B_crit) times the tokens, and that times B_ref/B the steps. Below the critical batch both follow the machines.
pub fn rescale(batch_tokens: f64, reference_tokens: f64, critical_tokens: f64) -> Rescaled {
    Rescaled {
        tokens_factor: tokens_factor(batch_tokens, critical_tokens) / tokens_factor(reference_tokens, critical_tokens),
        steps_factor: steps_factor(batch_tokens, critical_tokens) / steps_factor(reference_tokens, critical_tokens),
    }
}

/// The largest batch that needs at most `extra` more tokens than a very small one (0.2 for 20 %): `extra`·B_crit.
pub fn batch_for_extra(extra: f64, critical_tokens: f64) -> f64 {
    (extra.max(0.0) * critical_tokens).min(f64::MAX)
}

/// B_crit in tokens at a loss in nats per token: B*/L^(1/α_B) (Kaplan 2020, equation 1.4). It grows as training gets on; the loss at the end
/// of the run gives an upper bound for the whole run. Found with losses of about 2 to 5 on WebText2; the loss is held to 0.1 and above.
pub fn kaplan_tokens(loss: f64) -> f64 {
    KAPLAN_BATCH_TOKENS / loss.max(0.1).powf(1.0 / KAPLAN_EXPONENT)
}

/// Batch in tokens with 20 % more steps than linear scaling, by the tokens of the whole run and nearly regardless of the parameters:
/// 22.91 sequences · (D/10⁶)^0.47, of 512 tokens each (Zhang 2024). Found for 85 million to 1.2 billion parameters and up to 25 billion tokens.
pub fn zhang_tokens(train_tokens: f64) -> f64 {
    ZHANG_SEQS_AT_MILLION * ZHANG_SEQ_TOKENS * (train_tokens.max(1.0) / 1e6).powf(ZHANG_EXPONENT)
}

/// The batch of Zhang 2024 brought to the definition of McCandlish 2018, where B_crit doubles the tokens. Against linear scaling from a small
/// batch the steps rise by B/B_crit, which is 0.2 at the batch of that law: B_crit is five times as large. Our derivation, no figure of theirs; on
/// their runs of 1.2 billion parameters it meets the measured tokens within 10 % (test below), on those of 85 million up to 36 % are
/// missing (at 64 times the reference batch).
pub fn zhang_critical_tokens(train_tokens: f64) -> f64 {
    zhang_tokens(train_tokens) / ZHANG_OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_critical_batch_doubles_both() {
        assert_eq!(steps_factor(1e6, 1e6), 2.0);
        assert_eq!(tokens_factor(1e6, 1e6), 2.0);
    }

    #[test]
    fn the_product_of_the_excesses_is_one() {
        // McCandlish 2018: (S/S_min − 1)·(E/E_min − 1) = 1.
        for batch in [1e3, 1e5, 4e6, 1e9] {
            let product = (steps_factor(batch, 2e6) - 1.0) * (tokens_factor(batch, 2e6) - 1.0);
            assert!((product - 1.0).abs() < 1e-6, "{product}");
        }
    }

    #[test]
    fn four_times_the_batch_by_hand() {
        // B_ref = 1, B = 4, B_crit = 2 million: (1 + 2)/(1 + 0.5) = 2 times the tokens, 1.5/3 = half the steps.
        let rescaled = rescale(4e6, 1e6, 2e6);
        assert!((rescaled.tokens_factor - 2.0).abs() < 1e-12);
        assert!((rescaled.steps_factor - 0.5).abs() < 1e-12);
        // Tokens = steps × batch.
        assert!((rescaled.steps_factor * 4.0 - rescaled.tokens_factor).abs() < 1e-12);
        let same = rescale(3e6, 3e6, 2e6);
        assert_eq!((same.tokens_factor, same.steps_factor), (1.0, 1.0));
    }

    #[test]
    fn kaplan_by_hand() {
        // 1/0.21 = 4.7619; 2^4.7619 = 27.13: 7.37 million tokens at a loss of 2. 3^4.7619 = 187.1: 1.07 million at 3.
        assert!((kaplan_tokens(2.0) / 7.372e6 - 1.0).abs() < 1e-3, "{}", kaplan_tokens(2.0));
        assert!((kaplan_tokens(3.0) / 1.069e6 - 1.0).abs() < 1e-3, "{}", kaplan_tokens(3.0));
        assert_eq!(kaplan_tokens(1.0), KAPLAN_BATCH_TOKENS);
    }

    #[test]
    fn zhang_by_hand() {
        // A million tokens: 22.91 · 512 = 11,730 tokens; a hundred billion, 10⁵ times as many: (10⁵)^0.47 = 223.87 times that, 2.6 million.
        assert!((zhang_tokens(1e6) - 11_729.92).abs() < 1e-6);
        assert!((zhang_tokens(1e11) / (11_729.92 * 223.87) - 1.0).abs() < 1e-4);
        // Its definition: from a very small batch, 20 % more tokens.
        let rescaled = rescale(zhang_tokens(1e11), 1.0, zhang_critical_tokens(1e11));
        assert!((rescaled.tokens_factor - 1.2).abs() < 1e-4);
    }

    #[test]
    fn the_authors_own_runs() {
        // Steps to a loss of 2.736 with 1.2 billion parameters, batches in sequences of 512 tokens, 187,500 steps of 256 being the budget
        // (github.com/hlzhang109/critical-batch-size, plots/chinchilla.ipynb).
        let critical = zhang_critical_tokens(187_500.0 * 256.0 * 512.0);
        for (seqs, steps) in
            [(512.0, 94_000.0), (1024.0, 46_500.0), (2048.0, 25_000.0), (4096.0, 15_360.0), (8192.0, 8_900.0), (16_384.0, 6_500.0)]
        {
            let measured = steps / 176_000.0;
            let found = rescale(seqs * 512.0, 256.0 * 512.0, critical).steps_factor;
            assert!((found / measured - 1.0).abs() < 0.1, "{seqs}: {found} for {measured}");
        }
    }

    #[test]
    fn a_batch_for_twenty_per_cent() {
        let batch = batch_for_extra(0.2, 5e6);
        assert_eq!(batch, 1e6);
        assert!((tokens_factor(batch, 5e6) - 1.2).abs() < 1e-12);
        assert_eq!(batch_for_extra(-1.0, 5e6), 0.0);
    }

    #[test]
    fn extremes_stay_finite() {
        for batch in [1e-300, 1.0, 1e6, 1e300] {
            for critical in [1e-300, 1.0, 1e6, 1e300] {
                let rescaled = rescale(batch, 1e6, critical);
                assert!(rescaled.tokens_factor.is_finite() && rescaled.tokens_factor > 0.0);
                assert!(rescaled.steps_factor.is_finite() && rescaled.steps_factor > 0.0);
                assert!(batch_for_extra(batch, critical).is_finite());
            }
        }
        for value in [1e-300, 0.5, 10.0, 1e300] {
            assert!(kaplan_tokens(value).is_finite() && zhang_critical_tokens(value).is_finite());
        }
    }
}
