//! Sentences made from estimates.

use super::Answers;
use crate::locale::quantity::{ANSWER_DIGITS, bandwidth, bytes, count, duration, percent};
use crate::locale::{Lang, fill, number};
use crate::model::{Estimate, Recompute, Sharding};
use crate::scenario::Param;

/// A piece of the live sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Words(String),
    /// A value that the reader can change.
    Control(Param, String),
    /// An answer of the one machine.
    Single(String),
    /// An answer of the cluster.
    Cluster(String),
}

/// Costs within this ratio are about the same.
const SAME_COST: f64 = 1.01;

/// The present scenario in a sentence, in pieces.
pub fn live(answers: &Answers, lang: Lang) -> Vec<Piece> {
    let m = lang.messages();
    let s = &answers.scenario;
    let (single, cluster) = (&answers.single, &answers.cluster);
    let message = match (single.fits, cluster.fits) {
        (true, true) => m.live,
        (false, true) => m.live_single_unfit,
        (true, false) => m.live_cluster_unfit,
        (false, false) => m.live_both_unfit,
    };
    let gpus = |n: f64| fill(m.gpus_word, &[("n", &number::fixed(n, 0, lang))]);
    let fill_place = |name: &str| match name {
        "params" => Piece::Control(Param::Params, count(s.number(Param::Params), 3, lang)),
        "tokens" => Piece::Control(Param::Tokens, count(s.number(Param::Tokens), 3, lang)),
        "single_gpus" => Piece::Control(Param::Single, format!("{} × {}", number::fixed(s.number(Param::Single), 0, lang), s.gpu().name)),
        "gpus" => Piece::Control(Param::Gpus, gpus(s.number(Param::Gpus))),
        "bandwidth" => Piece::Control(Param::Bandwidth, bandwidth(s.number(Param::Bandwidth), 3, lang)),
        "single_time" => Piece::Single(duration(single.time_s, ANSWER_DIGITS, lang)),
        "cluster_time" => Piece::Cluster(duration(cluster.time_s, ANSWER_DIGITS, lang)),
        _ => Piece::Words(money(answers, lang)),
    };
    let mut pieces = Vec::new();
    let mut rest = message;
    // A message is words with places between braces; both languages have the same places.
    while let Some((words, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        pieces.push(Piece::Words(words.to_string()));
        pieces.push(fill_place(name));
        rest = after;
    }
    pieces.push(Piece::Words(rest.to_string()));
    // An empty text would be prerendered as a space.
    pieces.retain(|piece| !matches!(piece, Piece::Words(words) if words.is_empty()));
    pieces
}

fn money(answers: &Answers, lang: Lang) -> String {
    let m = lang.messages();
    match (answers.single.bill.usd, answers.cluster.bill.usd) {
        (Some(one), Some(many)) if many > one * SAME_COST => {
            fill(m.live_more, &[("share", &percent(many / one - 1.0, ANSWER_DIGITS, lang))])
        }
        (Some(one), Some(many)) if one > many * SAME_COST => {
            fill(m.live_less, &[("share", &percent(1.0 - many / one, ANSWER_DIGITS, lang))])
        }
        (Some(_), Some(_)) => m.live_same.to_string(),
        _ => m.live_no_price.to_string(),
    }
}

/// The plan in short: `FSDP · Micro-Batch 4`.
pub fn plan(estimate: &Estimate, lang: Lang) -> String {
    let plan = &estimate.plan;
    let mut parts = Vec::new();
    let name = match plan.sharding {
        Sharding::None => "DDP",
        Sharding::Zero1 => "ZeRO-1",
        Sharding::Zero2 => "ZeRO-2",
        Sharding::Hybrid => "HSDP",
        Sharding::Full => "FSDP",
    };
    if plan.tp > 1 || plan.pp > 1 {
        parts.push(format!("{} × {} × {}", plan.tp, plan.pp, number::fixed(f64::from(plan.dp), 0, lang)));
    }
    for (name, degree) in [("CP", plan.cp), ("EP", plan.ep), ("VP", plan.interleave)] {
        if degree > 1 {
            parts.push(format!("{name} {degree}"));
        }
    }
    if plan.dp > 1 {
        parts.push(name.to_string());
    }
    parts.push(format!("{} {}", Param::Micro.row().label.in_lang(lang), plan.micro_batch));
    if plan.recompute != Recompute::None {
        parts.push(Param::Recompute.row().label.in_lang(lang).to_string());
    }
    parts.join(" · ")
}

/// What the reader should know before they trust the figures: what does not fit, what stays idle.
pub fn remarks(answers: &Answers, lang: Lang) -> Vec<String> {
    let m = lang.messages();
    let gpus = |n: u32| number::fixed(f64::from(n), 0, lang);
    let mut remarks = Vec::new();
    let least_missing = answers.single.missing_bytes().min(answers.cluster.missing_bytes());
    if answers.fits_nowhere() {
        remarks.push(fill(m.fits_nowhere, &[("missing", &bytes(least_missing, ANSWER_DIGITS, lang))]));
    }
    if !answers.cluster.fits
        && let Some(from) = answers.fits_from
    {
        remarks.push(fill(m.fits_from, &[("gpus", &gpus(from))]));
    }
    let idle = answers.cluster.idle_gpus();
    if answers.mostly_idle() {
        let used = gpus(answers.cluster.plan.gpus());
        let seqs = number::fixed(answers.setup.job.batch_seqs, 0, lang);
        remarks.push(fill(m.mostly_idle, &[("used", &used), ("gpus", &gpus(answers.cluster.cluster.gpus)), ("seqs", &seqs)]));
    } else if idle > 0 {
        remarks.push(fill(m.some_idle, &[("idle", &gpus(idle)), ("gpus", &gpus(answers.cluster.cluster.gpus))]));
    }
    remarks
}

/// What a step waits for, in two sentences.
pub fn step(estimate: &Estimate, lang: Lang) -> String {
    let m = lang.messages();
    let total = estimate.step.total();
    let waiting = estimate.step.communication();
    let time = duration(total, ANSWER_DIGITS, lang);
    let first = if waiting > 0.0 {
        fill(m.step_title, &[("time", &time), ("share", &percent(waiting / total, ANSWER_DIGITS, lang))])
    } else {
        fill(m.step_nothing, &[("time", &time)])
    };
    let second = if estimate.cluster.spans_machines() {
        fill(m.step_network_gain, &[("gain", &duration(waiting, ANSWER_DIGITS, lang))])
    } else {
        m.step_no_network.to_string()
    };
    format!("{first} {second}")
}

/// What limits the estimate, the largest share first: at most three sentences.
pub fn causes(estimate: &Estimate, lang: Lang) -> Vec<String> {
    let m = lang.messages();
    if !estimate.fits {
        return vec![fill(m.cause_memory, &[("missing", &bytes(estimate.missing_bytes(), ANSWER_DIGITS, lang))])];
    }
    let step = &estimate.step;
    let total = step.total();
    let mut shares = [
        ((step.linear + step.attention + step.elementwise) / total, m.cause_compute),
        (step.communication() / total, m.cause_network),
        (step.bubble / total, m.cause_pipeline),
        (step.overhead / total, m.cause_overhead),
        (1.0 - estimate.uptime.goodput, m.cause_failures),
    ];
    shares.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worth_saying = |(share, _): &&(f64, &str)| *share >= 0.05;
    let mut causes: Vec<String> = shares
        .iter()
        .filter(worth_saying)
        .take(3)
        .map(|(share, message)| fill(message, &[("share", &percent(*share, ANSWER_DIGITS, lang))]))
        .collect();
    if estimate.idle_gpus() > 0 {
        causes.push(fill(m.cause_batch, &[("idle", &number::fixed(f64::from(estimate.idle_gpus()), 0, lang))]));
    }
    causes
}
