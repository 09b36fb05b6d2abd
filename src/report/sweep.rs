//! The same job over many clusters: what the charts plot, and where one side overtakes the other.

use crate::model::{Cluster, Estimate, Estimator, Link};
use crate::scenario::{Param, Setup};

/// An estimate of the cluster at each of a list of values.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sweep {
    /// (value, estimate), ascending; `None` where the limits leave no plan.
    pub points: Vec<(f64, Option<Estimate>)>,
}

impl Sweep {
    /// The end of the axis; 0 of an empty one.
    pub fn last_x(&self) -> f64 {
        self.points.last().map_or(0.0, |(x, _)| *x)
    }

    /// The estimates that fit in memory.
    pub fn fitting(&self) -> impl Iterator<Item = (f64, &Estimate)> {
        self.points.iter().filter_map(|(x, estimate)| estimate.as_ref().filter(|e| e.fits).map(|e| (*x, e)))
    }
}

/// GPU counts at which the cluster is worked out: each up to eight, then whole machines, two to four a doubling.
fn counts(per_machine: u32, last: u32) -> Vec<u32> {
    let mut counts = vec![1, 2, 4, 6, 8];
    counts.extend((1..=4).map(|machines| machines * per_machine));
    let mut size = 16u64;
    while size <= u64::from(last) {
        counts.extend([size, size * 3 / 2].map(|count| u32::try_from(count).unwrap_or(last)));
        size *= 2;
    }
    counts.push(last);
    counts.retain(|&count| count <= last);
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The end of the axis of GPUs: room beyond the present cluster, a whole power of two.
fn last_count(gpus: u32) -> u32 {
    let wanted = (u64::from(gpus) * 8).clamp(1024, Param::Gpus.row().kind.range().1 as u64);
    u32::try_from(wanted.next_power_of_two()).unwrap_or(u32::MAX).min(1_000_000)
}

/// Estimates along a row of clusters; each plan is a hint for the next one. What is `known` of the same job under the same conditions is taken
/// from there.
fn along(estimator: &Estimator, clusters: impl Iterator<Item = (f64, Cluster)>, known: Option<&Sweep>) -> Sweep {
    let mut known = known.map_or(&[][..], |known| &known.points);
    let mut points: Vec<(f64, Option<Estimate>)> = Vec::new();
    for (x, cluster) in clusters {
        // Both rows ascend.
        known = &known[known.partition_point(|(there, _)| *there < x)..];
        let here = known.first().filter(|(there, _)| *there == x).and_then(|(_, estimate)| estimate.as_ref());
        let same = here.filter(|estimate| estimate.cluster == cluster).copied();
        let before = points.last().and_then(|(_, estimate)| estimate.as_ref());
        let near: Vec<&Estimate> = here.into_iter().chain(before).collect();
        let estimate = same.or_else(|| estimator.estimate(&cluster, &near));
        points.push((x, estimate));
    }
    Sweep { points }
}

/// The cluster from one GPU to well beyond the present number.
pub fn by_gpus(setup: &Setup, estimator: &Estimator, known: Option<&Sweep>) -> Sweep {
    let last = last_count(setup.cluster.gpus);
    along(estimator, counts(setup.cluster.per_machine, last).into_iter().map(|gpus| (f64::from(gpus), setup.cluster_of(gpus))), known)
}

/// Points per decade of bandwidth.
const PER_DECADE: f64 = 3.0;

/// The cluster with the bandwidth between machines at `gbit_per_s`; what the backend reaches of it stays the same share.
pub fn with_bandwidth(setup: &Setup, gbit_per_s: f64) -> Cluster {
    let outer = setup.cluster.outer;
    let unlimited = setup.outer_bytes_per_s_per_gbit * gbit_per_s;
    Cluster { outer: Link { bytes_per_s: unlimited.min(setup.backend_ceiling_bytes_per_s), ..outer }, ..setup.cluster }
}

/// The cluster at one bandwidth.
pub fn at_bandwidth(setup: &Setup, gbit_per_s: f64) -> Option<Estimate> {
    setup.estimator().estimate(&with_bandwidth(setup, gbit_per_s), &[])
}

/// The cluster over the whole range of bandwidths.
pub fn by_bandwidth(setup: &Setup, estimator: &Estimator, known: Option<&Sweep>) -> Sweep {
    let (min, max) = Param::Bandwidth.row().kind.range();
    let steps = ((max / min).log10() * PER_DECADE).round();
    let at = |step: u32| min * (max / min).powf(f64::from(step) / steps);
    along(estimator, (0..=steps as u32).map(|step| (at(step), with_bandwidth(setup, at(step)))), known)
}

/// The smallest number of GPUs with which the job fits in memory, exact to one GPU within a step of the sweep.
pub fn fits_from(sweep: &Sweep, setup: &Setup, estimator: &Estimator) -> Option<u32> {
    bisect(sweep, |e| e.fits, |gpus| estimator.fits(&setup.cluster_of(gpus)))
}

/// The smallest number of GPUs from which `better` holds as far as the sweep goes, exact to one GPU within a step of the sweep.
pub fn overtakes(sweep: &Sweep, setup: &Setup, estimator: &Estimator, better: impl Fn(&Estimate) -> bool) -> Option<u32> {
    let holds = |e: &Estimate| e.fits && better(e);
    let near = sweep.points.iter().find_map(|(_, estimate)| estimate.as_ref().filter(|e| holds(e)));
    bisect(sweep, holds, |gpus| estimator.fitting(&setup.cluster_of(gpus), near.as_slice()).is_some_and(|e| holds(&e)))
}

/// Halves the step of the sweep at whose end `holds` for the first time, until `there` holds with one number of GPUs and not with one less.
fn bisect(sweep: &Sweep, holds: impl Fn(&Estimate) -> bool, there: impl Fn(u32) -> bool) -> Option<u32> {
    let first = sweep.points.iter().position(|(_, estimate)| estimate.as_ref().is_some_and(&holds))?;
    let mut high = sweep.points[first].0 as u32;
    let mut low = if first == 0 { 0 } else { sweep.points[first - 1].0 as u32 };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if there(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Where the line between two points meets `target`: on both log axes it is straight.
pub fn crossing((x0, value0): (f64, f64), (x, value): (f64, f64), target: f64) -> f64 {
    x0 * (x / x0).powf((value0 / target).ln() / (value0 / value).ln())
}

/// The bandwidth from which `better` holds, read between two points of the sweep; `None` if it holds everywhere or nowhere.
pub fn bandwidth_needed(sweep: &Sweep, measure: impl Fn(&Estimate) -> f64, target: f64) -> Option<f64> {
    let mut before: Option<(f64, f64)> = None;
    for (x, estimate) in sweep.fitting() {
        let value = measure(estimate);
        if value < target {
            return before.map(|before| crossing(before, (x, value), target));
        }
        before = Some((x, value));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::estimate;
    use crate::scenario::Scenario;

    #[test]
    fn counts_ascend_and_hold_the_usual_ones() {
        let counts = counts(8, 4096);
        assert!(counts.windows(2).all(|pair| pair[0] < pair[1]));
        for usual in [1, 8, 16, 24, 64, 512, 4096] {
            assert!(counts.contains(&usual), "{usual}");
        }
    }

    #[test]
    fn the_cluster_overtakes_where_it_says() {
        let setup = Scenario::default().resolve().unwrap();
        let estimator = setup.estimator();
        let sweep = by_gpus(&setup, &estimator, None);
        let single = estimate(&setup.job, &setup.single, &setup.single_conditions).unwrap();
        let from = overtakes(&sweep, &setup, &estimator, |e| e.time_s < single.time_s).unwrap();
        let time = |gpus| estimate(&setup.job, &setup.cluster_of(gpus), &setup.cluster_conditions).unwrap().time_s;
        assert!(time(from) < single.time_s && time(from - 1) >= single.time_s, "{from}");
    }
}
