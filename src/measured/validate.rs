//! Predictions beside what was measured: the error of each source, and the bands that follow from it.

use super::case::{Case, case};
use super::fit::Constants;
use super::row::Row;
use super::score::{Pair, Score, quantile, score};
use crate::catalog::{self, BandRow};
use crate::model::memory::memory;
use crate::model::step::step;
use crate::model::{Overlap, Stack};
use serde::Serialize;
use std::collections::BTreeMap;

/// Bytes of a GiB.
const GIB: f64 = 1_073_741_824.0;

/// A row with its prediction.
#[derive(Clone, Debug)]
pub struct Predicted<'a> {
    /// The row.
    pub row: &'a Row,
    /// As the model took it.
    pub case: Case,
    /// Predicted seconds of a step.
    pub step_s: f64,
    /// Predicted bytes on the fullest GPU.
    pub memory_bytes: f64,
    /// The stated band, factors on the predicted time.
    pub band: (f64, f64),
    /// Key of the rows that differ from this one in the plan only.
    pub group: String,
}

impl Predicted<'_> {
    /// Predicted over measured seconds.
    pub fn ratio(&self) -> f64 {
        self.step_s / self.row.step_seconds
    }

    fn pair(&self) -> Pair<'_> {
        let relative = self.row.step_seconds / self.step_s;
        Pair {
            measured: self.row.step_seconds,
            predicted: self.step_s,
            inside: relative >= self.band.0 && relative <= self.band.1,
            memory_ratio: self.row.memory_gib.map(|gib| self.memory_bytes / GIB / gib),
            group: &self.group,
        }
    }
}

/// The band that is stated for a stack on a GPU: of the runs of both, else of the stack, else of runs of which nothing was known.
pub fn band(stack: &str, gpu: &str) -> Option<&'static BandRow> {
    let of = |stack: &str, gpu: &str| catalog::BANDS.iter().find(|row| row.stack == stack && row.gpu == gpu);
    of(stack, gpu).or_else(|| of(stack, "")).or_else(|| of("*", ""))
}

fn group(row: &Row) -> String {
    format!(
        "{}|{}|{}|{}|{:?}|{:?}|{:?}|{}|{}|{:?}|{:?}|{}|{}|{:?}|{:?}|{:?}",
        row.source,
        row.framework.as_deref().unwrap_or_default(),
        row.gpu,
        row.num_gpus,
        row.gpus_per_node,
        row.precision,
        row.model,
        row.layers,
        row.hidden,
        row.heads,
        row.ffn_hidden,
        row.seq_len,
        row.global_batch_seqs,
        row.vocab,
        row.fused_attention,
        row.compiled
    )
}

/// Predicts every row that the model can take with the constants that `stack` gives; the others come back with the reason.
pub fn predict<'a>(rows: &'a [Row], stack: impl Fn(&Case) -> Stack) -> (Vec<Predicted<'a>>, Vec<(u64, String)>) {
    let mut refused = Vec::new();
    let mut predicted = Vec::new();
    for row in rows {
        match case(row) {
            Err(reason) => refused.push((row.line, reason)),
            Ok(case) => {
                let constants = stack(&case);
                let memory_bytes = memory(&case.job, &case.cluster, &case.plan, &constants).total();
                let share = memory_bytes / case.cluster.device.memory_bytes;
                let step_s = step(&case.job, &case.cluster, &case.plan, &constants, Overlap::Realistic, share).total();
                let band = band(case.stack.id, case.gpu.id).map_or((1.0, 1.0), |row| (row.low, row.high));
                predicted.push(Predicted { row, case, step_s, memory_bytes, band, group: group(row) });
            }
        }
    }
    (predicted, refused)
}

/// The committed constants of a case.
pub fn committed(case: &Case) -> Stack {
    case.stack.on(case.gpu.id)
}

/// Constants of a fit.
pub fn of_fit(constants: &Constants) -> impl Fn(&Case) -> Stack + '_ {
    |case| constants.get(case.stack.id).map_or(Stack::PRIOR, |fitted| fitted.on(case.gpu.id))
}

/// The error of each source, and of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// By source.
    pub sources: BTreeMap<String, Score>,
    /// Of all rows together.
    pub all: Score,
    /// Rows that could not be read, and rows that the model cannot take.
    pub skipped: usize,
}

