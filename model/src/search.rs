//! The best plans that fit: memory first, bounds before evaluation, ties to the simpler plan. Exact over [`layouts`](super::space::layouts): what is left out
//! cannot win.

use super::cluster::{Cluster, Device, Link};
use super::frame::Frame;
use super::job::Job;
use super::layer::{layer_bound_s, layer_s};
use super::memory::{least_bytes, memory};
use super::plan::{Plan, Recompute};
use super::space::{LARGEST_MICRO_BATCH, Limits, deepest_sharding, grids, loads, micro_batches, most_chunks, on_grid, schedules};
use super::stack::{Overlap, Stack};
use super::step::pressure_share;
use std::cell::Cell;

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

/// Exponents of two of the tensor and context degree and of the micro-batch, and kinds of recomputation, that are kept.
const KEPT: (usize, usize, usize, usize) = (5, 5, 7, 3);

const PLACES: usize = KEPT.0 * KEPT.1 * KEPT.2 * KEPT.3;

/// Seconds of layers, once worked out; they do not depend on stages, copies, schedule and sharding. Not a number: not yet.
type Kept = Cell<[f64; PLACES]>;

/// Seconds of the layers that stay inside a machine: the same in all clusters of the same machines, whatever lies between these.
struct Layers {
    device: Device,
    inner: Link,
    kept: Kept,
}

impl Layers {
    /// Of clusters with the GPUs of this one, linked as there.
    fn new(cluster: &Cluster) -> Layers {
        Layers { device: cluster.device, inner: cluster.inner, kept: Cell::new([f64::NAN; PLACES]) }
    }
}

/// The place of a layer among those that are kept; none for odd degrees and for spread experts.
fn place(plan: &Plan) -> Option<usize> {
    let exponent = |n: u32, most: usize| n.is_power_of_two().then(|| n.trailing_zeros() as usize).filter(|exponent| *exponent < most);
    let (tp, cp, micro_batch) = (exponent(plan.tp, KEPT.0)?, exponent(plan.cp, KEPT.1)?, exponent(plan.micro_batch, KEPT.2)?);
    (plan.ep == 1).then(|| ((tp * KEPT.1 + cp) * KEPT.2 + micro_batch) * KEPT.3 + plan.recompute as usize)
}

/// Everything that a plan is weighed with.
struct Scales<'a> {
    job: &'a Job,
    cluster: &'a Cluster,
    stack: &'a Stack,
    overlap: Overlap,
    /// Layers inside a machine.
    inside: Option<&'a Layers>,
    /// Layers that reach beyond one.
    beyond: Kept,
}

impl<'a> Scales<'a> {
    fn new(job: &'a Job, cluster: &'a Cluster, stack: &'a Stack, overlap: Overlap, layers: &'a Layers) -> Scales<'a> {
        let inside = Some(layers).filter(|layers| (layers.device, layers.inner) == (cluster.device, cluster.inner));
        Scales { job, cluster, stack, overlap, inside, beyond: Cell::new([f64::NAN; PLACES]) }
    }

    /// Seconds of a layer for one micro-batch.
    fn layer_s(&self, plan: &Plan) -> f64 {
        let work = || layer_s(self.job, self.cluster, plan, self.stack);
        let Some(place) = place(plan) else { return work() };
        let kept = match self.inside {
            Some(layers) if plan.tp * plan.cp <= self.cluster.per_machine => &layers.kept,
            _ => &self.beyond,
        };
        // Inside the array by the exponents' limits.
        let kept = &(kept as &Cell<[f64]>).as_slice_of_cells()[place];
        if kept.get().is_nan() {
            kept.set(work());
        }
        kept.get()
    }

    fn frame(&self, plan: &Plan) -> Frame<'a> {
        Frame::new(self.job, self.cluster, plan, self.stack, self.overlap)
    }

    /// Seconds per sequence of a plan that needs `needed` bytes.
    fn seq_s(&self, plan: &Plan, needed: f64) -> f64 {
        let seconds = self.frame(plan).total_s(plan, self.layer_s(plan)) / plan.step_seqs(self.job.batch_seqs);
        seconds * self.pressed(needed)
    }

    /// How much longer a step takes for want of memory, at least 1.
    fn pressed(&self, needed: f64) -> f64 {
        1.0 + pressure_share(self.stack, needed / self.cluster.device.memory_bytes)
    }

    /// What a plan of another cluster takes on this one, if it fits: a little more, so that it is found again itself.
    fn here(&self, near: &Plan, limits: &Limits) -> Option<f64> {
        let grid = on_grid(self.job, self.cluster, limits, near.tp, near.pp, near.cp)?;
        let plan = Plan { dp: grid.dp, ..*near };
        let needed = self.needed(&plan);
        (needed <= self.cluster.device.memory_bytes).then(|| self.seq_s(&plan, needed) * (1.0 + 10.0 * TIE))
    }

    fn needed(&self, plan: &Plan) -> f64 {
        memory(self.job, self.cluster, plan, self.stack).total()
    }

    /// A bound below the memory of every variant of a grid, bytes.
    fn least_needed(&self, grid: &Plan, limits: &Limits) -> f64 {
        let ep = if self.job.has_experts() { limits.ep.unwrap_or(self.job.experts as u32) } else { 1 };
        least_bytes(self.job, self.cluster, grid, ep, deepest_sharding(limits.strategy, grid), self.stack)
    }

    /// The lightest variant of a grid: the largest micro-batch, nothing computed again, the experts spread as far as it goes, which leaves each
    /// rank the fewest weights; and a bound below the seconds of a layer, for one sequence, of all its variants.
    fn lightest(&self, grid: &Plan, limits: &Limits) -> (Plan, f64) {
        let per_copy = grid.seqs_per_copy(self.job.batch_seqs);
        // The largest that is tried: a power of two.
        let largest = LARGEST_MICRO_BATCH.min(per_copy as u32).max(1);
        let micro_batch = limits.micro_batch.unwrap_or(1 << largest.ilog2());
        let plan = Plan { micro_batch, recompute: Recompute::None, ep: self.job.experts.max(1.0) as u32, ..*grid };
        // Without experts the bound is the layer itself, which is kept.
        let one = if self.job.has_experts() { layer_bound_s(self.job, self.cluster, &plan, self.stack) } else { self.layer_s(&plan) };
        (plan, one / f64::from(micro_batch))
    }

    /// A bound below the seconds per sequence of every variant of a grid, of its layers alone, which take at least `layer_s` for a sequence.
    fn below_layers(&self, grid: &Plan, layer_s: f64) -> f64 {
        let per_copy = grid.seqs_per_copy(self.job.batch_seqs);
        // Rounding may differ from that of a step's parts.
        (self.job.layers / f64::from(grid.pp)).ceil() * layer_s * per_copy / grid.step_seqs(self.job.batch_seqs) * (1.0 - 1e-12)
    }
}

