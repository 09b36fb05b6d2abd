//! The charts of claims that none of the calculator's four shows.

use super::{DOUBLINGS, Sized};
use crate::chart::{Axis, Bounds, ChartSpec, DataTable, Mark, MarkKind, Scale, Series, Side, power_of_two_ticks, ticks, time_ticks};
use crate::locale::quantity::{ANSWER_DIGITS, bandwidth, bytes, count, duration, percent, tick_duration, whole};
use crate::locale::{Lang, Text, fill, number};
use crate::model::federated::Federation;
use crate::model::loss::BESIROGLU_2024;
use crate::report::Answers;
use crate::scenario::Param;

/// A chart and its numbers.
pub type Plot = (ChartSpec, DataTable);

/// An axis, and how its values are written in the table.
struct Along<'a> {
    axis: Axis,
    value: &'a dyn Fn(f64) -> String,
}

/// What is said of a chart.
struct Words {
    title: Text,
    subtitle: Text,
    caption: Text,
}

impl Words {
    /// A chart of `series` with the point at which to look; `places` fill title and caption.
    fn chart<const N: usize>(
        &self,
        id: &str,
        places: [(&str, String); N],
        [x, y]: [Along; 2],
        series: Vec<Series>,
        mark: Mark,
        lang: Lang,
    ) -> Plot {
        let places = places.each_ref().map(|(name, value)| (*name, value.as_str()));
        let numbers = numbers(&x, &y, &series, self.subtitle.in_lang(lang), lang);
        let spec = ChartSpec {
            id: id.to_string(),
            title: fill(self.title.in_lang(lang), &places),
            subtitle: self.subtitle.in_lang(lang).to_string(),
            caption: fill(self.caption.in_lang(lang), &places),
            x: x.axis,
            y: y.axis,
            series,
            marks: vec![mark],
            spans: Vec::new(),
        };
        (spec, numbers)
    }
}

/// The plotted values: a row per point of the last line, a column per line; `plotted` names a line without a name.
fn numbers(x: &Along, y: &Along, series: &[Series], plotted: &str, lang: Lang) -> DataTable {
    let name = |one: &Series| if one.label.is_empty() { plotted.to_string() } else { one.label.clone() };
    let columns = std::iter::once(x.axis.label.clone()).chain(series.iter().rev().map(name)).collect();
    let at = |one: &Series, here: f64| {
        let value = one.points.iter().find(|(x, _)| *x == here).and_then(|(_, value)| *value);
        value.map_or_else(|| lang.messages().does_not_fit.to_string(), y.value)
    };
    let row =
        |(here, _): &(f64, Option<f64>)| std::iter::once((x.value)(*here)).chain(series.iter().rev().map(|one| at(one, *here))).collect();
    let rows = series.last().map_or_else(Vec::new, |last| last.points.iter().map(row).collect());
    DataTable { columns, rows }
}

/// Where the claim's own scenario stands.
fn present((x, y): (f64, f64)) -> Mark {
    Mark { kind: MarkKind::Present, x, y, side: Side::First, label: String::new() }
}

/// The axis of GPUs, or of rounds.
fn doubling(label: &'static str, bounds: Bounds, lang: Lang) -> Axis {
    Axis::new(label, bounds, &power_of_two_ticks(bounds, 6), |v| whole(v, lang))
}

const LOSS: Words = Words {
    title: Text { de: "Der Verlust bleibt {loss}, auf wie vielen GPUs auch immer", en: "The loss stays {loss}, on however many GPUs" },
    subtitle: Text { de: "Vorhergesagter Verlust, nat je Token, über GPUs", en: "Predicted loss, nat per token, over GPUs" },
    caption: Text {
        de: "Von {from} bis {to} GPUs ist der vorhergesagte Verlust {loss}; doppelt so viele Token senken ihn auf {better}.",
        en: "From {from} to {to} GPUs the predicted loss is {loss}; twice the tokens lower it to {better}.",
    },
};
const SAME_TOKENS: Text = Text { de: "gleiche Token", en: "same tokens" };
const TWICE_TOKENS: Text = Text { de: "doppelte Token", en: "twice the tokens" };

