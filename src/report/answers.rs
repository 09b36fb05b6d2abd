//! One machine and the cluster, on the same job, side by side.

use super::band::Band;
use super::sweep::{Sweep, bandwidth_needed, by_bandwidth, by_gpus, fits_from, overtakes};
use crate::model::{Estimate, Estimator, estimate};
use crate::scenario::notice::Conflict;
use crate::scenario::{Param, Scenario, Setup};

/// Everything that is on screen, worked out once and used by all charts, sentences and tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// What was asked.
    pub scenario: Scenario,
    /// What the model was given.
    pub setup: Setup,
    /// The one machine.
    pub single: Estimate,
    /// The cluster.
    pub cluster: Estimate,
    /// The cluster over the number of GPUs.
    pub by_gpus: Sweep,
    /// The cluster over the bandwidth between machines.
    pub by_bandwidth: Sweep,
    /// GPUs from which the cluster is faster than the one machine.
    pub faster_from: Option<u32>,
    /// GPUs, more than the one machine has, from which a run on the cluster is cheaper than on it; `None` too if no price is known.
    pub cheaper_from: Option<u32>,
    /// GPUs from which the job fits in the cluster's memory.
    pub fits_from: Option<u32>,
    /// Gbit/s per GPU from which the present cluster is faster than the one machine; `None` if at every bandwidth or at none.
    pub bandwidth_to_win: Option<f64>,
}

/// A cost within this ratio of another is about the same: steps of the search, not a finding.
const LEVEL: f64 = 1.01;

/// The two estimates alone, without the sweeps: what the command line and a live sentence need.
pub fn pair(setup: &Setup) -> Option<(Estimate, Estimate)> {
    both(setup, &setup.estimator())
}

fn both(setup: &Setup, estimator: &Estimator) -> Option<(Estimate, Estimate)> {
    Some((estimate(&setup.job, &setup.single, &setup.single_conditions)?, estimator.estimate(&setup.cluster, None)?))
}

/// Works everything out, or names the contradictions that stand in the way.
pub fn answers(scenario: &Scenario) -> Result<Answers, Vec<Conflict>> {
    // Contradictory limits are found while resolving; a plan always remains.
    of_setup(scenario, scenario.resolve()?).ok_or_else(|| scenario.conflicts())
}

/// The same of what the model is given, however that came about: the tests move its constants. `None` if no plan is left.
pub fn of_setup(scenario: &Scenario, setup: Setup) -> Option<Answers> {
    let estimator = setup.estimator();
    let (single, cluster) = both(&setup, &estimator)?;
    let by_gpus = by_gpus(&setup, &estimator);
    let by_bandwidth = by_bandwidth(&setup, &estimator, scenario.number(Param::Bandwidth));
    let fits_from = fits_from(&by_gpus, &setup, &estimator);
    let faster = |e: &Estimate| e.time_s < single.time_s;
    // A cluster smaller than the one machine is no cluster: there is nothing to overtake with it.
    let larger = |e: &Estimate| e.cluster.gpus > setup.single.gpus;
    let cheaper = |e: &Estimate| match (e.bill.usd, single.bill.usd) {
        (Some(cluster), Some(one)) => larger(e) && (!single.fits || cluster * LEVEL < one),
        _ => false,
    };
    Some(Answers {
        scenario: *scenario,
        // Whatever fits is faster than what does not.
        faster_from: if single.fits { overtakes(&by_gpus, &setup, &estimator, faster) } else { fits_from },
        cheaper_from: overtakes(&by_gpus, &setup, &estimator, cheaper),
        fits_from,
        bandwidth_to_win: if single.fits { bandwidth_needed(&by_bandwidth, |e| e.time_s, single.time_s) } else { None },
        setup,
        single,
        cluster,
        by_gpus,
        by_bandwidth,
    })
}

impl Answers {
    /// How far an estimate of this scenario may be off.
    pub fn band(&self, estimate: &Estimate) -> Band {
        Band::of(&self.setup.job, estimate, self.setup.stack, self.setup.gpu)
    }

    /// Whether neither side can hold the job in memory.
    pub fn fits_nowhere(&self) -> bool {
        !self.single.fits && !self.cluster.fits
    }

    /// Share of the cluster's GPUs that the plan leaves idle, 0 to 1.
    pub fn idle_share(&self) -> f64 {
        f64::from(self.cluster.idle_gpus()) / f64::from(self.cluster.cluster.gpus)
    }

    /// Whether most of the cluster has nothing to do: more GPUs than the job can use.
    pub fn mostly_idle(&self) -> bool {
        self.idle_share() > 0.5
    }
}