/// The report on predictions.
pub fn report(predicted: &[Predicted], skipped: usize) -> Report {
    let mut sources = BTreeMap::<&str, Vec<Pair>>::new();
    for one in predicted {
        sources.entry(&one.row.source).or_default().push(one.pair());
    }
    let all: Vec<Pair> = predicted.iter().map(Predicted::pair).collect();
    Report { sources: sources.iter().map(|(source, pairs)| ((*source).to_string(), score(pairs))).collect(), all: score(&all), skipped }
}

/// A row of `data/bands.csv`, computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Key of the stack.
    pub stack: &'static str,
    /// Key of the GPU, or empty.
    pub gpu: &'static str,
    /// Runs.
    pub rows: usize,
    /// Factors on the predicted time between which eight of ten measured ones lie.
    pub low: f64,
    /// See `low`.
    pub high: f64,
    /// Largest number of GPUs.
    pub most_gpus: u32,
    /// Smallest model, parameters.
    pub least_params: f64,
    /// Largest one.
    pub most_params: f64,
    /// Sources.
    pub sources: String,
}

/// Narrowest band: the same configuration in several releases differs by as much (`data/measured`, the noise floor).
const NOISE_FLOOR: f64 = 0.02;

/// Fewest runs from which a band of their own is made.
const FEWEST: usize = 5;

/// The narrowest band around 1 between whose ends eight of ten ratios lie; with few runs a little wider, as one more run may lie anywhere.
fn band_of(mut ratios: Vec<f64>) -> (f64, f64) {
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len() as f64;
    let margin = 0.1 * (n - 1.0) / (n + 1.0);
    let (low, high) = (quantile(&ratios, margin), quantile(&ratios, 1.0 - margin));
    (low.min(1.0 - NOISE_FLOOR), high.max(1.0 + NOISE_FLOOR))
}

/// Quantiles by which a source is represented.
const LEVELS: u32 = 20;

fn band_row(stack: &'static str, gpu: &'static str, rows: &[&Predicted]) -> Band {
    let (low, high) = band_of(rows.iter().map(|one| 1.0 / one.ratio()).collect());
    let mut sources: Vec<&str> = rows.iter().map(|one| one.row.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    let params = || rows.iter().map(|one| one.case.job.params);
    Band {
        stack,
        gpu,
        rows: rows.len(),
        low,
        high,
        most_gpus: rows.iter().map(|one| one.row.num_gpus).max().unwrap_or(1),
        least_params: params().fold(f64::INFINITY, f64::min),
        most_params: params().fold(0.0, f64::max),
        sources: sources.join(" "),
    }
}

/// The bands of `predicted`; `unknown` are predictions of sources that were left out of the fit, from which the widest band follows.
pub fn bands(predicted: &[Predicted], unknown: &[Predicted]) -> Vec<Band> {
    let mut bands = Vec::new();
    for stack in catalog::STACKS {
        let own: Vec<&Predicted> =
            predicted.iter().filter(|one| one.case.stack.id == stack.id && one.row.confirmed.unwrap_or(true)).collect();
        if own.len() < FEWEST {
            continue;
        }
        for gpu in catalog::GPUS {
            let here: Vec<&Predicted> = own.iter().copied().filter(|one| one.case.gpu.id == gpu.id).collect();
            if here.len() >= FEWEST {
                bands.push(band_row(stack.id, gpu.id, &here));
            }
        }
        bands.push(band_row(stack.id, "", &own));
    }
    bands.push(band_of_unknown(unknown));
    bands
}

/// The band of sources that the fit did not know: each source counts the same, however many rows it has.
fn band_of_unknown(unknown: &[Predicted]) -> Band {
    let mut by_source = BTreeMap::<&str, Vec<f64>>::new();
    for one in unknown {
        by_source.entry(&one.row.source).or_default().push(1.0 / one.ratio());
    }
    let mut levels = Vec::new();
    for ratios in by_source.values_mut() {
        ratios.sort_by(f64::total_cmp);
        levels.extend((0..LEVELS).map(|level| quantile(ratios, (f64::from(level) + 0.5) / f64::from(LEVELS))));
    }
    let all: Vec<&Predicted> = unknown.iter().collect();
    let (low, high) = band_of(levels);
    Band { low, high, ..band_row("*", "", &all) }
}
