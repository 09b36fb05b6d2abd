//! The answers strip: one machine and the cluster side by side.

use super::Answers;
use super::band::Band;
use crate::locale::quantity::{ANSWER_DIGITS, GAP, bytes, carbon, dollars, duration, energy, percent};
use crate::locale::{Lang, fill, number};
use crate::model::Estimate;
use crate::scenario::Param;

/// A figure of the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Stable key, such as `time`.
    pub key: &'static str,
    /// Heading.
    pub label: &'static str,
    /// The figure.
    pub value: String,
    /// Range or remark under it; may be empty.
    pub note: String,
    /// Whether this side is the better one; both are not where they are level.
    pub better: bool,
}

/// One side of the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// `single` or `cluster`.
    pub key: &'static str,
    /// Name.
    pub name: &'static str,
    /// GPUs of it: `8 × H100 SXM5 80GB`.
    pub hardware: String,
    /// The plan in short.
    pub plan: String,
    /// The figures, the same ones on both sides.
    pub figures: Vec<Figure>,
}

/// Two sides within this ratio of each other are level.
const LEVEL: f64 = 1.005;

/// Whether `own` beats `other` by more than a trifle; a side that does not fit beats nobody.
fn beats(own: Option<f64>, other: Option<f64>) -> bool {
    match (own, other) {
        (Some(own), Some(other)) => own * LEVEL < other,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// The strip, the one machine first.
pub fn strip(answers: &Answers, lang: Lang) -> [Side; 2] {
    let gpu = answers.scenario.gpu().name;
    let m = lang.messages();
    let side = |key, name, own: &Estimate, other: &Estimate| Side {
        key,
        name,
        hardware: format!("{} × {gpu}", number::fixed(f64::from(own.cluster.gpus), 0, lang)),
        plan: super::sentences::plan(own, lang),
        figures: figures(answers, own, other, lang),
    };
    [side("single", m.single, &answers.single, &answers.cluster), side("cluster", m.cluster, &answers.cluster, &answers.single)]
}

fn figures(answers: &Answers, own: &Estimate, other: &Estimate, lang: Lang) -> Vec<Figure> {
    let m = lang.messages();
    let band = answers.band(own);
    let fitting = |e: &Estimate, value: Option<f64>| value.filter(|_| e.fits);
    // What does not fit has no time and no cost; the sentence under it says what is missing.
    let shown = |value: Option<f64>, format: &dyn Fn(f64) -> String, unknown: &'static str| match (own.fits, value) {
        (false, _) => ("–".to_string(), m.does_not_fit.to_string()),
        (true, None) => ("–".to_string(), unknown.to_string()),
        (true, Some(value)) => (format(value), range(band, value, format, lang)),
    };
    let time = |seconds: f64| duration(seconds, ANSWER_DIGITS, lang);
    let money = |usd: f64| dollars(usd, ANSWER_DIGITS, lang);
    let watts = |kwh: f64| energy(kwh, ANSWER_DIGITS, lang);
    let (time_value, time_note) =
        if own.uptime.progresses { shown(Some(own.time_s), &time, "") } else { ("–".to_string(), m.no_progress.to_string()) };
    let (cost_value, cost_note) = shown(own.bill.usd, &money, m.cost_unknown);
    let (energy_value, _) = shown(Some(own.bill.kwh), &watts, "");
    let co2 = if own.fits { format!("{} {}", carbon(own.bill.co2_kg, ANSWER_DIGITS, lang), m.carbon) } else { String::new() };
    let needed = own.memory.total();
    let capacity = bytes(own.cluster.device.memory_bytes, ANSWER_DIGITS, lang);
    let of = fill(m.of_capacity, &[("capacity", &capacity)]);
    let memory_note = if own.fits {
        format!("{of}, {}", m.fits)
    } else {
        format!("{of}, {}: {}", m.does_not_fit, fill(m.missing, &[("missing", &bytes(own.missing_bytes(), ANSWER_DIGITS, lang))]))
    };
    let idle = if own.idle_gpus() > 0 {
        fill(m.plan_idle, &[("idle", &count(own.idle_gpus(), lang)), ("gpus", &count(own.cluster.gpus, lang))])
    } else {
        String::new()
    };
    let failures = if !own.fits {
        "–".to_string()
    } else if own.failures < 0.05 {
        m.none_expected.to_string()
    } else {
        number::significant(own.failures, ANSWER_DIGITS, lang)
    };
    let goodput = if own.fits { fill(m.goodput, &[("share", &percent(own.uptime.goodput, 3, lang))]) } else { String::new() };
    let cost_label = if answers.scenario.value(Param::Price).is_some() { m.cost } else { m.gpu_hours };
    let (cost_value, cost_note) = match (own.fits, own.bill.usd) {
        (true, None) => (number::significant(own.bill.gpu_hours, ANSWER_DIGITS, lang), m.cost_unknown.to_string()),
        _ => (cost_value, cost_note),
    };
    vec![
        Figure {
            key: "time",
            label: m.time,
            value: time_value,
            note: time_note,
            better: beats(fitting(own, Some(own.time_s)), fitting(other, Some(other.time_s))),
        },
        Figure {
            key: "cost",
            label: cost_label,
            value: cost_value,
            note: cost_note,
            better: beats(fitting(own, own.bill.usd), fitting(other, other.bill.usd)),
        },
        Figure { key: "memory", label: m.memory_per_gpu, value: bytes(needed, ANSWER_DIGITS, lang), note: memory_note, better: false },
        Figure {
            key: "mfu",
            label: m.utilisation,
            value: if own.fits { percent(own.mfu, ANSWER_DIGITS, lang) } else { "–".to_string() },
            note: idle,
            better: false,
        },
        Figure {
            key: "energy",
            label: m.energy,
            value: energy_value,
            note: co2,
            better: beats(fitting(own, Some(own.bill.kwh)), fitting(other, Some(other.bill.kwh))),
        },
        Figure { key: "failures", label: m.failures, value: failures, note: goodput, better: false },
    ]
}

fn count(gpus: u32, lang: Lang) -> String {
    number::fixed(f64::from(gpus), 0, lang)
}

/// The range around a value, a unit that both ends share written once: `57 bis 67 Tage`, `$16,000 to $28,000`.
fn range(band: Band, value: f64, format: &dyn Fn(f64) -> String, lang: Lang) -> String {
    let (low, high) = (format(value * band.low), format(value * band.high));
    let shared = low.split_once(GAP).zip(high.split_once(GAP)).is_some_and(|((_, a), (_, b))| a == b);
    let low = if shared { low.split(GAP).next().unwrap_or_default() } else { &low };
    fill(lang.messages().range, &[("low", low), ("high", &high)])
}
