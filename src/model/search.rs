//! The fastest plan that fits: memory first, bounds before evaluation, ties to the simpler plan.

use super::cluster::Cluster;
use super::job::Job;
use super::memory::memory;
use super::plan::{Plan, Recompute, Sharding};
use super::stack::{Overlap, Stack};
use super::step::{bound_s, step};

/// Which kinds of plan may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All of them.
    Auto,
    /// Data parallel with this sharding only.
    Data(Sharding),
    /// Tensor × pipeline × data, without sharded weights.
    ThreeD,
}

/// What the person has fixed; `None` leaves it to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Kinds of plan.
    pub strategy: Strategy,
    /// Tensor-parallel degree.
    pub tp: Option<u32>,
    /// Pipeline stages.
    pub pp: Option<u32>,
    /// Micro-batch in sequences.
    pub micro_batch: Option<u32>,
    /// Recomputation.
    pub recompute: Option<Recompute>,
}

impl Limits {
    /// Nothing fixed.
    pub const FREE: Limits = Limits { strategy: Strategy::Auto, tp: None, pp: None, micro_batch: None, recompute: None };
}

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

/// Largest tensor-parallel degree that is tried across machines.
const WIDEST_TENSOR_PARALLEL: u32 = 16;

/// Largest micro-batch that is tried.
const LARGEST_MICRO_BATCH: u32 = 64;

struct Best<'a> {
    job: &'a Job,
    cluster: &'a Cluster,
    stack: &'a Stack,
    overlap: Overlap,
    fitting: Option<Found>,
    smallest: Option<(f64, Plan)>,
}

impl Best<'_> {
    /// Whether a plan over `gpus` with `recompute` cannot win any more.
    fn is_beaten(&self, gpus: f64, recompute: Recompute) -> bool {
        self.fitting.is_some_and(|best| bound_s(self.job, self.cluster, gpus, recompute, self.stack) > best.seq_s * (1.0 + TIE))
    }

    fn seq_s(&self, plan: &Plan) -> f64 {
        step(self.job, self.cluster, plan, self.stack, self.overlap).total() / plan.step_seqs(self.job.batch_seqs)
    }

    /// Weighs one plan; returns whether it fits.
    fn offer(&mut self, plan: Plan) -> bool {
        let needed = memory(self.job, self.cluster, &plan, self.stack).total();
        if needed > self.cluster.device.memory_bytes {
            if self.fitting.is_none() && self.smallest.is_none_or(|(least, _)| needed < least) {
                self.smallest = Some((needed, plan));
            }
            return false;
        }
        let seq_s = self.seq_s(&plan);
        let better = self.fitting.is_none_or(|best| {
            seq_s < best.seq_s * (1.0 - TIE) || (seq_s <= best.seq_s * (1.0 + TIE) && plan.complexity() < best.plan.complexity())
        });
        if better {
            self.fitting = Some(Found { plan, seq_s, fits: true });
        }
        true
    }
}

/// The fastest plan that fits, or the one that needs the least memory if none does. `None` only if `limits` exclude every plan,
/// for instance a tensor-parallel degree above the number of GPUs.
pub fn search(job: &Job, cluster: &Cluster, limits: &Limits, stack: &Stack, overlap: Overlap) -> Option<Found> {
    let mut best = Best { job, cluster, stack, overlap, fitting: None, smallest: None };
    for pp in pipeline_degrees(job, cluster, limits) {
        for tp in tensor_degrees(job, cluster, limits) {
            let Some(slots) = cluster.gpus.checked_div(tp * pp).filter(|&slots| slots > 0) else { continue };
            // More copies than sequences have nothing to do.
            let dp = aligned(slots.min(clamp_u32(job.batch_seqs)), tp, pp, cluster);
            for sharding in shardings(limits.strategy, tp, pp, dp) {
                for recompute in recomputes(job, limits) {
                    if best.is_beaten(f64::from(tp * pp * dp), recompute) {
                        continue;
                    }
                    offer_micro_batches(&mut best, limits, Plan { tp, pp, dp, micro_batch: 1, sharding, recompute });
                }
            }
        }
    }
    best.fitting.or_else(|| best.smallest.map(|(_, plan)| Found { plan, seq_s: best.seq_s(&plan), fits: false }))
}

/// Memory only grows with the micro-batch: the first that does not fit ends the row.
fn offer_micro_batches(best: &mut Best, limits: &Limits, plan: Plan) {
    if let Some(micro_batch) = limits.micro_batch {
        best.offer(Plan { micro_batch, ..plan });
        return;
    }
    let per_copy = clamp_u32(plan.seqs_per_copy(best.job.batch_seqs)).min(LARGEST_MICRO_BATCH);
    let mut micro_batch = 1;
    while micro_batch <= per_copy && best.offer(Plan { micro_batch, ..plan }) {
        micro_batch *= 2;
    }
}

