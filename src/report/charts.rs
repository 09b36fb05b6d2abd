//! The four charts: time and cost, against GPUs and against bandwidth.

mod numbers;

use super::Answers;
use super::sweep::Sweep;
use crate::chart::{Axis, Bounds, ChartSpec, Mark, MarkKind, Scale, Series, Side, Span, power_of_two_ticks, ticks, time_ticks};
use crate::locale::quantity::{ANSWER_DIGITS, bandwidth, count, dollars, duration, percent, tick_duration, whole};
use crate::locale::{Lang, fill, number};
use crate::model::Estimate;
use crate::scenario::Param;

pub use numbers::numbers;

/// The charts of the calculator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chart {
    /// Time against GPUs.
    TimeGpus,
    /// Cost against GPUs.
    CostGpus,
    /// Time against bandwidth.
    TimeBandwidth,
    /// Cost against bandwidth.
    CostBandwidth,
}

impl Chart {
    /// Every chart, in the order in which they are shown.
    pub const ALL: [Chart; 4] = [Chart::TimeGpus, Chart::CostGpus, Chart::TimeBandwidth, Chart::CostBandwidth];

    /// Stable key, as on the command line and in addresses.
    pub const fn key(self) -> &'static str {
        match self {
            Chart::TimeGpus => "time-gpus",
            Chart::CostGpus => "cost-gpus",
            Chart::TimeBandwidth => "time-bandwidth",
            Chart::CostBandwidth => "cost-bandwidth",
        }
    }

    /// What it plots over what, in words.
    pub const fn name(self, lang: Lang) -> &'static str {
        let m = lang.messages();
        match self {
            Chart::TimeGpus => m.chart_time_by_gpus,
            Chart::CostGpus => m.chart_cost_by_gpus,
            Chart::TimeBandwidth => m.chart_time_by_bandwidth,
            Chart::CostBandwidth => m.chart_cost_by_bandwidth,
        }
    }

    /// The chart with this key.
    pub fn from_key(key: &str) -> Option<Chart> {
        Chart::ALL.into_iter().find(|chart| chart.key() == key)
    }

    /// The parameter along the x-axis.
    pub const fn x_param(self) -> Param {
        match self {
            Chart::TimeGpus | Chart::CostGpus => Param::Gpus,
            Chart::TimeBandwidth | Chart::CostBandwidth => Param::Bandwidth,
        }
    }

    fn sweep(self, answers: &Answers) -> &Sweep {
        if self.over_gpus() { &answers.by_gpus } else { &answers.by_bandwidth }
    }

    const fn over_gpus(self) -> bool {
        matches!(self, Chart::TimeGpus | Chart::CostGpus)
    }
}

/// What is measured along the y-axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Time,
    Dollars,
    GpuHours,
}

impl Measure {
    /// What a chart of these answers measures.
    fn on(chart: Chart, answers: &Answers) -> Measure {
        match chart {
            Chart::TimeGpus | Chart::TimeBandwidth => Measure::Time,
            _ if answers.cluster.bill.usd.is_some() => Measure::Dollars,
            _ => Measure::GpuHours,
        }
    }

    fn of(self, estimate: &Estimate) -> f64 {
        match self {
            Measure::Time => estimate.time_s,
            Measure::Dollars => estimate.bill.usd.unwrap_or(f64::NAN),
            Measure::GpuHours => estimate.bill.gpu_hours,
        }
    }

    fn show(self, value: f64, digits: usize, lang: Lang) -> String {
        match self {
            Measure::Time => duration(value, digits, lang),
            Measure::Dollars => dollars(value, digits, lang),
            Measure::GpuHours => format!("{} h", count(value, digits, lang)),
        }
    }
}

/// Ticks wanted along an axis; the layout drops those whose labels would touch.
const X_TICKS: usize = 6;
const Y_TICKS: usize = 5;

/// The chart of `answers`, ready to be laid out.
pub fn chart(chart: Chart, answers: &Answers, lang: Lang) -> ChartSpec {
    chart_beside(chart, answers, None, lang)
}

