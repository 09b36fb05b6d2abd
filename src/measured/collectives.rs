//! The all-reduce law against measured curves: α + α₁·(n−1) + √(r·B/β) + B/β with B = 2(n−1)/n·S bytes on the wire.
//!
//! The root is the climb from latency to bandwidth that protocols and chunks make; without it, messages of a few megabytes are predicted
//! up to twice too fast.

use super::least_squares::{minimise, robust};
use super::score::quantile;
use levenberg_marquardt::LevenbergMarquardt;
use nalgebra::DVector;
use serde::Serialize;
use std::collections::BTreeMap;

/// Messages above this size are what training sends.
pub const LARGE_BYTES: f64 = 4e6;

/// A measured all-reduce.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Key of the row.
    pub id: String,
    /// Ranks.
    pub ranks: f64,
    /// Message of one rank, bytes.
    pub bytes: f64,
    /// Seconds.
    pub time_s: f64,
}

/// The constants of a system.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Law {
    /// Seconds of the smallest message.
    pub latency_s: f64,
    /// Further seconds per rank.
    pub latency_rank_s: f64,
    /// Seconds that shape the climb to full bandwidth.
    pub climb_s: f64,
    /// Bytes per second on the wire that the largest messages reach.
    pub bytes_per_s: f64,
}

impl Law {
    /// Seconds of an all-reduce of `bytes` over `ranks`.
    pub fn all_reduce_s(&self, ranks: f64, bytes: f64) -> f64 {
        let wire = 2.0 * (ranks - 1.0) / ranks * bytes;
        self.latency_s + self.latency_rank_s * (ranks - 1.0) + (self.climb_s * wire / self.bytes_per_s).sqrt() + wire / self.bytes_per_s
    }

    fn from_logs(z: &DVector<f64>) -> Law {
        Law { latency_s: z[0].exp(), latency_rank_s: z[1].exp(), climb_s: z[2].exp(), bytes_per_s: z[3].exp() }
    }
}

/// Where the search for constants starts, and what holds those that a curve does not determine.
const START: Law = Law { latency_s: 30e-6, latency_rank_s: 3e-6, climb_s: 30e-6, bytes_per_s: 2e11 };

/// Relative error at which the robust loss turns from square to linear.
const ROBUST_AT: f64 = 0.1;

/// Weights of that hold.
const HOLD: [f64; 4] = [0.1, 0.1, 0.1, 0.02];

fn start() -> DVector<f64> {
    DVector::from_vec([START.latency_s, START.latency_rank_s, START.climb_s, START.bytes_per_s].map(f64::ln).to_vec())
}

fn residuals(runs: &[Run], z: &DVector<f64>) -> DVector<f64> {
    let law = Law::from_logs(z);
    let errors = runs.iter().map(|run| {
        let weight = if run.bytes > LARGE_BYTES { 3.0 } else { 1.0 };
        robust(weight * (law.all_reduce_s(run.ranks, run.bytes) / run.time_s).ln(), ROBUST_AT)
    });
    let start = start();
    let held = (0..HOLD.len()).map(|at| (z[at] - start[at]) * HOLD[at]);
    DVector::from_iterator(runs.len() + HOLD.len(), errors.chain(held))
}

/// Fits the law to some runs.
pub fn fit(runs: &[Run]) -> Law {
    Law::from_logs(&minimise(LevenbergMarquardt::new().with_patience(100), start(), 1e-6, |z| residuals(runs, z)))
}

