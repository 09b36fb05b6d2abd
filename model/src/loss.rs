//! The loss that a model of so many parameters reaches on so many tokens.
//!
//! L(N, D) = E + A/N^α + B/D^β (Hoffmann 2022, <https://arxiv.org/abs/2203.15556>, approach 3). Neither the number of machines nor the time
//! occurs in it: more machines reach the same loss sooner. Losses are in nats per token on the text that the law was fitted on, so two laws, or a
//! law and a measured run, compare in their shape rather than in their absolute height.

/// A parametric scaling law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// E: the loss that no model gets below, nats per token.
    pub floor: f64,
    /// A: weight of the term of the parameters.
    pub params_scale: f64,
    /// α: exponent of the parameters.
    pub params_exponent: f64,
    /// B: weight of the term of the tokens.
    pub tokens_scale: f64,
    /// β: exponent of the tokens.
    pub tokens_exponent: f64,
}

/// As printed in Hoffmann 2022, equation 10 (rounded there to two digits; its tokens per parameter come out too high).
pub const HOFFMANN_2022: Law = Law { floor: 1.69, params_scale: 406.4, params_exponent: 0.34, tokens_scale: 410.7, tokens_exponent: 0.28 };

/// The same runs fitted anew by Besiroglu 2024, <https://arxiv.org/abs/2404.10102>: agrees with about 20 tokens per parameter.
pub const BESIROGLU_2024: Law =
    Law { floor: 1.8172, params_scale: 482.01, params_exponent: 0.3478, tokens_scale: 2085.43, tokens_exponent: 0.3658 };

/// Training FLOPs per parameter and token: two forward, four backward (Kaplan 2020, <https://arxiv.org/abs/2001.08361>).
pub const FLOP_PER_PARAM_TOKEN: f64 = 6.0;

/// How a compute budget is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Parameters of the model.
    pub params: f64,
    /// Tokens it is trained on.
    pub tokens: f64,
    /// The loss it reaches, nats per token.
    pub loss: f64,
}

impl Split {
    /// Tokens per parameter.
    pub fn tokens_per_param(self) -> f64 {
        self.tokens / self.params
    }

    /// FLOPs of the run: 6·N·D.
    pub fn flop(self) -> f64 {
        FLOP_PER_PARAM_TOKEN * self.params * self.tokens
    }
}

impl Law {
    /// The loss in nats per token after `tokens` tokens on `params` parameters; less than one of either counts as one.
    pub fn loss(self, params: f64, tokens: f64) -> f64 {
        self.floor + self.params_term(params) + self.tokens_term(tokens)
    }

    /// The part of the loss that more parameters would lower: A/N^α.
    pub fn params_term(self, params: f64) -> f64 {
        self.params_scale / params.max(1.0).powf(self.params_exponent)
    }

    /// The part of the loss that more tokens would lower: B/D^β.
    pub fn tokens_term(self, tokens: f64) -> f64 {
        self.tokens_scale / tokens.max(1.0).powf(self.tokens_exponent)
    }

    /// The lowest loss that `flop` FLOPs buy (Hoffmann 2022, equation 4): N = G·(C/6)^(β/(α+β)), D = (C/6)/N, G = (αA/(βB))^(1/(α+β)).
    /// Budgets below 6 FLOPs count as one parameter and one token; a share of a parameter or token is never bought.
    pub fn compute_optimal(self, flop: f64) -> Split {
        let pairs = (flop / FLOP_PER_PARAM_TOKEN).max(1.0);
        let exponents = self.params_exponent + self.tokens_exponent;
        let ratio = self.params_exponent * self.params_scale / (self.tokens_exponent * self.tokens_scale);
        let best = ratio.powf(1.0 / exponents) * pairs.powf(self.tokens_exponent / exponents);
        let params = best.clamp(1.0, pairs);
        let tokens = pairs / params;
        Split { params, tokens, loss: self.loss(params, tokens) }
    }

    /// Tokens after which a model of `params` parameters reaches `loss`: (B/(L − E − A/N^α))^(1/β), at least one.
    /// `None` if this model never gets there, or only after more tokens than a number can hold.
    pub fn tokens_for_loss(self, params: f64, loss: f64) -> Option<f64> {
        let rest = loss - self.floor - self.params_term(params);
        if rest <= 0.0 {
            return None;
        }
        let tokens = (self.tokens_scale / rest).powf(1.0 / self.tokens_exponent).max(1.0);
        tokens.is_finite().then_some(tokens)
    }

