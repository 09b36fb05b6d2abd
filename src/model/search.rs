//! The best plans that fit: memory first, bounds before evaluation, ties to the simpler plan. Exact over [`layouts`]: what is left out
//! cannot win.

use super::cluster::Cluster;
use super::job::Job;
use super::memory::memory;
use super::plan::{Plan, Recompute};
use super::space::{Limits, layouts, micro_batches};
use super::stack::{Overlap, Stack};
use super::step::{bound_s, step};

/// A plan, the seconds of its step, and whether it fits in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The plan.
    pub plan: Plan,
    /// Seconds per sequence: what plans are compared by, since their batches may differ a little.
    pub seq_s: f64,
    /// Whether memory suffices. If no plan fits, the one with the least memory is returned.
    pub fits: bool,
}

/// Times within this share of each other are a tie.
const TIE: f64 = 1e-9;

impl Found {
    /// Whether this plan is to be preferred: faster, or as fast and simpler.
    pub fn beats(&self, other: &Found) -> bool {
        self.seq_s < other.seq_s * (1.0 - TIE)
            || (self.seq_s <= other.seq_s * (1.0 + TIE) && self.plan.complexity() < other.plan.complexity())
    }
}

/// What a search keeps of the plans that fit.
trait Keep {
    /// Seconds per sequence beyond which no plan is of interest any more.
    fn worst(&self) -> Option<f64>;
    /// A plan that fits.
    fn offer(&mut self, found: Found);
}

/// The best one.
struct Best(Option<Found>);

impl Keep for Best {
    fn worst(&self) -> Option<f64> {
        self.0.map(|best| best.seq_s)
    }

    fn offer(&mut self, found: Found) {
        if self.0.is_none_or(|best| found.beats(&best)) {
            self.0 = Some(found);
        }
    }
}

/// The best ones, in order.
struct Ranking {
    found: Vec<Found>,
    most: usize,
}

impl Keep for Ranking {
    fn worst(&self) -> Option<f64> {
        self.found.get(self.most - 1).map(|last| last.seq_s)
    }

    fn offer(&mut self, found: Found) {
        let place = self.found.partition_point(|better| !found.beats(better));
        if place < self.most {
            self.found.insert(place, found);
            self.found.truncate(self.most);
        }
    }
}

/// Everything that a plan is weighed with.
#[derive(Clone, Copy)]
struct Scales<'a> {
    job: &'a Job,
    cluster: &'a Cluster,
    stack: &'a Stack,
    overlap: Overlap,
}

impl Scales<'_> {
    fn seq_s(&self, plan: &Plan, needed: f64) -> f64 {
        let share = needed / self.cluster.device.memory_bytes;
        step(self.job, self.cluster, plan, self.stack, self.overlap, share).total() / plan.step_seqs(self.job.batch_seqs)
    }

    fn needed(&self, plan: &Plan) -> f64 {
        memory(self.job, self.cluster, plan, self.stack).total()
    }
}

/// Bounds of one GPU for each kind of recomputation.
struct Bounds([f64; 3]);

impl Bounds {
    fn of(scales: &Scales) -> Bounds {
        Bounds(Recompute::ALL.map(|recompute| bound_s(scales.job, scales.cluster, 1.0, recompute, scales.stack)))
    }

    /// A bound below the seconds per sequence of `plan` with any micro-batch: the heaviest stage has a whole number of layers, and the
    /// pipeline fills and drains at least once.
    fn below(&self, scales: &Scales, plan: &Plan) -> f64 {
        let (layers, pp) = (scales.job.layers, f64::from(plan.pp));
        let uneven = (layers / pp).ceil() * pp / layers;
        let chunks = plan.seqs_per_copy(scales.job.batch_seqs) * f64::from(plan.interleave);
        let filling = 1.0 + scales.stack.bubble * (pp - 1.0) / chunks;
        self.0[plan.recompute as usize] / f64::from(plan.gpus()) * uneven * filling
    }
}

/// Offers `keep` every plan that fits and may be of interest; returns the plan with the least memory if none fits.
fn explore(scales: Scales, limits: &Limits, keep: &mut impl Keep) -> Option<Plan> {
    let bounds = Bounds::of(&scales);
    let mut smallest: Option<(f64, Plan)> = None;
    for layout in layouts(scales.job, scales.cluster, limits) {
        if keep.worst().is_some_and(|worst| bounds.below(&scales, &layout) > worst * (1.0 + TIE)) {
            continue;
        }
        for micro_batch in micro_batches(scales.job, limits, &layout) {
            let plan = Plan { micro_batch, ..layout };
            let needed = scales.needed(&plan);
            if needed > scales.cluster.device.memory_bytes {
                if smallest.is_none_or(|(least, _)| needed < least) {
                    smallest = Some((needed, plan));
                }
                // Memory only grows with the micro-batch.
                break;
            }
            keep.offer(Found { plan, seq_s: scales.seq_s(&plan, needed), fits: true });
        }
    }
    smallest.map(|(_, plan)| plan)
}

/// The fastest plan that fits, or the one that needs the least memory if none does. `None` only if `limits` exclude every plan,
/// for instance a tensor-parallel degree above the number of GPUs.
pub fn search(job: &Job, cluster: &Cluster, limits: &Limits, stack: &Stack, overlap: Overlap) -> Option<Found> {
    let scales = Scales { job, cluster, stack, overlap };
    let mut best = Best(None);
    let smallest = explore(scales, limits, &mut best);
    best.0.or_else(|| smallest.map(|plan| Found { plan, seq_s: scales.seq_s(&plan, scales.needed(&plan)), fits: false }))
}

/// The `most` fastest plans that fit, the best first; empty if none fits.
pub fn ranking(job: &Job, cluster: &Cluster, limits: &Limits, stack: &Stack, overlap: Overlap, most: usize) -> Vec<Found> {
    let mut ranking = Ranking { found: Vec::new(), most: most.max(1) };
    explore(Scales { job, cluster, stack, overlap }, limits, &mut ranking);
    ranking.found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{a100_cluster, gpt3_175b, llama_7b};

    const STACK: &Stack = &Stack::PRIOR;

    #[test]
    fn finds_a_plan_for_gpt3_on_512() {
        let found = search(&gpt3_175b(), &a100_cluster(512), &Limits::FREE, STACK, Overlap::Realistic).unwrap();
        assert!(found.fits);
        assert!(found.plan.gpus() <= 512);
    }

    #[test]
    fn what_fits_nowhere_comes_back_with_the_least_memory() {
        let found = search(&gpt3_175b(), &a100_cluster(1), &Limits::FREE, STACK, Overlap::Realistic).unwrap();
        assert!(!found.fits);
    }

    #[test]
    fn impossible_limits_have_no_plan() {
        let limits = Limits { tp: Some(16), ..Limits::FREE };
        assert_eq!(search(&llama_7b(), &a100_cluster(8), &limits, STACK, Overlap::Realistic), None);
    }

    #[test]
    fn the_ranking_starts_with_the_best_and_descends() {
        let (job, cluster) = (llama_7b(), a100_cluster(64));
        let ten = ranking(&job, &cluster, &Limits::FREE, STACK, Overlap::Realistic, 10);
        assert_eq!(ten.len(), 10);
        assert_eq!(Some(ten[0]), search(&job, &cluster, &Limits::FREE, STACK, Overlap::Realistic));
        assert!(ten.windows(2).all(|pair| pair[0].seq_s <= pair[1].seq_s * (1.0 + TIE)));
    }
}