/// Reads the measured all-reduces of a file, by system.
///
/// # Errors
/// If a column is missing, in words.
pub fn read(text: &str) -> Result<BTreeMap<String, Vec<Run>>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column =
        |name: &str| headers.iter().position(|header| header == name).ok_or_else(|| format!("expected a column `{name}`, found none"));
    let [id, kind, ranks, bytes, time] = ["id", "collective", "num_gpus", "size_bytes", "time_us"].map(column);
    let (id, kind, ranks, bytes, time) = (id?, kind?, ranks?, bytes?, time?);
    let mut systems = BTreeMap::<String, Vec<Run>>::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let number = |at: usize| record.get(at).and_then(|text| text.parse::<f64>().ok()).filter(|value| *value > 0.0);
        let (Some("all_reduce"), Some(ranks), Some(bytes), Some(micros)) = (record.get(kind), number(ranks), number(bytes), number(time))
        else {
            continue;
        };
        let id = record.get(id).unwrap_or_default().to_string();
        // The key ends in the size; one system of NVLink and a switch was measured at every number of ranks.
        let system = id.rsplit_once('-').map_or(id.as_str(), |(system, _)| system);
        let system = if system.starts_with("ar-vtrain-a100") { "ar-vtrain-a100" } else { system };
        systems.entry(system.to_string()).or_default().push(Run { id: id.clone(), ranks, bytes, time_s: micros * 1e-6 });
    }
    Ok(systems)
}

/// How well the law holds on a system.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// The constants.
    pub law: Law,
    /// Runs.
    pub runs: usize,
    /// Mean error above [`LARGE_BYTES`] on the runs that were fitted to.
    pub fitted_mape: f64,
    /// The same on the others.
    pub test_mape: f64,
    /// Median of all errors above it.
    pub median: f64,
    /// Largest error above it.
    pub max: f64,
}

/// Fewest runs of a system.
const FEWEST: usize = 15;

/// Fits every system to three of four of its runs, and judges on the others.
pub fn judge(systems: &BTreeMap<String, Vec<Run>>) -> BTreeMap<String, Fit> {
    let one = |(system, runs): (&String, &Vec<Run>)| {
        let fitted: Vec<Run> = runs.iter().filter(|run| is_fitted(&run.id)).cloned().collect();
        let law = fit(&fitted);
        let errors = |of_fit: Option<bool>| {
            let wanted = runs.iter().filter(|run| run.bytes > LARGE_BYTES && of_fit.is_none_or(|of_fit| is_fitted(&run.id) == of_fit));
            let mut errors: Vec<f64> = wanted.map(|run| (law.all_reduce_s(run.ranks, run.bytes) / run.time_s - 1.0).abs()).collect();
            errors.sort_by(f64::total_cmp);
            errors
        };
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let all = errors(None);
        let fit = Fit {
            law,
            runs: runs.len(),
            fitted_mape: mean(&errors(Some(true))),
            test_mape: mean(&errors(Some(false))),
            median: quantile(&all, 0.5),
            max: all.last().copied().unwrap_or_default(),
        };
        (system.clone(), fit)
    };
    systems.iter().filter(|(_, runs)| runs.len() >= FEWEST).map(one).collect()
}

fn is_fitted(id: &str) -> bool {
    !super::fit::hash(id).is_multiple_of(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let law = Law { latency_s: 30e-6, latency_rank_s: 2e-6, climb_s: 8e-6, bytes_per_s: 2e11 };
        // 8 ranks, 1 GB: 1.75 GB on the wire, 8.75 ms; the climb √(8 µs · 8.75 ms) = 264.575 µs; 30 + 14 µs.
        assert!((law.all_reduce_s(8.0, 1e9) - (8.75e-3 + 264.575_131e-6 + 44e-6)).abs() < 1e-9);
    }

    #[test]
    fn the_fit_finds_a_law_again() {
        let law = Law { latency_s: 40e-6, latency_rank_s: 3e-6, climb_s: 20e-6, bytes_per_s: 1.5e11 };
        let runs: Vec<Run> = (10..30)
            .flat_map(|k| [2.0, 4.0, 8.0].map(|ranks| (ranks, f64::from(1 << k))))
            .map(|(ranks, bytes)| Run { id: String::new(), ranks, bytes, time_s: law.all_reduce_s(ranks, bytes) })
            .collect();
        let found = fit(&runs);
        assert!((found.bytes_per_s / law.bytes_per_s - 1.0).abs() < 0.02, "{found:?}");
        assert!((found.all_reduce_s(8.0, 1e8) / law.all_reduce_s(8.0, 1e8) - 1.0).abs() < 0.01);
    }
}