/// The same, with the cluster of a pinned scenario, A, beside the present one.
pub fn chart_beside(chart: Chart, answers: &Answers, pinned: Option<&Answers>, lang: Lang) -> ChartSpec {
    let m = lang.messages();
    let sweep = chart.sweep(answers);
    let measure = Measure::on(chart, answers);
    let single = answers.single.fits.then(|| measure.of(&answers.single));
    let last = sweep.points.last().map_or(0.0, |(x, _)| *x);
    let beside = pinned.map(|pinned| line(chart.sweep(pinned), last, measure, m.pinned_short));
    let series: Vec<Series> = beside.iter().cloned().chain(series(sweep, single, measure, answers, lang)).collect();
    let values = series
        .iter()
        .flat_map(|s| s.points.iter().filter_map(|(_, y)| *y).chain(s.band.iter().filter_map(|(_, b)| *b).flat_map(|(lo, hi)| [lo, hi])));
    let y_bounds = Bounds::covering(Scale::Log, values).map(|bounds| bounds.padded(0.04));
    let x_bounds = Bounds::covering(Scale::Log, sweep.points.iter().map(|(x, _)| *x));
    // A sweep has at least two ascending positive values; an empty chart still has axes.
    let x_bounds = x_bounds.unwrap_or_else(unit_bounds);
    let y_bounds = y_bounds.unwrap_or_else(unit_bounds);
    let x = if chart.over_gpus() {
        Axis::new(m.axis_gpus, x_bounds, &power_of_two_ticks(x_bounds, X_TICKS), |v| whole(v, lang))
    } else {
        Axis::new(m.axis_bandwidth, x_bounds, &ticks(x_bounds, X_TICKS), |v| number::significant(v, 3, lang))
    };
    let y_ticks = if measure == Measure::Time { time_ticks(y_bounds, Y_TICKS) } else { ticks(y_bounds, Y_TICKS) };
    let y = Axis::new("", y_bounds, &y_ticks, |v| {
        if measure == Measure::Time { tick_duration(v, lang) } else { measure.show(v, ANSWER_DIGITS, lang) }
    });
    ChartSpec {
        id: chart.key().to_string(),
        title: title(chart, answers, measure, lang),
        subtitle: subtitle(chart, measure, lang).to_string(),
        caption: caption(chart, sweep, answers, measure, lang),
        x,
        y,
        series,
        marks: marks(chart, answers, measure, single, lang),
        spans: spans(sweep, m.does_not_fit_here),
    }
}

fn unit_bounds() -> Bounds {
    match Bounds::log(1.0, 10.0) {
        Ok(bounds) => bounds,
        // One and ten are finite, positive and in order.
        Err(error) => unreachable!("{error}"),
    }
}

/// Whether an estimate has a place on a chart, and which.
fn plotted(estimate: &Option<Estimate>, measure: Measure) -> Option<f64> {
    estimate.as_ref().filter(|e| e.fits && e.uptime.progresses).map(|e| measure.of(e)).filter(|value| value.is_finite())
}

/// The cluster of another scenario as a line up to `last`.
fn line(sweep: &Sweep, last: f64, measure: Measure, label: &str) -> Series {
    let points = sweep.points.iter().filter(|(x, _)| *x <= last).map(|(x, estimate)| (*x, plotted(estimate, measure)));
    Series { side: Side::Neutral, label: label.to_string(), dashed: true, points: points.collect(), band: Vec::new() }
}

fn series(sweep: &Sweep, single: Option<f64>, measure: Measure, answers: &Answers, lang: Lang) -> Vec<Series> {
    let m = lang.messages();
    let point = |estimate: &Option<Estimate>| plotted(estimate, measure);
    let band = |estimate: &Option<Estimate>| {
        estimate.as_ref().zip(point(estimate)).map(|(e, y)| (y * answers.band(e).low, y * answers.band(e).high))
    };
    let cluster = Series {
        side: Side::First,
        label: m.cluster_short.to_string(),
        dashed: false,
        points: sweep.points.iter().map(|(x, e)| (*x, point(e))).collect(),
        band: sweep.points.iter().map(|(x, e)| (*x, band(e))).collect(),
    };
    let ends = || [sweep.points.first(), sweep.points.last()].into_iter().flatten().map(|(x, _)| *x);
    let one = single.map(|y| {
        let factors = answers.band(&answers.single);
        Series {
            side: Side::Second,
            label: m.single_short.to_string(),
            dashed: true,
            points: ends().map(|x| (x, Some(y))).collect(),
            band: ends().map(|x| (x, Some((y * factors.low, y * factors.high)))).collect(),
        }
    });
    one.into_iter().chain([cluster]).collect()
}

fn marks(chart: Chart, answers: &Answers, measure: Measure, single: Option<f64>, lang: Lang) -> Vec<Mark> {
    let mut marks = Vec::new();
    let overtaking = match (chart, single) {
        (_, None) => None,
        (Chart::TimeGpus, Some(_)) => answers.faster_from.filter(|&n| n > 1).map(f64::from),
        (Chart::CostGpus, Some(_)) => answers.cheaper_from.filter(|&n| n > 1).map(f64::from),
        (Chart::TimeBandwidth, Some(_)) => answers.bandwidth_to_win,
        (Chart::CostBandwidth, Some(_)) => None,
    };
    if let (Some(x), Some(y)) = (overtaking, single) {
        let label = if chart.over_gpus() { count(x, 3, lang) } else { bandwidth(x, ANSWER_DIGITS, lang) };
        marks.push(Mark { kind: MarkKind::Crossover, x, y, side: Side::Neutral, label });
    }
    if answers.cluster.fits && answers.cluster.uptime.progresses {
        let x = answers.scenario.number(chart.x_param());
        marks.push(Mark { kind: MarkKind::Present, x, y: measure.of(&answers.cluster), side: Side::First, label: String::new() });
    }
    marks
}