const BYTES: Words = Words {
    title: Text {
        de: "Keine Rohdaten, dafür in {rounds} Runden {factor}-mal so viele Bytes an Änderungen",
        en: "No raw data, but {factor} times as many bytes of updates in {rounds} rounds",
    },
    subtitle: Text { de: "Übertragene Bytes über Runden", en: "Bytes sent over rounds" },
    caption: Text {
        de: "Zusammenführen überträgt {raw} Rohdaten ein einziges Mal. Föderiert wandern je Runde {round} an Modellen und Änderungen, nach {rounds} Runden {all}.",
        en: "Gathering sends {raw} of raw data, once. Federated training sends {round} of models and updates a round, {all} after {rounds} rounds.",
    },
};
const ROUNDS: Text = Text { de: "Runden", en: "rounds" };
const RAW: Text = Text { de: "Rohdaten", en: "raw data" };
const UPDATES: Text = Text { de: "föderiert", en: "federated" };

const LIBRARIES: Words = Words {
    title: Text {
        de: "Bei {bandwidth} dauert derselbe Lauf mit {last} {factor}-mal so lange wie mit {first}",
        en: "At {bandwidth}, the same run takes {factor} times as long with {last} as with {first}",
    },
    subtitle: Text { de: "Trainingszeit über Bandbreite je GPU", en: "Time to train over bandwidth per GPU" },
    caption: Text {
        de: "Derselbe Auftrag auf {gpus} GPUs, mit jeder Bibliothek: {first} {fast}, {last} {slow} bei {bandwidth}.",
        en: "The same job on {gpus} GPUs, with each library: {fast} with {first}, {slow} with {last} at {bandwidth}.",
    },
};

const USEFUL: Words = Words {
    title: Text { de: "Auf {gpus} GPUs sind {goodput} der Zeit nützlich", en: "On {gpus} GPUs, {goodput} of the time is of use" },
    subtitle: Text { de: "Nützlicher Anteil der Zeit über GPUs", en: "Useful share of the time over GPUs" },
    caption: Text {
        de: "Von {from} GPUs mit {best} bis {to} GPUs mit {worst}: Je mehr GPUs, desto öfter fällt eine aus, und alle kehren zum letzten Prüfpunkt zurück.",
        en: "From {best} on {from} GPUs to {worst} on {to}: the more GPUs, the more often one fails, and all return to the last checkpoint.",
    },
};

fn line(side: Side, label: &str, points: &[(f64, f64)]) -> Series {
    Series {
        side,
        label: label.to_string(),
        dashed: side != Side::First,
        points: points.iter().map(|&(x, y)| (x, Some(y))).collect(),
        band: Vec::new(),
    }
}

/// Time to train over the bandwidth, with each library; `all` are answers of the same job by the name of the library, the best first.
pub fn libraries(all: &[(&str, Answers)], lang: Lang) -> Option<Plot> {
    let (own, last) = (all.first()?, all.last()?);
    let lines: Vec<(&str, Vec<(f64, f64)>)> =
        all.iter().map(|(name, answers)| (*name, answers.by_bandwidth.fitting().map(|(x, e)| (x, e.time_s)).collect())).collect();
    let (from, to) = (lines.first()?.1.first()?.0, lines.first()?.1.last()?.0);
    let x_bounds = Bounds::log(from, to).ok()?;
    let times = lines.iter().flat_map(|(_, points)| points.iter().map(|(_, seconds)| *seconds));
    let y_bounds = Bounds::covering(Scale::Log, times)?.padded(0.06);
    let here = own.1.scenario.number(Param::Bandwidth);
    let (fast, slow) = (own.1.cluster.time_s, last.1.cluster.time_s);
    let time = |seconds: f64| duration(seconds, ANSWER_DIGITS, lang);
    let places = [
        ("bandwidth", bandwidth(here, ANSWER_DIGITS, lang)),
        ("factor", number::significant(slow / fast, ANSWER_DIGITS, lang)),
        ("gpus", whole(f64::from(own.1.cluster.cluster.gpus), lang)),
        ("first", own.0.to_string()),
        ("last", last.0.to_string()),
        ("fast", time(fast)),
        ("slow", time(slow)),
    ];
    let m = lang.messages();
    // The best one last: it lies above the others.
    let side = |index: usize| if index == 0 { Side::First } else { Side::Neutral };
    let series = lines.iter().enumerate().rev().map(|(index, (name, points))| line(side(index), name, points));
    let rate = |v: f64| number::significant(v, 3, lang);
    let axes = [
        Along { axis: Axis::new(m.axis_bandwidth, x_bounds, &ticks(x_bounds, 6), rate), value: &rate },
        Along { axis: Axis::new("", y_bounds, &time_ticks(y_bounds, 5), |v| tick_duration(v, lang)), value: &time },
    ];
    Some(LIBRARIES.chart("libraries-bandwidth", places, axes, series.collect(), present((here, fast)), lang))
}

