//! The plans that are worth a look for a job on a cluster.

use super::cluster::Cluster;
use super::job::Job;
use super::plan::{Plan, Recompute, Sharding};

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
    /// Chunks of layers per stage.
    pub interleave: Option<u32>,
    /// Context-parallel degree.
    pub cp: Option<u32>,
    /// Expert-parallel degree.
    pub ep: Option<u32>,
    /// Micro-batch in sequences.
    pub micro_batch: Option<u32>,
    /// Recomputation.
    pub recompute: Option<Recompute>,
}

impl Limits {
    /// Nothing fixed.
    pub const FREE: Limits =
        Limits { strategy: Strategy::Auto, tp: None, pp: None, interleave: None, cp: None, ep: None, micro_batch: None, recompute: None };
}

/// Largest tensor-parallel degree that is tried across machines.
const WIDEST_TENSOR_PARALLEL: u32 = 16;

/// Largest micro-batch that is tried.
pub const LARGEST_MICRO_BATCH: u32 = 64;

/// Tokens of a sequence that a context-parallel rank holds at least: shorter pieces leave too little work behind which to hide the traffic.
const SHORTEST_CONTEXT: f64 = 2048.0;

/// Every layout with the smallest micro-batch; [`micro_batches`] gives the others. No layout stands there twice.
pub fn layouts<'a>(job: &'a Job, cluster: &'a Cluster, limits: &'a Limits) -> impl Iterator<Item = Plan> + 'a {
    grids(job, cluster, limits).flat_map(move |grid| variants(job, limits, grid))
}

/// The degrees that share out the GPUs: tensor, pipeline, context, data.
pub fn grids<'a>(job: &'a Job, cluster: &'a Cluster, limits: &'a Limits) -> impl Iterator<Item = Plan> + 'a {
    pipeline_degrees(job, cluster, limits)
        .flat_map(move |pp| tensor_degrees(job, cluster, limits).map(move |tp| (pp, tp)))
        .flat_map(move |(pp, tp)| context_degrees(job, limits).map(move |cp| (pp, tp, cp)))
        .filter_map(move |(pp, tp, cp)| on_grid(job, cluster, limits, tp, pp, cp))
}

/// The plain layout with these degrees and as many copies as there is room for; `None` if there is none.
pub fn on_grid(job: &Job, cluster: &Cluster, limits: &Limits, tp: u32, pp: u32, cp: u32) -> Option<Plan> {
    let used = tp.checked_mul(pp)?.checked_mul(cp)?;
    let slots = cluster.gpus.checked_div(used).filter(|&slots| slots > 0)?;
    // More copies than sequences have nothing to do.
    let dp = aligned(slots.min(clamp_u32(job.batch_seqs)), tp * cp, pp, cluster);
    let micro_batch = limits.micro_batch.unwrap_or(1);
    Some(Plan { tp, sequence_parallel: tp > 1, pp, cp, dp, micro_batch, ..Plan::PLAIN })
}

/// Every layout of a grid.
pub fn variants<'a>(job: &'a Job, limits: &'a Limits, grid: Plan) -> impl Iterator<Item = Plan> + 'a {
    loads(job, limits, grid).flat_map(move |load| schedules(job, limits, load))
}

/// The variants of a grid that differ in what a layer computes: experts per rank, recomputation.
pub fn loads<'a>(job: &'a Job, limits: &'a Limits, grid: Plan) -> impl Iterator<Item = Plan> + 'a {
    expert_degrees(job, limits, &grid)
        .map(move |ep| Plan { ep, ..grid })
        .flat_map(move |plan| recomputes(job, limits).map(move |recompute| Plan { recompute, ..plan }))
}

/// The variants that differ in when it is computed and what is waited for: schedule, sharding.
pub fn schedules<'a>(job: &'a Job, limits: &'a Limits, load: Plan) -> impl Iterator<Item = Plan> + Clone + 'a {
    chunks(job, limits, &load)
        .map(move |interleave| Plan { interleave, ..load })
        .flat_map(move |plan| shardings(limits.strategy, &plan).map(move |sharding| Plan { sharding, ..plan }))
}

/// The most chunks of a stage among the schedules of a grid.
pub fn most_chunks(job: &Job, limits: &Limits, grid: &Plan) -> u32 {
    chunks(job, limits, grid).max().unwrap_or(1)
}

/// The micro-batches of a layout, ascending; memory only grows along them.
pub fn micro_batches(job: &Job, limits: &Limits, plan: &Plan) -> impl Iterator<Item = u32> + use<> {
    let per_copy = clamp_u32(plan.seqs_per_copy(job.batch_seqs)).min(LARGEST_MICRO_BATCH);
    let fixed = limits.micro_batch;
    fixed.into_iter().chain((0..7).map(|k| 1 << k).filter(move |&size| fixed.is_none() && size <= per_copy))
}