/// Runs of the sweep in which nothing fits.
fn spans(sweep: &Sweep, label: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut open: Option<f64> = None;
    let mut before = None;
    for (x, estimate) in &sweep.points {
        let fits = estimate.as_ref().is_some_and(|e| e.fits);
        match (fits, open) {
            (false, None) => open = Some(before.unwrap_or(*x)),
            (true, Some(from)) => {
                spans.push(Span { from, to: *x, label: label.to_string() });
                open = None;
            }
            _ => {}
        }
        before = Some(*x);
    }
    if let (Some(from), Some(to)) = (open, before) {
        spans.push(Span { from, to, label: label.to_string() });
    }
    spans
}

fn title(chart: Chart, answers: &Answers, measure: Measure, lang: Lang) -> String {
    let m = lang.messages();
    let gpus = |n: u32| number::fixed(f64::from(n), 0, lang);
    match chart {
        Chart::TimeGpus => match (answers.single.fits, answers.faster_from, answers.fits_from) {
            (_, _, None) => m.chart_fits_never.to_string(),
            (false, _, Some(n)) if n > 1 => fill(m.chart_fits_from, &[("n", &gpus(n))]),
            (true, None, _) => m.chart_time_never.to_string(),
            (_, Some(n), _) if n > 1 => fill(m.chart_time_from, &[("n", &gpus(n))]),
            _ => m.chart_time_always.to_string(),
        },
        Chart::CostGpus if measure == Measure::GpuHours => m.chart_cost_unknown.to_string(),
        Chart::CostGpus => cost_title(answers, lang),
        Chart::TimeBandwidth => {
            let wins = answers.cluster.fits && answers.by_bandwidth.fitting().any(|(_, e)| e.time_s < answers.single.time_s);
            match (answers.bandwidth_to_win, wins || !answers.single.fits) {
                _ if !answers.cluster.fits => m.chart_fits_never.to_string(),
                (Some(x), _) => fill(m.chart_bandwidth_from, &[("bandwidth", &bandwidth(x, ANSWER_DIGITS, lang))]),
                (None, true) => m.chart_bandwidth_always.to_string(),
                (None, false) => m.chart_bandwidth_never.to_string(),
            }
        }
        Chart::CostBandwidth => match tenth_of_bandwidth(answers, measure) {
            Some(factor) if factor > 1.05 => {
                fill(m.chart_bandwidth_cost_tenth, &[("factor", &number::significant(factor, ANSWER_DIGITS, lang))])
            }
            Some(_) => m.chart_bandwidth_cost_flat.to_string(),
            None => m.chart_fits_never.to_string(),
        },
    }
}

fn cost_title(answers: &Answers, lang: Lang) -> String {
    let m = lang.messages();
    let gpus = number::fixed(f64::from(answers.cluster.cluster.gpus), 0, lang);
    let (true, true, Some(one), Some(many)) =
        (answers.single.fits, answers.cluster.fits, answers.single.bill.usd, answers.cluster.bill.usd)
    else {
        return m.chart_cost_unfit.to_string();
    };
    let share = |ratio: f64| percent(ratio - 1.0, ANSWER_DIGITS, lang);
    let less = percent(1.0 - many / one, ANSWER_DIGITS, lang);
    match many / one {
        ratio if ratio > 1.01 => fill(m.chart_cost_more, &[("gpus", &gpus), ("share", &share(ratio))]),
        ratio if ratio < 0.99 => fill(m.chart_cost_less, &[("gpus", &gpus), ("share", &less)]),
        _ => fill(m.chart_cost_same, &[("gpus", &gpus)]),
    }
}

/// How many times the measure grows when the bandwidth falls to a tenth, read from the sweep.
fn tenth_of_bandwidth(answers: &Answers, measure: Measure) -> Option<f64> {
    let target = answers.scenario.number(Param::Bandwidth) / 10.0;
    let nearest = answers.by_bandwidth.fitting().min_by(|(a, _), (b, _)| (a / target).ln().abs().total_cmp(&(b / target).ln().abs()))?;
    answers.cluster.fits.then(|| measure.of(nearest.1) / measure.of(&answers.cluster))
}