/// Whether a plan that takes at least `below` seconds per sequence is of no interest any more.
fn is_beaten(below: f64, keep: &impl Keep, known: Option<f64>) -> bool {
    [keep.worst(), known].into_iter().flatten().any(|worst| below > worst * (1.0 + TIE))
}

/// Offers `keep` every plan that fits and may be of interest. Plans slower than `known` seconds per sequence are of no interest.
fn explore(scales: &Scales, limits: &Limits, keep: &mut impl Keep, known: Option<f64>) {
    let capacity = scales.cluster.device.memory_bytes;
    for grid in grids(scales.job, scales.cluster, limits) {
        // The cheapest question first.
        let (lightest, layer_s) = scales.lightest(&grid, limits);
        if is_beaten(scales.below_layers(&grid, layer_s), keep, known) || scales.least_needed(&grid, limits) > capacity {
            continue;
        }
        let step_seqs = grid.step_seqs(scales.job.batch_seqs);
        let chunks = f64::from(most_chunks(scales.job, limits, &grid));
        let grid_frame = scales.frame(&lightest);
        if is_beaten(grid_frame.below_s(layer_s, chunks, f64::from(lightest.micro_batch)) / step_seqs, keep, known) {
            continue;
        }
        for load in loads(scales.job, limits, grid) {
            let schedules = schedules(scales.job, limits, load);
            let own_frame = (load.ep != lightest.ep).then(|| scales.frame(&load));
            let frame = own_frame.as_ref().unwrap_or(&grid_frame);
            for micro_batch in micro_batches(scales.job, limits, &load) {
                let plain_s = scales.layer_s(&Plan { micro_batch, interleave: 1, ..load });
                // Interleaving hides a part of the exchanges between experts, and changes nothing else of a layer.
                let interleaved_s =
                    if load.ep > 1 && chunks > 1.0 { scales.layer_s(&Plan { micro_batch, interleave: 2, ..load }) } else { plain_s };
                let size = f64::from(micro_batch);
                // Whether it would fit is not asked; something does.
                if is_beaten(frame.below_s(plain_s.min(interleaved_s) / size, chunks, size) / step_seqs, keep, known) {
                    continue;
                }
                let mut any_fits = false;
                for schedule in schedules.clone() {
                    let plan = Plan { micro_batch, ..schedule };
                    let layer_s = if plan.interleave > 1 { interleaved_s } else { plain_s };
                    let seq_s = frame.total_s(&plan, layer_s) / step_seqs;
                    if is_beaten(seq_s, keep, known) {
                        any_fits = true;
                        continue;
                    }
                    let needed = scales.needed(&plan);
                    if needed <= capacity {
                        any_fits = true;
                        keep.offer(Found { plan, seq_s: seq_s * scales.pressed(needed), fits: true });
                    }
                }
                // Memory only grows with the micro-batch.
                if !any_fits {
                    break;
                }
            }
        }
    }
}

/// The layouts of a grid with the smallest micro-batch: among those of each, none needs less memory.
fn smallest_of<'a>(scales: &'a Scales, limits: &'a Limits, grid: Plan) -> impl Iterator<Item = Plan> + 'a {
    loads(scales.job, limits, grid).flat_map(move |load| {
        let micro_batch = micro_batches(scales.job, limits, &load).next();
        let schedules = schedules(scales.job, limits, load);
        micro_batch.into_iter().flat_map(move |micro_batch| schedules.clone().map(move |schedule| Plan { micro_batch, ..schedule }))
    })
}

