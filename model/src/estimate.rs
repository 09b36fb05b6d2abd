//! From job, cluster and plan to everything that is shown.

use super::cluster::Cluster;
use super::job::Job;
use super::memory::{Memory, memory};
use super::money::{Bill, Rates, bill};
use super::plan::Plan;
use super::reliability::{Reliability, Uptime, uptime};
use super::search::Searches;
use super::space::Limits;
use super::stack::{Overlap, Stack};
use super::step::{Step, step};
use super::work;

/// What holds for one machine and cluster alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// What the person has fixed of the plan.
    pub limits: Limits,
    /// The software.
    pub stack: Stack,
    /// How much communication hides.
    pub overlap: Overlap,
    /// Failures and checkpoints.
    pub reliability: Reliability,
    /// Prices and power.
    pub rates: Rates,
}

/// Everything about one run; every figure is the sum or the product of parts that are here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The cluster, or the one machine.
    pub cluster: Cluster,
    /// The plan.
    pub plan: Plan,
    /// Whether the fullest GPU has memory enough. If not, the figures say how it would be if it had.
    pub fits: bool,
    /// Memory of the fullest GPU.
    pub memory: Memory,
    /// One step.
    pub step: Step,
    /// Sequences of a step, as near to the batch asked for as the plan allows.
    pub step_seqs: f64,
    /// Steps of the run.
    pub steps: f64,
    /// Failures and checkpoints.
    pub uptime: Uptime,
    /// Seconds from start to end, failures and checkpoints included.
    pub time_s: f64,
    /// Expected failures.
    pub failures: f64,
    /// Money, energy, carbon.
    pub bill: Bill,
    /// Model FLOP of the run over what the peak of all GPUs would do in `time_s` without failures: MFU, 0 to 1.
    pub mfu: f64,
}

impl Estimate {
    /// Bytes that are missing on the fullest GPU; zero or less if it fits.
    pub fn missing_bytes(&self) -> f64 {
        self.memory.total() - self.cluster.device.memory_bytes
    }

    /// GPUs that the plan leaves idle.
    pub fn idle_gpus(&self) -> u32 {
        self.cluster.gpus.saturating_sub(self.plan.gpus())
    }
}

/// Searches the plan and works it out. `None` if the limits exclude every plan.
pub fn estimate(job: &Job, cluster: &Cluster, conditions: &Conditions) -> Option<Estimate> {
    Estimator::new(job, cluster, conditions).estimate(cluster, &[])
}

/// Estimates of one job on similar clusters: what one search has worked out serves the next.
pub struct Estimator<'a> {
    job: &'a Job,
    conditions: &'a Conditions,
    searches: Searches<'a>,
}

impl<'a> Estimator<'a> {
    /// For clusters that have the GPUs of `cluster`, linked as there inside a machine; others are answered too, only later.
    pub fn new(job: &'a Job, cluster: &Cluster, conditions: &'a Conditions) -> Estimator<'a> {
        let Conditions { limits, stack, overlap, .. } = conditions;
        Estimator { job, conditions, searches: Searches::new(job, cluster, limits, stack, *overlap) }
    }

    /// Searches the plan and works it out, sooner where `near` holds this job's estimates on similar clusters. `None` if the limits exclude
    /// every plan.
    pub fn estimate(&self, cluster: &Cluster, near: &[&Estimate]) -> Option<Estimate> {
        // What fits, and what needs the least memory, does not depend on the links.
        let same_memory = |other: &Cluster| Cluster { inner: cluster.inner, outer: cluster.outer, ..*other } == *cluster;
        let lean = near.iter().find(|near| !near.fits && same_memory(&near.cluster)).map(|near| near.plan);
        let fitting = if lean.is_none() { self.fitting(cluster, near) } else { None };
        fitting.or_else(|| {
            let plan = lean.or_else(|| self.searches.leanest(cluster))?;
            Some(with_plan(self.job, cluster, self.conditions, plan, false))
        })
    }

    /// The same, or `None` if nothing fits in memory.
    pub fn fitting(&self, cluster: &Cluster, near: &[&Estimate]) -> Option<Estimate> {
        // Few at most: a neighbour in the row, and what was known of the same size.
        let near: Vec<_> = near.iter().filter(|near| near.fits).map(|near| &near.plan).collect();
        let plan = self.searches.fastest(cluster, &near)?;
        Some(with_plan(self.job, cluster, self.conditions, plan, true))
    }

    /// Whether any plan fits in the cluster's memory.
    pub fn fits(&self, cluster: &Cluster) -> bool {
        self.searches.fits(cluster)
    }
}

/// Works out a given plan.
pub fn with_plan(job: &Job, cluster: &Cluster, conditions: &Conditions, plan: Plan, fits: bool) -> Estimate {
    let memory = memory(job, cluster, &plan, &conditions.stack);
    let step = step(job, cluster, &plan, &conditions.stack, conditions.overlap, memory.total() / cluster.device.memory_bytes);
    let step_seqs = plan.step_seqs(job.batch_seqs);
    let steps = job.steps(step_seqs);
    let useful_s = steps * step.total();
    let gpus = f64::from(cluster.gpus);
    let uptime = uptime(job.params, useful_s, gpus, f64::from(cluster.machines()), &conditions.reliability);
    let time_s = useful_s / uptime.goodput;
    Estimate {
        cluster: *cluster,
        plan,
        fits,
        memory,
        step,
        step_seqs,
        steps,
        uptime,
        time_s,
        failures: time_s / uptime.mtbf_s,
        bill: bill(time_s / 3600.0, gpus, &conditions.rates),
        mfu: work::model_flop(job, step_seqs) / (step.total() * gpus * cluster.device.peak_flop_per_s),
    }
}
