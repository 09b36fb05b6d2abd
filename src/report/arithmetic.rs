//! Every figure with its equation, its values and its source.

use super::{Answers, recovery};
use crate::catalog;
use crate::locale::quantity::{bytes, carbon, dollars, duration, energy, flop, percent};
use crate::locale::{Lang, number};
use crate::model::failures::course;
use crate::model::reliability::CHECKPOINT_BYTES_PER_PARAM;
use crate::model::{Estimate, work};
use crate::scenario::Param;

/// Significant digits of a value inside an equation: more than of an answer, so that the reader can follow.
const DIGITS: usize = 4;

/// One figure, opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub name: &'static str,
    /// The equation, in the field's symbols.
    pub equation: &'static str,
    /// The equation with the values put in: the one machine, the cluster. Equal where both are.
    pub values: [String; 2],
    /// The result: the one machine, the cluster.
    pub results: [String; 2],
    /// Where the equation or its constants come from.
    pub source: &'static str,
}

/// What the terms of one side are made of.
struct Side<'a> {
    answers: &'a Answers,
    estimate: &'a Estimate,
    lang: Lang,
}

impl Side<'_> {
    fn n(&self, value: f64) -> String {
        if value.abs() >= 1e6 { scientific(value, self.lang) } else { number::significant(value, DIGITS, self.lang) }
    }

    fn s(&self, seconds: f64) -> String {
        duration(seconds, DIGITS, self.lang)
    }
}

/// `7·10⁹`, `4.2·10²²`.
fn scientific(value: f64, lang: Lang) -> String {
    let exponent = value.abs().log10().floor();
    let mantissa = number::significant(value / 10f64.powf(exponent), DIGITS, lang);
    let raised: String = format!("{exponent}")
        .chars()
        .map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap_or(0) as usize).unwrap_or('⁻'))
        .collect();
    format!("{mantissa}·10{raised}")
}

/// A term's values and result on one side.
type Worked = (String, String);

fn term(
    answers: &Answers,
    lang: Lang,
    name: &'static str,
    equation: &'static str,
    source: &'static str,
    work: impl Fn(&Side) -> Worked,
) -> Term {
    let (one_values, one) = work(&Side { answers, estimate: &answers.single, lang });
    let (many_values, many) = work(&Side { answers, estimate: &answers.cluster, lang });
    Term { name, equation, values: [one_values, many_values], results: [one, many], source }
}

/// The terms, from the work of a layer to the cost of the run.
pub fn terms(answers: &Answers, lang: Lang) -> Vec<Term> {
    let m = lang.messages();
    let mut terms = work_terms(answers, lang);
    terms.push(term(
        answers,
        lang,
        m.term_step,
        "T = Tₗᵢₙ + Tₑₓₚ + Tₐₜₜ + Tₑₗ + T₀ + Tₜₚ + T_cp + Tₑₚ + Tₚₚ + T_dp + T_bubble + T_opt + T_mem",
        "https://arxiv.org/abs/2104.04473",
        |side| {
            let step = &side.estimate.step;
            let parts = [
                step.linear,
                step.experts,
                step.attention,
                step.elementwise,
                step.overhead,
                step.tensor_comm,
                step.context_comm,
                step.expert_comm,
                step.pipeline_comm,
                step.data_comm,
                step.bubble,
                step.optimizer,
                step.pressure,
            ];
            let shown: Vec<String> = parts.iter().filter(|part| **part > 0.0).map(|part| side.s(*part)).collect();
            (shown.join(" + "), side.s(step.total()))
        },
    ));
    terms.push(term(
        answers,
        lang,
        m.term_memory,
        "M = 2N/dʷ + 2N/dᵍ + 12N/dᵒ + A + …",
        "https://arxiv.org/abs/1910.02054",
        |side| {
            let memory = &side.estimate.memory;
            let parts =
                [memory.weights, memory.gradients, memory.optimizer, memory.gathered, memory.activations, memory.logits, memory.reserved];
            let shown: Vec<String> = parts.iter().filter(|part| **part > 0.0).map(|part| bytes(*part, 3, lang)).collect();
            (shown.join(" + "), bytes(memory.total(), 3, lang))
        },
    ));
    terms.extend(run_terms(answers, lang));
    terms.extend(bill_terms(answers, lang));
    terms
}