/// The plan that needs the least memory, whatever time it takes.
fn leanest(scales: &Scales, limits: &Limits) -> Option<Plan> {
    let bounds: Vec<(f64, Plan)> =
        grids(scales.job, scales.cluster, limits).map(|grid| (scales.least_needed(&grid, limits), grid)).collect();
    let (_, likely) = *bounds.iter().min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let mut found: Option<(f64, Plan)> = None;
    for (bound, grid) in std::iter::once((0.0, likely)).chain(bounds) {
        if found.is_some_and(|(least, _)| bound > least) {
            continue;
        }
        for plan in smallest_of(scales, limits, grid) {
            let needed = scales.needed(&plan);
            if found.is_none_or(|(least, _)| needed < least) {
                found = Some((needed, plan));
            }
        }
    }
    found.map(|(_, plan)| plan)
}

/// The fastest plan that fits, or the one that needs the least memory if none does. `None` only if `limits` exclude every plan,
/// for instance a tensor-parallel degree above the number of GPUs.
pub fn search(job: &Job, cluster: &Cluster, limits: &Limits, stack: &Stack, overlap: Overlap) -> Option<Found> {
    let layers = Layers::new(cluster);
    let scales = Scales::new(job, cluster, stack, overlap, &layers);
    fastest(&scales, limits, &[]).or_else(|| {
        let unfit = |plan| Found { plan, seq_s: scales.seq_s(&plan, scales.needed(&plan)), fits: false };
        leanest(&scales, limits).map(unfit)
    })
}

/// The fastest plan that fits. It is found sooner where `near` holds the best plans of similar questions: what they take here bounds what is
/// of interest.
fn fastest(scales: &Scales, limits: &Limits, near: &[&Plan]) -> Option<Found> {
    let known = near.iter().filter_map(|near| scales.here(near, limits)).min_by(f64::total_cmp);
    let mut best = Best(None);
    explore(scales, limits, &mut best, known);
    if best.0.is_none() && known.is_some() {
        // The neighbours' plans are none of this question's.
        explore(scales, limits, &mut best, None);
    }
    best.0
}

/// Searches for one job under the same limits on similar clusters: the layers that one of them has worked out serve the next.
pub struct Searches<'a> {
    job: &'a Job,
    limits: &'a Limits,
    stack: &'a Stack,
    overlap: Overlap,
    layers: Layers,
}

impl<'a> Searches<'a> {
    /// For clusters that have the GPUs of `cluster`, linked as there inside a machine; others are searched too, only later.
    pub fn new(job: &'a Job, cluster: &Cluster, limits: &'a Limits, stack: &'a Stack, overlap: Overlap) -> Searches<'a> {
        Searches { job, limits, stack, overlap, layers: Layers::new(cluster) }
    }

    fn scales<'b>(&'b self, cluster: &'b Cluster) -> Scales<'b> {
        Scales::new(self.job, cluster, self.stack, self.overlap, &self.layers)
    }

    /// The fastest plan that fits; sooner where `near` holds the best plans of similar clusters.
    pub fn fastest(&self, cluster: &Cluster, near: &[&Plan]) -> Option<Plan> {
        fastest(&self.scales(cluster), self.limits, near).map(|found| found.plan)
    }

    /// The plan that needs the least memory, whatever time it takes.
    pub fn leanest(&self, cluster: &Cluster) -> Option<Plan> {
        leanest(&self.scales(cluster), self.limits)
    }

    /// Whether any plan fits in memory.
    pub fn fits(&self, cluster: &Cluster) -> bool {
        let (scales, capacity) = (self.scales(cluster), cluster.device.memory_bytes);
        grids(self.job, cluster, self.limits)
            .filter(|grid| scales.least_needed(grid, self.limits) <= capacity)
            .any(|grid| smallest_of(&scales, self.limits, grid).any(|plan| scales.needed(&plan) <= capacity))
    }
}

/// The `most` fastest plans that fit, the best first; empty if none fits.
pub fn ranking(job: &Job, cluster: &Cluster, limits: &Limits, stack: &Stack, overlap: Overlap, most: usize) -> Vec<Found> {
    let mut ranking = Ranking { found: Vec::new(), most: most.max(1) };
    explore(&Scales::new(job, cluster, stack, overlap, &Layers::new(cluster)), limits, &mut ranking, None);
    ranking.found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{a100_cluster, gpt3_175b, llama_7b};

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
    fn some_plan_fits_exactly_where_the_search_finds_one() {
        let job = gpt3_175b();
        let found = [8, 16, 24, 32, 40, 64, 512].map(|gpus| {
            let cluster = a100_cluster(gpus);
            let found = search(&job, &cluster, &Limits::FREE, STACK, Overlap::Realistic).unwrap();
            let searches = Searches::new(&job, &cluster, &Limits::FREE, STACK, Overlap::Realistic);
            assert_eq!(searches.fits(&cluster), found.fits, "{gpus}");
            found.fits
        });
        assert!(!found[0] && found[6]);
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
