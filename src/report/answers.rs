//! One machine and the cluster, on the same job, side by side.

use super::band::Band;
use super::sweep::{Sweep, bandwidth_needed, by_bandwidth, by_gpus, fits_from, overtakes};
use crate::model::{Cluster, Estimate, Estimator, estimate};
use crate::scenario::notice::Conflict;
use crate::scenario::{Scenario, Setup};

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
    Some((estimate(&setup.job, &setup.single, &setup.single_conditions)?, estimator.estimate(&setup.cluster, &[])?))
}

/// Works everything out, or names the contradictions that stand in the way.
pub fn answers(scenario: &Scenario) -> Result<Answers, Vec<Conflict>> {
    answers_after(scenario, None)
}

/// The same, sooner where the answers `before` were about the same job: a slider moves one thing at a time.
pub fn answers_after(scenario: &Scenario, before: Option<&Answers>) -> Result<Answers, Vec<Conflict>> {
    // Contradictory limits are found while resolving; a plan always remains.
    of_setup(scenario, scenario.resolve()?, before).ok_or_else(|| scenario.conflicts())
}

/// The same of what the model is given, however that came about: the tests move its constants. `None` if no plan is left.
pub fn of_setup(scenario: &Scenario, setup: Setup, before: Option<&Answers>) -> Option<Answers> {
    let estimator = setup.estimator();
    let (single, cluster) = both(&setup, &estimator)?;
    let known = before.filter(|before| (before.setup.job, before.setup.cluster_conditions) == (setup.job, setup.cluster_conditions));
    let by_gpus = by_gpus(&setup, &estimator, known.map(|known| &known.by_gpus));
    let by_bandwidth = by_bandwidth(&setup, &estimator, known.map(|known| &known.by_bandwidth));
    // Where only the number of GPUs was moved, one side overtakes the other where it did, as long as that lies on the axis; and what fits
    // does not depend on the network either.
    let (one, network) = (setup.cluster_of(1), setup.cluster.outer);
    let fitting = known.filter(|known| Cluster { outer: network, ..known.setup.cluster_of(1) } == one);
    let still = fitting.filter(|known| known.single == single && known.setup.cluster.outer == network);
    let from = |still: Option<&Answers>, found: fn(&Answers) -> Option<u32>, search: &dyn Fn() -> Option<u32>| match still {
        Some(still) => match found(still) {
            Some(gpus) if f64::from(gpus) <= by_gpus.last_x() => Some(gpus),
            None if by_gpus.last_x() <= still.by_gpus.last_x() => None,
            _ => search(),
        },
        None => search(),
    };
    let fits_from = from(fitting, |a| a.fits_from, &|| fits_from(&by_gpus, &setup, &estimator));
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
        faster_from: if single.fits {
            from(still, |a| a.faster_from, &|| overtakes(&by_gpus, &setup, &estimator, faster))
        } else {
            fits_from
        },
        cheaper_from: from(still, |a| a.cheaper_from, &|| overtakes(&by_gpus, &setup, &estimator, cheaper)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::url;

    #[test]
    fn the_way_to_a_scenario_does_not_change_its_answers() {
        let way = [
            "v=1",
            "v=1&gpus=4096",
            "v=1&gpus=1000000",
            "v=1&gpus=16&bandwidth=1",
            "v=1&gpus=16&bandwidth=0.05",
            "v=1&gpus=16&bandwidth=0.05&price=3",
            "v=1&gpus=300000&params=1e12",
            "v=1&gpus=8&params=1e12",
            "v=1&gpus=8&params=1e12&single=1",
            "v=1&gpus=300000&params=1e12&backend=grpc",
            "v=1&gpus=200000&params=1e12&backend=grpc",
            "v=1&gpus=200000&params=1e12&backend=grpc&strategy=ddp",
            "v=1&gpus=20&params=1e12&backend=grpc&strategy=ddp",
            "v=1",
        ];
        let mut before: Option<Answers> = None;
        for link in way {
            let scenario = url::read(link).scenario;
            let after = answers_after(&scenario, before.as_ref()).unwrap();
            assert_eq!(after, answers(&scenario).unwrap(), "{link}");
            before = Some(after);
        }
    }

    #[test]
    fn what_is_known_is_not_worked_out_again() {
        let (few, many) = (url::read("v=1&gpus=16").scenario, url::read("v=1&gpus=20").scenario);
        let mut known = answers(&few).unwrap();
        // A mark in what is known, so that it is seen where it is used.
        known.faster_from = Some(7);
        for (_, estimate) in &mut known.by_gpus.points {
            estimate.as_mut().unwrap().failures = -1.0;
        }
        let after = answers_after(&many, Some(&known)).unwrap();
        assert!(after.by_gpus.points.iter().all(|(_, estimate)| estimate.unwrap().failures == -1.0) && after.faster_from == Some(7));
        let other = answers_after(&url::read("v=1&gpus=20&params=2e9").scenario, Some(&known)).unwrap();
        assert!(other.by_gpus.points.iter().all(|(_, estimate)| estimate.unwrap().failures >= 0.0) && other.faster_from != Some(7));
    }
}
