//! How far an answer may be off, and from which measured runs that is known.

use crate::catalog::{self, BandRow};
use crate::locale::quantity::{count, percent};
use crate::locale::{Lang, fill};
use crate::model::{Estimate, Job};

/// Factors on a time, and with it on cost and energy, between which eight of ten measured runs lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lower end, below 1.
    pub low: f64,
    /// Upper end, above 1.
    pub high: f64,
    /// The runs behind it.
    pub runs: &'static BandRow,
    /// Why runs of the same software and GPU do not count, if so.
    pub far: Option<Far>,
}

/// In what an estimate lies beyond the measured runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Far {
    /// No run on this GPU with this software.
    Gpu,
    /// Many more GPUs than in any run.
    Gpus,
    /// A model much smaller or larger than in any run.
    Size,
    /// The model does not run as these runs did: low bandwidth, adapters.
    Kind,
}

/// A plan over up to this many times the largest measured number of GPUs is still near.
const NEAR_GPUS: f64 = 4.0;

/// A model within this factor of the smallest or largest measured one is still near.
const NEAR_SIZE: f64 = 3.0;

/// The slowest network between machines in measured runs is 100 Gbit/s per GPU; below a quarter of what that reaches, nothing was measured.
const NEAR_BYTES_PER_S: f64 = 2.5e9;

fn row(stack: &str, gpu: &str) -> Option<&'static BandRow> {
    catalog::BANDS.iter().find(|row| row.stack == stack && row.gpu == gpu)
}

/// The widest band: runs of sources that were left out of the fit.
fn widest() -> &'static BandRow {
    // The build holds that there is at least one row; a test, that this one is there.
    row("*", "").unwrap_or(&catalog::BANDS[0])
}

impl Band {
    /// The band of an estimate of `job` with the software `stack` on `gpu` (keys of the catalogue).
    pub fn of(job: &Job, estimate: &Estimate, stack: &str, gpu: &str) -> Band {
        let widest = widest();
        let Some(runs) = row(stack, gpu) else { return Band { low: widest.low, high: widest.high, runs: widest, far: Some(Far::Gpu) } };
        let slow = estimate.cluster.spans_machines() && estimate.cluster.outer.bytes_per_s < NEAR_BYTES_PER_S;
        let far = if f64::from(estimate.plan.gpus()) > NEAR_GPUS * f64::from(runs.most_gpus) {
            Some(Far::Gpus)
        } else if job.params > NEAR_SIZE * runs.most_params || job.params * NEAR_SIZE < runs.least_params {
            Some(Far::Size)
        } else if slow || job.states.frozen() {
            Some(Far::Kind)
        } else {
            None
        };
        match far {
            None => Band { low: runs.low, high: runs.high, runs, far },
            Some(_) => Band { low: runs.low.min(widest.low), high: runs.high.max(widest.high), runs: widest, far },
        }
    }

    /// The band in a sentence, with the runs that it comes from.
    pub fn words(&self, gpu: &str, lang: Lang) -> String {
        let m = lang.messages();
        let (low, high) = (percent(1.0 - self.low, 2, lang), percent(self.high - 1.0, 2, lang));
        let runs = count(f64::from(self.runs.rows), 4, lang);
        let message = match self.far {
            None => m.band_near,
            Some(Far::Gpu) => m.band_far_gpu,
            Some(Far::Gpus) => m.band_far_gpus,
            Some(Far::Size) => m.band_far_size,
            Some(Far::Kind) => m.band_far_kind,
        };
        fill(message, &[("low", &low), ("high", &high), ("runs", &runs), ("gpu", gpu)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_band_holds_its_estimate_and_the_widest_is_there() {
        assert!(row("*", "").is_some());
        for row in catalog::BANDS {
            assert!(row.low > 0.0 && row.low < 1.0 && row.high > 1.0, "{}", row.id);
            assert!(row.stack == "*" || catalog::STACKS.iter().any(|stack| stack.id == row.stack), "{}", row.id);
            assert!(row.gpu.is_empty() || catalog::GPUS.iter().any(|gpu| gpu.id == row.gpu), "{}", row.id);
        }
    }
}