    /// The split that reaches `loss` with the fewest FLOPs: at the optimum α·A/N^α = β·B/D^β (the derivative along a constant N·D is nought).
    /// `None` at or below the floor, or where the numbers would overflow.
    pub fn cheapest_for_loss(self, loss: f64) -> Option<Split> {
        let rest = loss - self.floor;
        if rest <= 0.0 {
            return None;
        }
        let exponents = self.params_exponent + self.tokens_exponent;
        let params = (self.params_scale * exponents / (rest * self.tokens_exponent)).powf(1.0 / self.params_exponent).max(1.0);
        let tokens = (self.tokens_scale * exponents / (rest * self.params_exponent)).powf(1.0 / self.tokens_exponent).max(1.0);
        let split = Split { params, tokens, loss: self.loss(params, tokens) };
        split.flop().is_finite().then_some(split)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found / expected - 1.0).abs() < relative, "{found} is not near {expected}");
    }

    #[test]
    fn chinchilla_by_hand() {
        // ln 70e9 = 24.9717, · 0.34 = 8.4904, A/e^8.4904 = 0.08346; ln 1.4e12 = 27.9675, · 0.28 = 7.8309, B/e^7.8309 = 0.16318.
        near(HOFFMANN_2022.loss(70e9, 1.4e12), 1.69 + 0.08346 + 0.16318, 1e-4);
        // ln 70e9 · 0.3478 = 8.6852, 482.01/e^8.6852 = 0.08149; ln 1.4e12 · 0.3658 = 10.2305, 2085.43/e^10.2305 = 0.07518.
        near(BESIROGLU_2024.loss(70e9, 1.4e12), 1.8172 + 0.08149 + 0.07518, 1e-4);
    }

    #[test]
    fn the_corrected_law_gives_about_twenty_tokens_per_parameter() {
        // The budget of Chinchilla, 5.76e23 FLOPs: Besiroglu 2024 finds about 20, the printed constants of 2022 far more.
        let split = BESIROGLU_2024.compute_optimal(5.76e23);
        assert!((15.0..25.0).contains(&split.tokens_per_param()), "{split:?}");
        assert!(HOFFMANN_2022.compute_optimal(5.76e23).tokens_per_param() > 60.0);
    }

    #[test]
    fn the_split_is_the_best_one_and_spends_the_budget() {
        for law in [HOFFMANN_2022, BESIROGLU_2024] {
            for flop in [1e18, 1e21, 1e24, 1e27] {
                let split = law.compute_optimal(flop);
                near(split.flop(), flop, 1e-12);
                for factor in [0.8, 1.25] {
                    assert!(split.loss < law.loss(split.params * factor, split.tokens / factor));
                }
            }
        }
    }

    #[test]
    fn tokens_for_a_loss_are_the_inverse_of_the_loss() {
        let law = BESIROGLU_2024;
        let tokens = law.tokens_for_loss(7e9, law.loss(7e9, 2e12)).unwrap_or(0.0);
        near(tokens, 2e12, 1e-9);
        // 1.8172 + 482.01/(1e9)^0.3478: one billion parameters never get below 2.17.
        assert_eq!(law.tokens_for_loss(1e9, 2.15), None);
        assert_eq!(law.tokens_for_loss(1e9, 1.0), None);
    }

    #[test]
    fn the_cheapest_way_to_a_loss_is_a_compute_optimal_split() {
        for law in [HOFFMANN_2022, BESIROGLU_2024] {
            let split = law.compute_optimal(1e23);
            let back = law.cheapest_for_loss(split.loss).unwrap_or(Split { params: 0.0, tokens: 0.0, loss: 0.0 });
            near(back.params, split.params, 1e-8);
            near(back.tokens, split.tokens, 1e-8);
        }
        assert_eq!(HOFFMANN_2022.cheapest_for_loss(1.69), None);
    }

    #[test]
    fn extremes_stay_finite_and_above_the_floor() {
        for law in [HOFFMANN_2022, BESIROGLU_2024] {
            for params in [1e-9, 1.0, 1e6, 1e15, 1e300] {
                for tokens in [1e-9, 1.0, 1e9, 1e18, 1e300] {
                    let loss = law.loss(params, tokens);
                    assert!(loss.is_finite() && loss >= law.floor);
                }
            }
            for flop in [1e-3, 1.0, 6.0, 1e3, 1e40, 1e300] {
                let split = law.compute_optimal(flop);
                assert!(split.params >= 1.0 && split.tokens >= 1.0 && split.loss.is_finite());
            }
            assert_eq!(law.tokens_for_loss(1e300, law.floor + 1e-15 + law.params_term(1e300)).filter(|tokens| !tokens.is_finite()), None);
        }
    }
}
