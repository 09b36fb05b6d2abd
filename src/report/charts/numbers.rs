//! The plotted numbers as a table. Worked out when somebody reads it, not with every chart.

use super::{Answers, Chart, Measure, plotted};
use crate::chart::DataTable;
use crate::locale::quantity::bandwidth;
use crate::locale::{Lang, number};
use crate::model::Estimate;

/// Digits of a figure.
const DIGITS: usize = 3;

/// The numbers of a chart, a row per point of the cluster's line; with a pinned scenario, A, a column for its cluster.
pub fn numbers(chart: Chart, answers: &Answers, pinned: Option<&Answers>, lang: Lang) -> DataTable {
    let m = lang.messages();
    let measure = Measure::on(chart, answers);
    let show = |value: Option<f64>| value.map_or_else(|| m.does_not_fit.to_string(), |value| measure.show(value, DIGITS, lang));
    let one = show(answers.single.fits.then(|| measure.of(&answers.single)));
    let beside = |x: f64, pinned: &Answers| {
        let point = chart.sweep(pinned).points.iter().find(|(at, _)| *at == x);
        show(point.and_then(|(_, estimate)| plotted(estimate, measure)))
    };
    let rows = chart.sweep(answers).points.iter().map(|(x, estimate): &(f64, Option<Estimate>)| {
        let shown_x = if chart.over_gpus() { number::fixed(*x, 0, lang) } else { bandwidth(*x, DIGITS, lang) };
        let cluster = show(estimate.as_ref().filter(|e| e.fits).map(|e| measure.of(e)));
        [shown_x, cluster, one.clone()].into_iter().chain(pinned.map(|pinned| beside(*x, pinned))).collect()
    });
    let first = if chart.over_gpus() { m.column_gpus } else { m.column_bandwidth };
    let columns = [first, m.cluster, m.single].into_iter().chain(pinned.map(|_| m.pinned_short));
    DataTable { columns: columns.map(String::from).collect(), rows: rows.collect() }
}
