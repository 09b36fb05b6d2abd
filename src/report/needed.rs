//! Which bandwidth between machines a share of the full speed needs, and what failures leave of the time.

use super::sweep::{Sweep, at_bandwidth, crossing};
use crate::chart::DataTable;
use crate::locale::quantity::{ANSWER_DIGITS, bandwidth, duration, percent};
use crate::locale::{Lang, number};
use crate::model::Estimate;
use crate::scenario::{Param, Setup};

/// Shares of the speed without waiting for the network, for which the bandwidth is told.
pub const EFFICIENCIES: [f64; 4] = [0.5, 0.75, 0.9, 0.95];

/// Gbit/s per GPU at which nothing waits for the network any more.
const ENDLESS_GBIT: f64 = 1e9;

/// For each of [`EFFICIENCIES`], the Gbit/s per GPU at which the run takes at most its share of the time; `None` if the slowest network of
/// the calculator suffices, or if the job fits nowhere.
pub fn needed(setup: &Setup, sweep: &Sweep) -> Vec<(f64, Option<f64>)> {
    let endless = at_bandwidth(setup, ENDLESS_GBIT).filter(|estimate| estimate.fits);
    let time = |estimate: &Estimate| estimate.step.total() / estimate.step_seqs;
    EFFICIENCIES
        .map(|efficiency| {
            let found = endless.as_ref().and_then(|endless| {
                let target = time(endless) / efficiency;
                let mut before: Option<(f64, f64)> = None;
                for (x, estimate) in sweep.fitting() {
                    let value = time(estimate);
                    if value <= target {
                        return before.map(|before| crossing(before, (x, value), target));
                    }
                    before = Some((x, value));
                }
                Some(f64::INFINITY)
            });
            (efficiency, found)
        })
        .to_vec()
}

/// The bandwidths as a table of texts.
pub fn table(setup: &Setup, sweep: &Sweep, lang: Lang) -> DataTable {
    let m = lang.messages();
    let (_, most) = Param::Bandwidth.row().kind.range();
    let rows = needed(setup, sweep).into_iter().map(|(efficiency, gbit)| {
        let shown = match gbit {
            None => m.needed_any.to_string(),
            Some(gbit) if gbit > most => m.needed_more.to_string(),
            Some(gbit) => bandwidth(gbit, ANSWER_DIGITS, lang),
        };
        vec![percent(efficiency, ANSWER_DIGITS, lang), shown]
    });
    DataTable { columns: [m.column_efficiency, m.column_bandwidth].map(String::from).to_vec(), rows: rows.collect() }
}

/// Useful time, failures and checkpoints over the number of GPUs, as a table of texts.
pub fn failures(sweep: &Sweep, lang: Lang) -> DataTable {
    let m = lang.messages();
    let rows = sweep.fitting().map(|(gpus, estimate)| {
        let uptime = &estimate.uptime;
        let failures = if estimate.failures < 0.05 {
            m.none_expected.to_string()
        } else {
            number::significant(estimate.failures, ANSWER_DIGITS, lang)
        };
        vec![
            number::fixed(gpus, 0, lang),
            duration(uptime.mtbf_s, ANSWER_DIGITS, lang),
            failures,
            duration(uptime.interval_s, ANSWER_DIGITS, lang),
            duration(uptime.checkpoint_s, ANSWER_DIGITS, lang),
            if uptime.progresses { percent(uptime.goodput, 3, lang) } else { m.no_progress.to_string() },
        ]
    });
    let columns = [m.column_gpus, m.column_mtbf, m.failures, m.column_interval, m.column_checkpoint, m.column_goodput];
    DataTable { columns: columns.map(String::from).to_vec(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::Scenario;

    #[test]
    fn more_efficiency_needs_more_bandwidth() {
        let answers = answers(&Scenario::default()).unwrap();
        let found = needed(&answers.setup, &answers.by_bandwidth);
        let gbits: Vec<f64> = found.iter().filter_map(|(_, gbit)| *gbit).collect();
        assert_eq!(gbits.len(), 4);
        assert!(gbits.windows(2).all(|pair| pair[0] <= pair[1]), "{gbits:?}");
        // At the bandwidth told, the run is that efficient, within a step of the sweep.
        let endless = at_bandwidth(&answers.setup, ENDLESS_GBIT).unwrap();
        let there = at_bandwidth(&answers.setup, gbits[1]).unwrap();
        let efficiency = endless.step.total() / there.step.total();
        assert!((efficiency - 0.75).abs() < 0.06, "{efficiency}");
    }

    #[test]
    fn failures_grow_with_the_cluster() {
        let answers = answers(&Scenario::default()).unwrap();
        let table = failures(&answers.by_gpus, Lang::En);
        assert!(table.rows.len() > 10 && table.rows.iter().all(|row| row.len() == table.columns.len()));
    }
}