fn work_terms(answers: &Answers, lang: Lang) -> Vec<Term> {
    let m = lang.messages();
    vec![
        term(answers, lang, m.term_layer, "F = 2·s·P_layer + 4·s²·h", "https://arxiv.org/abs/2104.04473", |side| {
            let job = &side.answers.setup.job;
            let layer = work::layer(job);
            let values = format!("2·{}·{} + 4·{}²·{}", side.n(job.seq), side.n(job.layer_active()), side.n(job.seq), side.n(job.hidden));
            (values, flop(layer.linear_flop + layer.attention_flop, DIGITS, lang))
        }),
        term(
            answers,
            lang,
            m.term_work,
            "W = 3·B·(L·(2·s·P_layer + 2·s²·h) + 2·s·h·V)",
            "https://arxiv.org/abs/2104.04473",
            |side| {
                let job = &side.answers.setup.job;
                let layer = work::layer(job);
                let values = format!(
                    "3·{}·({}·{} + {})",
                    side.n(side.estimate.step_seqs),
                    side.n(job.layers),
                    flop(layer.linear_flop + layer.attention_flop / 2.0, DIGITS, lang),
                    flop(work::head_flop(job), DIGITS, lang)
                );
                (values, flop(work::model_flop(job, side.estimate.step_seqs), DIGITS, lang))
            },
        ),
        term(answers, lang, m.term_rule, "6·P·B·s", "https://arxiv.org/abs/2001.08361", |side| {
            let job = &side.answers.setup.job;
            (
                format!("6·{}·{}", side.n(job.active_params()), side.n(side.estimate.step_seqs * job.seq)),
                flop(work::rule_of_thumb_flop(job.active_params(), side.estimate.step_seqs * job.seq), DIGITS, lang),
            )
        }),
        term(answers, lang, m.term_batch, "m = ⌈B/(d·b)⌉", "https://arxiv.org/abs/2104.04473", |side| {
            let (job, plan) = (&side.answers.setup.job, &side.estimate.plan);
            (
                format!("⌈{}/({}·{})⌉", side.n(side.estimate.step_seqs), side.n(f64::from(plan.dp)), plan.micro_batch),
                side.n(plan.micro_batches(job.batch_seqs)),
            )
        }),
        term(answers, lang, m.term_link, "β = C·η", answers.scenario.network().source, |side| {
            let link = side.estimate.cluster.outer;
            let s = &side.answers.scenario;
            if !side.estimate.cluster.spans_machines() {
                return ("–".to_string(), m.step_no_network.to_string());
            }
            let values = format!("{} Gbit/s / 8 · {}", side.n(s.number(Param::Bandwidth)), percent(s.number(Param::Achieved), 3, lang));
            (values, format!("{}/s", bytes(link.bytes_per_s, DIGITS, lang)))
        }),
    ]
}

