//! The all-reduce law against measured curves: α + α₁·(n−1) + √(r·B/β) + B/β with B = 2(n−1)/n·S bytes on the wire, and below a size at which
//! the library changes its protocol, a share of β.
//!
//! The root is the climb from latency to bandwidth that chunks make; without it, messages of a few megabytes are predicted up to twice too
//! fast. NCCL's protocol for small messages sends a flag of four bytes with every four of data, and so reaches half of the rate (Hu 2025,
//! arXiv 2507.04786); where its tables change over too late, curves have a step there that no smooth law follows.

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
    /// Bytes up to which messages travel by the protocol for small ones; 0 where no step is seen.
    pub switch_bytes: f64,
    /// Share of the rate that it reaches.
    pub small_share: f64,
}

impl Law {
    /// Seconds of an all-reduce of `bytes` over `ranks`.
    pub fn all_reduce_s(&self, ranks: f64, bytes: f64) -> f64 {
        let wire = 2.0 * (ranks - 1.0) / ranks * bytes;
        let share = if bytes <= self.switch_bytes { self.small_share } else { 1.0 };
        let climb = (self.climb_s * wire / self.bytes_per_s).sqrt();
        self.latency_s + self.latency_rank_s * (ranks - 1.0) + climb + wire / (share * self.bytes_per_s)
    }

    fn from_logs(z: &DVector<f64>, switch_bytes: f64) -> Law {
        let [latency_s, latency_rank_s, climb_s, bytes_per_s, small_share] = std::array::from_fn(|at| z[at].exp());
        Law { latency_s, latency_rank_s, climb_s, bytes_per_s, switch_bytes, small_share: small_share.min(1.0) }
    }
}

/// Sizes that lie on each side of a change of protocol at the least: fewer are no sign of one.
const FEWEST_BESIDE: usize = 3;

/// Where the search for constants starts, and what holds those that a curve does not determine.
const START: Law = Law { latency_s: 30e-6, latency_rank_s: 3e-6, climb_s: 30e-6, bytes_per_s: 2e11, switch_bytes: 0.0, small_share: 0.5 };

/// Relative error at which the robust loss turns from square to linear.
const ROBUST_AT: f64 = 0.1;

/// Weights of that hold.
const HOLD: [f64; 5] = [0.1, 0.1, 0.1, 0.02, 0.3];

fn start() -> DVector<f64> {
    DVector::from_vec([START.latency_s, START.latency_rank_s, START.climb_s, START.bytes_per_s, START.small_share].map(f64::ln).to_vec())
}

fn residuals(runs: &[Run], z: &DVector<f64>, switch_bytes: f64) -> DVector<f64> {
    let law = Law::from_logs(z, switch_bytes);
    let errors = runs.iter().map(|run| {
        let weight = if run.bytes > LARGE_BYTES { 3.0 } else { 1.0 };
        robust(weight * (law.all_reduce_s(run.ranks, run.bytes) / run.time_s).ln(), ROBUST_AT)
    });
    let start = start();
    let held = (0..HOLD.len()).map(|at| (z[at] - start[at]) * HOLD[at]);
    DVector::from_iterator(runs.len() + HOLD.len(), errors.chain(held))
}

/// The law with a change of protocol at this size, and how far it lies from the runs.
fn fit_with(runs: &[Run], switch_bytes: f64) -> (Law, f64) {
    let z = minimise(LevenbergMarquardt::new().with_patience(100), start(), 1e-6, |z| residuals(runs, z, switch_bytes));
    (Law::from_logs(&z, switch_bytes), residuals(runs, &z, switch_bytes).norm_squared())
}

/// Fits the law to some runs. A change of protocol is taken where its two constants say more than they cost (Schwarz 1978).
pub fn fit(runs: &[Run]) -> Law {
    let (smooth, plain) = fit_with(runs, 0.0);
    let mut sizes: Vec<f64> = runs.iter().map(|run| run.bytes).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let inner = sizes.get(FEWEST_BESIDE..sizes.len().saturating_sub(FEWEST_BESIDE)).unwrap_or_default();
    let stepped = inner.iter().map(|&bytes| fit_with(runs, bytes)).min_by(|a, b| a.1.total_cmp(&b.1));
    let n = runs.len() as f64;
    match stepped {
        Some((law, rest)) if n * (plain / rest).ln() > 2.0 * n.ln() => law,
        _ => smooth,
    }
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
        let law = Law { latency_s: 30e-6, latency_rank_s: 2e-6, climb_s: 8e-6, bytes_per_s: 2e11, switch_bytes: 1e6, small_share: 0.5 };
        // 8 ranks, 1 GB: 1.75 GB on the wire, 8.75 ms; the climb √(8 µs · 8.75 ms) = 264.575 µs; 30 + 14 µs.
        assert!((law.all_reduce_s(8.0, 1e9) - (8.75e-3 + 264.575_131e-6 + 44e-6)).abs() < 1e-9);
        // 1 MB travels by the protocol for small messages: 1.75 MB at half the rate, 17.5 µs; the climb √(8 µs · 8.75 µs) = 8.367 µs.
        assert!((law.all_reduce_s(8.0, 1e6) - (17.5e-6 + 8.366_6e-6 + 44e-6)).abs() < 1e-9);
    }

    #[test]
    fn the_fit_finds_a_law_again() {
        for switch_bytes in [0.0, 8_388_608.0] {
            let law = Law { latency_s: 40e-6, latency_rank_s: 3e-6, climb_s: 20e-6, bytes_per_s: 1.5e11, switch_bytes, small_share: 0.5 };
            let runs: Vec<Run> = (10..30)
                .flat_map(|k| [2.0, 4.0, 8.0].map(|ranks| (ranks, f64::from(1 << k))))
                .map(|(ranks, bytes)| Run { id: String::new(), ranks, bytes, time_s: law.all_reduce_s(ranks, bytes) })
                .collect();
            let found = fit(&runs);
            assert!((found.bytes_per_s / law.bytes_per_s - 1.0).abs() < 0.02, "{found:?}");
            assert!((found.all_reduce_s(8.0, 1e8) / law.all_reduce_s(8.0, 1e8) - 1.0).abs() < 0.01);
            assert_eq!(found.switch_bytes, switch_bytes, "{found:?}");
        }
    }
}