/// The largest number of copies up to `dp` at which no group of tensor- and data-parallel GPUs of a stage straddles two machines
/// that could stay inside one.
fn aligned(dp: u32, tp: u32, pp: u32, cluster: &Cluster) -> u32 {
    let straddles = |dp: u32| {
        pp > 1 && tp * pp * dp > cluster.per_machine && tp * dp < cluster.per_machine && !cluster.per_machine.is_multiple_of(tp * dp)
    };
    (1..=dp).rev().find(|&dp| !straddles(dp)).unwrap_or(1)
}

/// A whole number as `u32`, at least 1, saturating.
fn clamp_u32(value: f64) -> u32 {
    // `as` saturates; the input is a whole number of at least 1.
    value.max(1.0) as u32
}

/// Powers of two that divide the heads, inside a machine and up to two machines.
fn tensor_degrees(job: &Job, cluster: &Cluster, limits: &Limits) -> impl Iterator<Item = u32> + Clone + use<> {
    let heads = clamp_u32(job.heads);
    let (fixed, most) = (limits.tp, WIDEST_TENSOR_PARALLEL.min(2 * cluster.per_machine).min(cluster.gpus));
    let only_one = matches!(limits.strategy, Strategy::Data(_));
    fixed.into_iter().chain(
        (0..5).map(|k| 1 << k).filter(move |&tp| fixed.is_none() && tp <= most && (tp == 1 || !only_one) && heads.is_multiple_of(tp)),
    )
}

/// Stage counts that make the heaviest stage lighter than any smaller count does.
fn pipeline_degrees(job: &Job, cluster: &Cluster, limits: &Limits) -> impl Iterator<Item = u32> + use<> {
    let layers = clamp_u32(job.layers);
    let only_one = matches!(limits.strategy, Strategy::Data(_));
    let fixed = limits.pp;
    let most = if only_one { 1 } else { layers.min(cluster.gpus) };
    let mut next = Some(1);
    let steps = std::iter::from_fn(move || {
        let pp = next.filter(|&pp| pp <= most)?;
        let heaviest = layers.div_ceil(pp);
        next = (heaviest > 1).then(|| layers.div_ceil(heaviest - 1));
        Some(pp)
    });
    fixed.into_iter().chain(steps.filter(move |_| fixed.is_none()))
}

/// Shardings worth trying: pipelines keep whole weights, one copy shards nothing.
fn shardings(strategy: Strategy, tp: u32, pp: u32, dp: u32) -> impl Iterator<Item = Sharding> {
    Sharding::ALL.into_iter().filter(move |&sharding| match strategy {
        Strategy::Data(wanted) => sharding == wanted,
        Strategy::ThreeD => sharding <= Sharding::Zero1 && (dp > 1 || sharding == Sharding::None),
        Strategy::Auto if dp == 1 => sharding == Sharding::None,
        Strategy::Auto if pp > 1 => sharding <= Sharding::Zero1,
        Strategy::Auto => tp == 1 || sharding != Sharding::Hybrid,
    })
}

/// With fused attention there are no scores to compute again: selective equals none.
fn recomputes(job: &Job, limits: &Limits) -> impl Iterator<Item = Recompute> {
    let (fixed, fused) = (limits.recompute, job.fused_attention);
    Recompute::ALL.into_iter().filter(move |&recompute| match fixed {
        Some(wanted) => recompute == wanted,
        None => recompute != Recompute::Selective || !fused,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{a100_cluster, gpt3_175b, llama_7b, stack};

    #[test]
    fn finds_a_plan_for_gpt3_on_512() {
        let found = search(&gpt3_175b(), &a100_cluster(512), &Limits::FREE, &stack(), Overlap::Realistic).unwrap();
        assert!(found.fits);
        assert!(found.plan.gpus() <= 512);
    }

    #[test]
    fn what_fits_nowhere_comes_back_with_the_least_memory() {
        let found = search(&gpt3_175b(), &a100_cluster(1), &Limits::FREE, &stack(), Overlap::Realistic).unwrap();
        assert!(!found.fits);
    }

    #[test]
    fn impossible_limits_have_no_plan() {
        let limits = Limits { tp: Some(16), ..Limits::FREE };
        assert_eq!(search(&llama_7b(), &a100_cluster(8), &limits, &stack(), Overlap::Realistic), None);
    }

    #[test]
    fn stage_counts_grow_only_where_the_heaviest_stage_shrinks() {
        let job = llama_7b();
        let degrees: Vec<u32> = pipeline_degrees(&job, &a100_cluster(512), &Limits::FREE).collect();
        assert_eq!(degrees, [1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 32]);
    }
}