fn run_terms(answers: &Answers, lang: Lang) -> Vec<Term> {
    let m = lang.messages();
    let reliability = &answers.setup.cluster_conditions.reliability;
    let (goodput_equation, goodput_source) = recovery::equation(reliability.recovery);
    vec![
        term(answers, lang, m.term_steps, "n = ⌈D / (B·s)⌉", "https://arxiv.org/abs/2005.14165", |side| {
            let job = &side.answers.setup.job;
            (
                format!("⌈{} / ({}·{})⌉", side.n(job.tokens), side.n(side.estimate.step_seqs), side.n(job.seq)),
                number::fixed(side.estimate.steps, 0, lang),
            )
        }),
        term(answers, lang, m.term_mtbf, "M = M_GPU / n", catalog::GPU_HOURS_PER_FAILURE.source, |side| {
            let values =
                format!("{} h / {}", side.n(side.answers.scenario.number(Param::Mtbf)), side.n(f64::from(side.estimate.cluster.gpus)));
            (values, side.s(side.estimate.uptime.mtbf_s))
        }),
        term(
            answers,
            lang,
            m.term_interval,
            "τ = √(2δM)·(1 + ⅓√(δ/2M) + ⅑·δ/2M) − δ",
            "https://doi.org/10.1016/j.future.2004.11.016",
            |side| {
                let uptime = &side.estimate.uptime;
                let size = bytes(CHECKPOINT_BYTES_PER_PARAM * side.answers.setup.job.params, 3, lang);
                (format!("δ = {} ({size}), M = {}", side.s(uptime.checkpoint_s), side.s(uptime.mtbf_s)), side.s(uptime.interval_s))
            },
        ),
        term(answers, lang, m.term_goodput, goodput_equation, goodput_source, |side| {
            let uptime = &side.estimate.uptime;
            let restart = course(side.estimate.time_s, side.estimate.cluster.machines(), uptime, reliability).restart_s;
            (
                format!("τ = {}, δ = {}, R = {}", side.s(uptime.interval_s), side.s(uptime.checkpoint_s), side.s(restart)),
                percent(uptime.goodput, DIGITS, lang),
            )
        }),
        term(answers, lang, m.term_time, "n·T / u", "https://doi.org/10.1016/j.future.2004.11.016", |side| {
            let e = side.estimate;
            (format!("{}·{} / {}", side.n(e.steps), side.s(e.step.total()), percent(e.uptime.goodput, DIGITS, lang)), side.s(e.time_s))
        }),
        term(answers, lang, m.term_mfu, "W / (T·G·C)", "https://arxiv.org/abs/2204.02311", |side| {
            let e = side.estimate;
            let peak = flop(e.cluster.device.peak_flop_per_s, DIGITS, lang);
            let work = flop(work::model_flop(&side.answers.setup.job, e.step_seqs), DIGITS, lang);
            (format!("{work} / ({}·{}·{peak}/s)", side.s(e.step.total()), side.n(f64::from(e.cluster.gpus))), percent(e.mfu, 3, lang))
        }),
    ]
}

fn bill_terms(answers: &Answers, lang: Lang) -> Vec<Term> {
    let m = lang.messages();
    let price_source =
        answers.scenario.offer().filter(|_| answers.scenario.own(Param::Price).is_none()).map_or(m.own_value, |offer| offer.source);
    vec![
        term(answers, lang, m.term_gpu_hours, "t·G", "–", |side| {
            let e = side.estimate;
            (format!("{} h · {}", side.n(e.time_s / 3600.0), side.n(f64::from(e.cluster.gpus))), format!("{} h", side.n(e.bill.gpu_hours)))
        }),
        term(answers, lang, m.term_cost, "t·G·p", price_source, |side| {
            let price = side.answers.scenario.value(Param::Price);
            let shown = price.map_or_else(|| m.not_known.to_string(), |price| dollars(price, 3, lang));
            let cost = side.estimate.bill.usd.map_or_else(|| m.not_known.to_string(), |usd| dollars(usd, DIGITS, lang));
            (format!("{} h · {shown}", side.n(side.estimate.bill.gpu_hours)), cost)
        }),
        term(answers, lang, m.term_energy, "t·G·W·PUE", catalog::PUE.source, |side| {
            let s = &side.answers.scenario;
            let values = format!(
                "{} h · {} W · {}",
                side.n(side.estimate.bill.gpu_hours),
                side.n(s.number(Param::Power)),
                side.n(s.number(Param::Pue))
            );
            (values, energy(side.estimate.bill.kwh, DIGITS, lang))
        }),
        term(answers, lang, m.term_carbon, "E·g", "https://github.com/mlco2/codecarbon", |side| {
            let grams = side.answers.scenario.number(Param::Carbon);
            (
                format!("{} · {} g/kWh", energy(side.estimate.bill.kwh, DIGITS, lang), side.n(grams)),
                carbon(side.estimate.bill.co2_kg, DIGITS, lang),
            )
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::Scenario;

    #[test]
    fn every_term_has_values_a_result_and_a_source() {
        let answers = answers(&Scenario::default()).unwrap();
        for lang in Lang::ALL {
            let terms = terms(&answers, lang);
            assert!(terms.len() > 12);
            for term in terms {
                for text in term.values.iter().chain(&term.results).map(String::as_str).chain([term.equation, term.source, term.name]) {
                    assert!(!text.is_empty() && !text.contains("NaN") && !text.contains("inf"), "{}: {text}", term.name);
                }
            }
        }
    }

    #[test]
    fn powers_of_ten_are_raised() {
        assert_eq!(scientific(4.2e22, Lang::En), "4.2·10²²");
        assert_eq!(scientific(7e9, Lang::De), "7·10⁹");
    }
}