/// The largest number of copies up to `dp` at which no group of GPUs of a stage straddles two machines that could stay inside one.
fn aligned(dp: u32, width: u32, pp: u32, cluster: &Cluster) -> u32 {
    let straddles = |dp: u32| {
        pp > 1
            && width * pp * dp > cluster.per_machine
            && width * dp < cluster.per_machine
            && !cluster.per_machine.is_multiple_of(width * dp)
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

/// Powers of two while each rank keeps enough of the sequence.
fn context_degrees(job: &Job, limits: &Limits) -> impl Iterator<Item = u32> + use<> {
    let (fixed, seq) = (limits.cp, job.seq);
    let only_one = matches!(limits.strategy, Strategy::Data(_));
    let long_enough = move |cp: u32| cp == 1 || (!only_one && seq / f64::from(cp) >= SHORTEST_CONTEXT);
    fixed.into_iter().chain((0..5).map(|k| 1 << k).filter(move |&cp| fixed.is_none() && long_enough(cp)))
}

/// Powers of two that divide the experts and the replicas.
fn expert_degrees(job: &Job, limits: &Limits, plan: &Plan) -> impl Iterator<Item = u32> + use<> {
    let (experts, replicas) = (if job.has_experts() { clamp_u32(job.experts) } else { 1 }, plan.replicas());
    let fixed = limits.ep;
    let divides = move |ep: u32| experts.is_multiple_of(ep) && replicas.is_multiple_of(ep);
    fixed.into_iter().chain((0..11).map(|k| 1 << k).filter(move |&ep| fixed.is_none() && divides(ep)))
}

/// The plain schedule, and interleaved ones whose chunks are even; they need a micro-batch for every stage.
fn chunks(job: &Job, limits: &Limits, plan: &Plan) -> impl Iterator<Item = u32> + Clone + use<> {
    let layers = clamp_u32(job.layers);
    let per_stage = if plan.pp > 1 && layers.is_multiple_of(plan.pp) { layers / plan.pp } else { 1 };
    let enough = plan.micro_batches(job.batch_seqs) >= f64::from(plan.pp);
    let fixed = limits.interleave.map(|chunks| if plan.pp > 1 { chunks } else { 1 });
    let fits = move |v: u32| v == 1 || (enough && per_stage > 1 && per_stage.is_multiple_of(v));
    fixed.into_iter().chain([1, 2, 4, 8].into_iter().filter(move |&v| fixed.is_none() && fits(v)))
}

/// Shardings worth trying: pipelines keep whole weights, one replica shards nothing.
fn shardings(strategy: Strategy, plan: &Plan) -> impl Iterator<Item = Sharding> + Clone + use<> {
    let (tp, pp, replicas) = (plan.tp, plan.pp, plan.replicas());
    Sharding::ALL.into_iter().filter(move |&sharding| match strategy {
        Strategy::Data(wanted) => sharding == wanted,
        Strategy::ThreeD => sharding <= Sharding::Zero1 && (replicas > 1 || sharding == Sharding::None),
        Strategy::Auto if replicas == 1 => sharding == Sharding::None,
        Strategy::Auto if pp > 1 => sharding <= Sharding::Zero1,
        Strategy::Auto => tp == 1 || sharding != Sharding::Hybrid,
    })
}

/// The sharding that leaves a rank the least of weights, gradients and states among those that are tried for these degrees.
pub fn deepest_sharding(strategy: Strategy, grid: &Plan) -> Sharding {
    shardings(strategy, grid).max().unwrap_or(Sharding::None)
}

/// With fused attention there are no scores to compute again; whole layers are the other way to save memory.
fn recomputes(job: &Job, limits: &Limits) -> impl Iterator<Item = Recompute> + use<> {
    let (fixed, fused) = (limits.recompute, job.fused_attention);
    Recompute::ALL.into_iter().filter(move |&recompute| match fixed {
        Some(wanted) => recompute == wanted,
        None => recompute != Recompute::Selective || !fused,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a100_cluster, gpt3_175b, llama_7b};
    use std::collections::HashSet;

    #[test]
    fn stage_counts_grow_only_where_the_heaviest_stage_shrinks() {
        let job = llama_7b();
        let degrees: Vec<u32> = pipeline_degrees(&job, &a100_cluster(512), &Limits::FREE).collect();
        assert_eq!(degrees, [1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 32]);
    }

    #[test]
    fn layouts_use_what_there_is_and_none_stands_there_twice() {
        let (job, cluster) = (gpt3_175b(), a100_cluster(512));
        let all: Vec<Plan> = layouts(&job, &cluster, &Limits::FREE).collect();
        let distinct: HashSet<String> = all.iter().map(|plan| format!("{plan:?}")).collect();
        assert_eq!(distinct.len(), all.len());
        assert!(all.len() > 100 && all.iter().all(|plan| plan.gpus() <= 512 && plan.ep == 1));
        assert!(all.iter().any(|plan| plan.interleave == 4 && plan.pp > 1));
    }

    #[test]
    fn only_long_sequences_are_split_and_only_experts_are_spread() {
        let cluster = a100_cluster(64);
        let long = Job { seq: 131_072.0, ..llama_7b() };
        assert!(layouts(&long, &cluster, &Limits::FREE).any(|plan| plan.cp == 16));
        assert!(layouts(&llama_7b(), &cluster, &Limits::FREE).all(|plan| plan.cp <= 2));
        let experts = Job { layer_experts: 1e9, experts: 8.0, experts_per_token: 2.0, ..llama_7b() };
        let degrees: HashSet<u32> = layouts(&experts, &cluster, &Limits::FREE).map(|plan| plan.ep).collect();
        assert_eq!(degrees, HashSet::from([1, 2, 4, 8]));
    }
}
