//! The charts of claims that none of the calculator's four shows.

use super::times;
use crate::chart::{Axis, Bounds, ChartSpec, Mark, MarkKind, Scale, Series, Side, power_of_two_ticks, ticks};
use crate::locale::quantity::{ANSWER_DIGITS, bytes, count};
use crate::locale::{Lang, Text, fill, number};
use crate::model::federated::Federation;
use crate::model::loss::BESIROGLU_2024;
use crate::report::Answers;

const LOSS_TITLE: Text =
    Text { de: "Der Verlust bleibt {loss}, auf wie vielen GPUs auch immer", en: "The loss stays {loss}, on however many GPUs" };
const LOSS_SUBTITLE: Text = Text { de: "Vorhergesagter Verlust, nat je Token, über GPUs", en: "Predicted loss, nat per token, over GPUs" };
const LOSS_CAPTION: Text = Text {
    de: "Von {from} bis {to} GPUs ist der vorhergesagte Verlust {loss}; doppelt so viele Token senken ihn auf {better}.",
    en: "From {from} to {to} GPUs the predicted loss is {loss}; twice the tokens lower it to {better}.",
};
const SAME_TOKENS: Text = Text { de: "gleiche Token", en: "same tokens" };
const TWICE_TOKENS: Text = Text { de: "doppelte Token", en: "twice the tokens" };

const BYTES_TITLE: Text = Text {
    de: "Keine Rohdaten, dafür in {rounds} Runden {factor}-mal so viele Bytes an Änderungen",
    en: "No raw data, but {factor} times as many bytes of updates in {rounds} rounds",
};
const BYTES_SUBTITLE: Text = Text { de: "Übertragene Bytes über Runden", en: "Bytes sent over rounds" };
const BYTES_CAPTION: Text = Text {
    de: "Zusammenführen überträgt {raw} Rohdaten ein einziges Mal. Föderiert wandern je Runde {round} an Modellen und Änderungen, nach {rounds} Runden {all}.",
    en: "Gathering sends {raw} of raw data, once. Federated training sends {round} of models and updates a round, {all} after {rounds} rounds.",
};
const ROUNDS: Text = Text { de: "Runden", en: "rounds" };
const RAW: Text = Text { de: "Rohdaten", en: "raw data" };
const UPDATES: Text = Text { de: "föderiert", en: "federated" };

/// Doublings of the GPUs that the chart of the loss spans.
const DOUBLINGS: u32 = 5;

fn line(side: Side, label: Text, points: &[(f64, f64)], lang: Lang) -> Series {
    Series {
        side,
        label: label.in_lang(lang).to_string(),
        dashed: side != Side::First,
        points: points.iter().map(|&(x, y)| (x, Some(y))).collect(),
        band: Vec::new(),
    }
}

/// The loss over the number of GPUs, with the claim's tokens and with twice as many. `None` where no plan is left.
pub fn loss(answers: &Answers, lang: Lang) -> Option<ChartSpec> {
    let clusters: Vec<Answers> = (0..=DOUBLINGS).map(|power| times(answers, 2f64.powi(power as i32))).collect::<Option<_>>()?;
    let of = |tokens: f64| move |one: &Answers| BESIROGLU_2024.loss(one.setup.job.params, one.setup.job.tokens * tokens);
    let gpus = |one: &Answers| f64::from(one.cluster.cluster.gpus);
    let along = |tokens: f64| clusters.iter().map(|one| (gpus(one), of(tokens)(one))).collect::<Vec<_>>();
    let (same, twice) = (along(1.0), along(2.0));
    let (from, to) = (*same.first()?, *same.last()?);
    let x_bounds = Bounds::log(from.0, to.0).ok()?;
    let y_bounds = Bounds::covering(Scale::Linear, same.iter().chain(&twice).map(|(_, loss)| *loss))?.padded(1.0);
    let nat = |value: f64| number::significant(value, 4, lang);
    let m = lang.messages();
    let places = [("from", count(from.0, 4, lang)), ("to", count(to.0, 4, lang)), ("loss", nat(from.1)), ("better", nat(twice.first()?.1))];
    let places = places.each_ref().map(|(name, value)| (*name, value.as_str()));
    Some(ChartSpec {
        id: "loss-gpus".to_string(),
        title: fill(LOSS_TITLE.in_lang(lang), &places),
        subtitle: LOSS_SUBTITLE.in_lang(lang).to_string(),
        caption: fill(LOSS_CAPTION.in_lang(lang), &places),
        x: Axis::new(m.axis_gpus, x_bounds, &power_of_two_ticks(x_bounds, 6), |v| count(v, 4, lang)),
        y: Axis::new("", y_bounds, &ticks(y_bounds, 5), |v| number::significant(v, 3, lang)),
        series: vec![line(Side::Neutral, TWICE_TOKENS, &twice, lang), line(Side::First, SAME_TOKENS, &same, lang)],
        marks: vec![Mark { kind: MarkKind::Present, x: from.0, y: from.1, side: Side::First, label: String::new() }],
        spans: Vec::new(),
    })
}

/// Bytes over the network by the rounds of a federation, against gathering the raw data once.
pub fn bytes_by_rounds(federation: &Federation, lang: Lang) -> Option<ChartSpec> {
    let rounds = federation.rounds_for_epochs(1.0).ceil().max(2.0);
    let raw = federation.gathering().bytes;
    let sent = |rounds: f64| federation.run(rounds).bytes;
    let powers = std::iter::successors(Some(1.0), |x| Some(x * 2.0)).take_while(|x| *x < rounds);
    let at: Vec<f64> = powers.chain([rounds]).collect();
    let updates: Vec<(f64, f64)> = at.iter().map(|&x| (x, sent(x))).collect();
    let gathered: Vec<(f64, f64)> = at.iter().map(|&x| (x, raw)).collect();
    let x_bounds = Bounds::log(1.0, rounds).ok()?;
    let y_bounds = Bounds::covering(Scale::Log, updates.iter().chain(&gathered).map(|(_, bytes)| *bytes))?.padded(0.06);
    let size = |value: f64| bytes(value, ANSWER_DIGITS, lang);
    let whole = |value: f64| number::fixed(value, 0, lang);
    let equal = federation.gathering().rounds_of_equal_bytes;
    let title = [("rounds", whole(rounds)), ("factor", number::significant(sent(rounds) / raw, ANSWER_DIGITS, lang))];
    let places = [("raw", size(raw)), ("round", size(sent(1.0))), ("rounds", whole(rounds)), ("all", size(sent(rounds)))];
    Some(ChartSpec {
        id: "bytes-rounds".to_string(),
        title: fill(BYTES_TITLE.in_lang(lang), &title.each_ref().map(|(name, value)| (*name, value.as_str()))),
        subtitle: BYTES_SUBTITLE.in_lang(lang).to_string(),
        caption: fill(BYTES_CAPTION.in_lang(lang), &places.each_ref().map(|(name, value)| (*name, value.as_str()))),
        x: Axis::new(ROUNDS.in_lang(lang), x_bounds, &power_of_two_ticks(x_bounds, 6), |v| count(v, 4, lang)),
        y: Axis::new("", y_bounds, &ticks(y_bounds, 5), size),
        series: vec![line(Side::Second, RAW, &gathered, lang), line(Side::First, UPDATES, &updates, lang)],
        marks: vec![Mark { kind: MarkKind::Crossover, x: equal, y: raw, side: Side::Neutral, label: count(equal, 2, lang) }],
        spans: Vec::new(),
    })
}