fn subtitle(chart: Chart, measure: Measure, lang: Lang) -> &'static str {
    let m = lang.messages();
    match (chart.over_gpus(), measure) {
        (true, Measure::Time) => m.chart_time_by_gpus,
        (true, Measure::Dollars) => m.chart_cost_by_gpus,
        (true, Measure::GpuHours) => m.chart_hours_by_gpus,
        (false, Measure::Time) => m.chart_time_by_bandwidth,
        (false, Measure::Dollars) => m.chart_cost_by_bandwidth,
        (false, Measure::GpuHours) => m.chart_hours_by_bandwidth,
    }
}

fn caption(chart: Chart, sweep: &Sweep, answers: &Answers, measure: Measure, lang: Lang) -> String {
    let m = lang.messages();
    let show = |e: &Estimate| if e.fits { measure.show(measure.of(e), ANSWER_DIGITS, lang) } else { m.does_not_fit.to_string() };
    let last = sweep.points.last();
    let end = last.and_then(|(_, e)| e.as_ref()).map_or_else(|| m.does_not_fit.to_string(), show);
    let last = last.map_or(0.0, |(x, _)| *x);
    let gpus = number::fixed(f64::from(answers.cluster.cluster.gpus), 0, lang);
    let (single, cluster) = (show(&answers.single), show(&answers.cluster));
    if chart.over_gpus() {
        let last = number::fixed(last, 0, lang);
        fill(m.chart_caption_gpus, &[("single", &single), ("gpus", &gpus), ("cluster", &cluster), ("last", &last), ("end", &end)])
    } else {
        let present = bandwidth(answers.scenario.number(Param::Bandwidth), 3, lang);
        let last = bandwidth(last, 3, lang);
        fill(
            m.chart_caption_bandwidth,
            &[("single", &single), ("gpus", &gpus), ("bandwidth", &present), ("cluster", &cluster), ("last", &last), ("end", &end)],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::Scenario;

    fn with(settings: &[(&str, &str)]) -> Answers {
        let mut scenario = Scenario::default();
        for (key, value) in settings {
            scenario.set_key(key, value).unwrap();
        }
        answers(&scenario).unwrap()
    }

    #[test]
    fn titles_state_what_the_data_show() {
        let default = with(&[]);
        let title = chart(Chart::TimeGpus, &default, Lang::En).title;
        assert_eq!(title, format!("From {} GPUs on, the cluster is faster", default.faster_from.unwrap()));
        let large = with(&[("params", "400e9")]);
        assert!(!large.single.fits);
        assert_eq!(chart(Chart::TimeGpus, &large, Lang::De).title, format!("Erst ab {} GPUs passt das Modell", large.fits_from.unwrap()));
    }

    #[test]
    fn a_pinned_scenario_is_a_line_and_a_column_of_its_own() {
        let (a, b) = (with(&[]), with(&[("params", "13e9")]));
        for kind in Chart::ALL {
            let spec = chart_beside(kind, &b, Some(&a), Lang::En);
            assert_eq!(spec.series.len(), chart(kind, &b, Lang::En).series.len() + 1);
            // Reading goes along the present cluster, the last line.
            assert_eq!(spec.series.last(), chart(kind, &b, Lang::En).series.last());
            assert!(spec.series[0].points.iter().any(|(_, y)| y.is_some()));
            let table = numbers(kind, &b, Some(&a), Lang::En);
            assert!(table.rows.iter().all(|row| row.len() == 4) && table.columns.len() == 4);
        }
    }

    #[test]
    fn an_unknown_price_turns_cost_into_gpu_hours() {
        let answers = with(&[("gpu", "rtx3090"), ("params", "1e9")]);
        assert_eq!(answers.cluster.bill.usd, None);
        let spec = chart(Chart::CostGpus, &answers, Lang::En);
        assert_eq!(spec.title, "No price: GPU-hours in place of cost");
        assert!(spec.series.iter().all(|s| s.points.iter().any(|(_, y)| y.is_some())));
    }

    #[test]
    fn where_nothing_fits_is_hatched() {
        let spec = chart(Chart::TimeGpus, &with(&[("params", "400e9")]), Lang::En);
        assert_eq!(spec.spans.len(), 1);
        assert_eq!(spec.spans[0].from, 1.0);
    }

    #[test]
    fn each_chart_has_marks_a_caption_and_a_full_table() {
        let answers = with(&[]);
        for kind in Chart::ALL {
            let spec = chart(kind, &answers, Lang::De);
            assert!(spec.marks.iter().any(|mark| mark.kind == MarkKind::Present), "{}", spec.id);
            let table = numbers(kind, &answers, None, Lang::De);
            assert!(!spec.caption.is_empty() && table.rows.len() == spec.series.last().unwrap().points.len());
            assert!(table.rows.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())));
        }
    }
}
