//! What is learnt: the loss by a scaling law, and where the batch stands against the critical one.

use super::{DIGITS, Shown, row, t, table};
use crate::locale::quantity::{ANSWER_DIGITS, count, percent};
use crate::locale::{Lang, fill, number};
use crate::model::critical_batch::{kaplan_tokens, steps_factor, tokens_factor, zhang_critical_tokens};
use crate::model::loss::{BESIROGLU_2024, HOFFMANN_2022, Split};
use crate::report::Answers;
use serde_json::{Value, json};

const LAW: &str = "https://arxiv.org/abs/2404.10102";
const MCCANDLISH: &str = "https://arxiv.org/abs/1812.06162";
const ZHANG: &str = "https://arxiv.org/abs/2410.21676";

/// What a run learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Nats per token at the end.
    pub loss: f64,
    /// The same by the constants that Hoffmann printed.
    pub loss_hoffmann: f64,
    /// Tokens per parameter.
    pub tokens_per_param: f64,
    /// The split of the same work with the lowest loss.
    pub best: Split,
    /// Tokens per step of the cluster.
    pub batch_tokens: f64,
    /// Critical batch by the tokens of the run.
    pub critical_tokens: f64,
    /// Critical batch by the loss at the end.
    pub critical_tokens_kaplan: f64,
    /// Share of the tokens that a very small batch would not need for the same loss.
    pub wasted_share: f64,
    /// Steps over the fewest possible ones.
    pub steps_factor: f64,
}

/// The figures.
pub fn figures(answers: &Answers) -> Figures {
    let job = &answers.setup.job;
    let law = BESIROGLU_2024;
    let loss = law.loss(job.params, job.tokens);
    let batch_tokens = answers.cluster.step_seqs * job.seq;
    let critical_tokens = zhang_critical_tokens(job.tokens);
    Figures {
        loss,
        loss_hoffmann: HOFFMANN_2022.loss(job.params, job.tokens),
        tokens_per_param: job.tokens / job.params,
        best: law.compute_optimal(Split { params: job.params, tokens: job.tokens, loss }.flop()),
        batch_tokens,
        critical_tokens,
        critical_tokens_kaplan: kaplan_tokens(loss),
        wasted_share: 1.0 - 1.0 / tokens_factor(batch_tokens, critical_tokens),
        steps_factor: steps_factor(batch_tokens, critical_tokens),
    }
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        json!({
            "loss_nats_per_token": self.loss, "loss_hoffmann_nats_per_token": self.loss_hoffmann, "tokens_per_parameter": self.tokens_per_param,
            "best_parameters": self.best.params, "best_tokens": self.best.tokens, "best_loss_nats_per_token": self.best.loss,
            "batch_tokens": self.batch_tokens, "critical_batch_tokens": self.critical_tokens, "critical_batch_tokens_kaplan": self.critical_tokens_kaplan,
            "wasted_tokens_share": self.wasted_share, "steps_over_fewest": self.steps_factor,
        })
    }
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let f = figures(answers);
    let digits = |value: f64| number::significant(value, DIGITS, lang);
    let words = t(
        "Nach dem Skalierungsgesetz endet der Loss bei etwa {loss} Nat je Token, auf wie vielen Maschinen auch immer. Der Batch von {batch} Token ist das {times}-Fache des kritischen: {wasted} der Token sind der Preis seiner Größe.",
        "By the scaling law the loss ends at about {loss} nats per token, on however many machines. The batch of {batch} tokens is {times} times the critical one: {wasted} of the tokens are the price of its size.",
    );
    let finding = fill(
        words.in_lang(lang),
        &[
            ("loss", &digits(f.loss)),
            ("batch", &count(f.batch_tokens, ANSWER_DIGITS, lang)),
            ("times", &number::significant(f.batch_tokens / f.critical_tokens, ANSWER_DIGITS, lang)),
            ("wasted", &percent(f.wasted_share, ANSWER_DIGITS, lang)),
        ],
    );
    let experts = answers.setup.job.has_experts();
    let whose = match (experts, answers.setup.job.states.trained < 1.0) {
        (true, _) => t("E + A/P^α + B/D^β; an dichten Modellen gefunden", "E + A/P^α + B/D^β; found with dense models"),
        (_, true) => t("E + A/P^α + B/D^β; gilt fürs Training von Grund auf", "E + A/P^α + B/D^β; holds for training from scratch"),
        _ => t("E + A/P^α + B/D^β", "E + A/P^α + B/D^β"),
    };
    let rows = vec![
        row(t("Loss", "Loss"), digits(f.loss), whose, LAW),
        row(
            t("Loss nach Hoffmann", "Loss by Hoffmann"),
            digits(f.loss_hoffmann),
            t("dieselbe Form, Konstanten wie gedruckt", "same form, constants as printed"),
            "https://arxiv.org/abs/2203.15556",
        ),
        row(t("Token je Parameter", "Tokens per parameter"), digits(f.tokens_per_param), t("D/P", "D/P"), LAW),
        row(
            t("Beste Aufteilung derselben Arbeit", "Best split of the same work"),
            format!("P = {}, D = {}", count(f.best.params, DIGITS, lang), count(f.best.tokens, DIGITS, lang)),
            t("geringster Loss bei gleichem 6·P·D", "lowest loss at the same 6·P·D"),
            LAW,
        ),
        row(t("Loss dabei", "Loss of it"), digits(f.best.loss), t("E + A/P^α + B/D^β", "E + A/P^α + B/D^β"), LAW),
        row(
            t("Kritischer Batch", "Critical batch"),
            count(f.critical_tokens, DIGITS, lang),
            t("5 · 22,91 · 512 · (D/10⁶)^0,47 Token", "5 · 22.91 · 512 · (D/10⁶)^0.47 tokens"),
            ZHANG,
        ),
        row(
            t("Kritischer Batch nach Kaplan", "Critical batch by Kaplan"),
            count(f.critical_tokens_kaplan, DIGITS, lang),
            t("2·10⁸ / Loss^(1/0,21) Token; am Ende des Laufs", "2·10⁸ / loss^(1/0.21) tokens; at the end of the run"),
            "https://arxiv.org/abs/2001.08361",
        ),
        row(
            t("Mehr Token als nötig", "Tokens beyond need"),
            percent(f.wasted_share, DIGITS, lang),
            t("1 − 1/(1 + B/B_krit)", "1 − 1/(1 + B/B_crit)"),
            MCCANDLISH,
        ),
        row(
            t("Schritte gegen die wenigsten", "Steps over the fewest"),
            digits(f.steps_factor),
            t("1 + B_krit/B", "1 + B_crit/B"),
            MCCANDLISH,
        ),
    ];
    Shown { finding, table: table(rows, lang) }
}