/// The useful share of the time over the number of GPUs.
pub fn useful(answers: &Answers, lang: Lang) -> Option<Plot> {
    let points: Vec<(f64, f64)> = answers.by_gpus.fitting().map(|(gpus, e)| (gpus, e.uptime.goodput)).collect();
    let (from, to) = (*points.first()?, *points.last()?);
    let x_bounds = Bounds::log(from.0, to.0).ok()?;
    let y_bounds = Bounds::covering(Scale::Linear, points.iter().map(|(_, share)| *share))?.padded(0.06);
    let own = (f64::from(answers.cluster.cluster.gpus), answers.cluster.uptime.goodput);
    let share = |value: f64| percent(value, 3, lang);
    let places = [
        ("gpus", whole(own.0, lang)),
        ("goodput", share(own.1)),
        ("from", whole(from.0, lang)),
        ("best", share(from.1)),
        ("to", whole(to.0, lang)),
        ("worst", share(to.1)),
    ];
    let m = lang.messages();
    let axes = [
        Along { axis: doubling(m.axis_gpus, x_bounds, lang), value: &|v| whole(v, lang) },
        Along { axis: Axis::new("", y_bounds, &ticks(y_bounds, 5), |v| percent(v, 2, lang)), value: &share },
    ];
    Some(USEFUL.chart("useful-gpus", places, axes, vec![line(Side::First, "", &points)], present(own), lang))
}

/// The loss over the number of GPUs, with the claim's tokens and with twice as many. `None` where no plan is left for one of the clusters.
pub fn loss(clusters: &[Sized], lang: Lang) -> Option<Plot> {
    if clusters.len() <= DOUBLINGS as usize {
        return None;
    }
    let along = |tokens: f64| -> Vec<(f64, f64)> {
        let point =
            |(setup, cluster): &Sized| (f64::from(cluster.cluster.gpus), BESIROGLU_2024.loss(setup.job.params, setup.job.tokens * tokens));
        clusters.iter().map(point).collect()
    };
    let (same, twice) = (along(1.0), along(2.0));
    let (from, to) = (*same.first()?, *same.last()?);
    let x_bounds = Bounds::log(from.0, to.0).ok()?;
    let y_bounds = Bounds::covering(Scale::Linear, same.iter().chain(&twice).map(|(_, loss)| *loss))?.padded(1.0);
    let nat = |value: f64| number::significant(value, 4, lang);
    let m = lang.messages();
    let places = [("from", whole(from.0, lang)), ("to", whole(to.0, lang)), ("loss", nat(from.1)), ("better", nat(twice.first()?.1))];
    let series = vec![line(Side::Neutral, TWICE_TOKENS.in_lang(lang), &twice), line(Side::First, SAME_TOKENS.in_lang(lang), &same)];
    let axes = [
        Along { axis: doubling(m.axis_gpus, x_bounds, lang), value: &|v| whole(v, lang) },
        Along { axis: Axis::new("", y_bounds, &ticks(y_bounds, 5), |v| number::significant(v, 3, lang)), value: &nat },
    ];
    Some(LOSS.chart("loss-gpus", places, axes, series, present(from), lang))
}

/// Bytes over the network by the rounds of a federation, against gathering the raw data once.
pub fn bytes_by_rounds(federation: &Federation, lang: Lang) -> Option<Plot> {
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
    let equal = federation.gathering().rounds_of_equal_bytes;
    let places = [
        ("factor", number::significant(sent(rounds) / raw, ANSWER_DIGITS, lang)),
        ("raw", size(raw)),
        ("round", size(sent(1.0))),
        ("rounds", whole(rounds, lang)),
        ("all", size(sent(rounds))),
    ];
    let series = vec![line(Side::Second, RAW.in_lang(lang), &gathered), line(Side::First, UPDATES.in_lang(lang), &updates)];
    let mark = Mark { kind: MarkKind::Crossover, x: equal, y: raw, side: Side::Neutral, label: count(equal, 2, lang) };
    let axes = [
        Along { axis: doubling(ROUNDS.in_lang(lang), x_bounds, lang), value: &|v| whole(v, lang) },
        Along { axis: Axis::new("", y_bounds, &ticks(y_bounds, 5), size), value: &size },
    ];
    Some(BYTES.chart("bytes-rounds", places, axes, series, mark, lang))
}
