//! The constants of the software stacks from measured runs: nonlinear least squares on the logarithm of the ratio, with a robust loss, each
//! source with equal weight, and a prior on each constant that holds those which no run determines.

use super::case::{Case, case};
use super::least_squares::{minimise, robust};
use super::row::Row;
use crate::catalog;
use crate::model::Overlap;
use crate::model::memory::memory;
use crate::model::stack::{CONSTANTS, Stack};
use crate::model::step::step;
use levenberg_marquardt::LevenbergMarquardt;
use nalgebra::DVector;
use std::collections::BTreeMap;

/// Relative error at which the robust loss turns from square to linear.
const ROBUST_AT: f64 = 0.05;

/// The same for memory, which is more exact.
const ROBUST_AT_MEMORY: f64 = 0.03;

/// Weight of the prior against the runs.
const PRIOR_WEIGHT: f64 = 0.3;

/// Runs that a stack counts as at most: beyond, more runs of the same kind say nothing new.
const MOST_RUNS: f64 = 200.0;

/// Standard deviations that a constant may move from its prior.
const FARTHEST: f64 = 4.0;

/// Constants that are fitted to memory, not to time.
const OF_MEMORY: &[&str] =
    &["activation_width", "activation_mlp", "activation_routed", "activation_selective", "logits_bytes", "reserved_bytes"];

/// Constants that hold on one GPU only.
const OF_GPU: [&str; 2] = ["gpu_factor", "attention_factor"];

/// What no run may say: nothing hides longer than there is something to hide behind; a link carries no more than its line rate, which is so much above what large messages reach of it. The rates of
/// exchanges between experts are left out: they have to stand for what software hides of them beside `expert_exposed`.
fn ceiling(name: &str) -> f64 {
    if name.ends_with("_window") || name.ends_with("_exposed") || name == "recompute_stop" {
        1.0
    } else if name.starts_with("expert_") {
        f64::INFINITY
    } else if name.ends_with("_share_outer") {
        1.0 / super::case::OUTER_SHARE
    } else if name.ends_with("_share") {
        1.0 / catalog::NVLINK_SHARE.value
    } else {
        f64::INFINITY
    }
}

/// Which rows are fitted to: three of four, by the FNV-1a hash of the key. The others are looked at to judge, never to fit.
pub fn is_fitted(row: &Row) -> bool {
    row.confirmed.unwrap_or(true) && !hash(&row.id).is_multiple_of(4)
}

/// FNV-1a of 64 bits.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A stack's constants as fitted: the common ones, and the factors of each GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Constants of the stack; the factors of GPUs are 1.
    pub stack: Stack,
    /// Key of the GPU, factor on multiplications, factor on attention.
    pub gpus: BTreeMap<String, (f64, f64)>,
    /// Rows behind it.
    pub rows: usize,
}

impl Fitted {
    /// The constants on one GPU.
    pub fn on(&self, gpu: &str) -> Stack {
        let (gpu_factor, attention_factor) = self.gpus.get(gpu).copied().unwrap_or((1.0, 1.0));
        Stack { gpu_factor, attention_factor, ..self.stack }
    }
}

/// Fitted constants by stack.
pub type Constants = BTreeMap<&'static str, Fitted>;

/// The committed constants of the catalogue, in the same form.
pub fn committed() -> Constants {
    let one = |row: &'static catalog::StackRow| {
        let mut gpus = BTreeMap::<String, (f64, f64)>::new();
        for (gpu, name, value) in row.factors {
            let factors = gpus.entry((*gpu).to_string()).or_insert((1.0, 1.0));
            *(if *name == OF_GPU[0] { &mut factors.0 } else { &mut factors.1 }) = *value;
        }
        (row.id, Fitted { stack: row.on(""), gpus, rows: 0 })
    };
    catalog::STACKS.iter().map(one).collect()
}

/// What is known of a stack's constants before its runs are looked at: value and standard deviation of the logarithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    /// Of each constant, in the order of [`CONSTANTS`].
    common: Vec<(f64, f64)>,
    /// Of the factors of single GPUs: key of the GPU, name, value.
    gpus: Vec<(String, String, (f64, f64))>,
}

/// Priors of a stack: the general ones, or its parent's fit, or what `data/stack-priors.csv` (in `overrides`) knows of it.
///
/// # Errors
/// If the file names a constant that there is not, or holds no number.
pub fn priors(stack: &str, parent: Option<&Fitted>, overrides: &str) -> Result<Priors, String> {
    let centre = parent.map_or(Stack::PRIOR, |fitted| fitted.stack).values();
    let common = CONSTANTS.iter().zip(centre).map(|(constant, value)| (value, constant.spread)).collect();
    let mut priors = Priors { common, gpus: Vec::new() };
    let mut reader = csv::Reader::from_reader(overrides.as_bytes());
    for record in reader.records() {
        let record = record.map_err(|error| format!("data/stack-priors.csv: {error}"))?;
        let [of, gpu, name, prior, spread] = [0, 1, 2, 3, 4].map(|at| record.get(at).unwrap_or_default());
        if of != stack {
            continue;
        }
        let at = CONSTANTS.iter().position(|constant| constant.name == name);
        let number = |text: &str| text.parse::<f64>().ok().filter(|value| *value > 0.0);
        match (at, number(prior), number(spread)) {
            (Some(_), Some(prior), Some(spread)) if !gpu.is_empty() => {
                priors.gpus.push((gpu.to_string(), name.to_string(), (prior, spread)))
            }
            (Some(at), Some(prior), Some(spread)) => priors.common[at] = (prior, spread),
            _ => {
                return Err(format!(
                    "data/stack-priors.csv: expected a constant and two numbers above 0, found `{name}`, `{prior}`, `{spread}`"
                ));
            }
        }
    }
    Ok(priors)
}

impl Priors {
    fn of(&self, name: &str) -> (f64, f64) {
        CONSTANTS.iter().position(|constant| constant.name == name).map_or((1.0, 0.1), |at| self.common[at])
    }

    fn of_gpu(&self, gpu: &str, name: &str) -> (f64, f64) {
        let own = self.gpus.iter().find(|(of, constant, _)| of == gpu && constant == name);
        own.map_or_else(|| self.of(name), |(_, _, prior)| *prior)
    }
}

struct Sample {
    case: Case,
    /// Share of memory that the plan fills.
    memory_share: f64,
    gpu: usize,
    measured_ln: f64,
    weight: f64,
}

/// What a value of the vector is.
#[derive(Clone, Copy)]
enum Slot {
    Constant(usize),
    Matmul(usize),
    Attention(usize),
}

struct Problem<'a> {
    samples: Vec<Sample>,
    slots: Vec<Slot>,
    priors: &'a Priors,
    start: Stack,
    gpus: Vec<&'static str>,
    of_memory: bool,
}

impl Problem<'_> {
    fn prior(&self, slot: Slot) -> (f64, f64) {
        match slot {
            Slot::Constant(at) => self.priors.common[at],
            Slot::Matmul(gpu) => self.priors.of_gpu(self.gpus[gpu], OF_GPU[0]),
            Slot::Attention(gpu) => self.priors.of_gpu(self.gpus[gpu], OF_GPU[1]),
        }
    }

    fn value(&self, at: usize, z: f64) -> f64 {
        let (prior, spread) = self.prior(self.slots[at]);
        let value = prior * (spread * z.clamp(-FARTHEST, FARTHEST)).exp();
        match self.slots[at] {
            Slot::Constant(constant) => value.min(ceiling(CONSTANTS[constant].name)),
            _ => value,
        }
    }

    fn stacks(&self, z: &DVector<f64>) -> Vec<Stack> {
        let mut values = self.start.values();
        let mut factors = vec![(1.0, 1.0); self.gpus.len()];
        for (at, slot) in self.slots.iter().enumerate() {
            let value = self.value(at, z[at]);
            match *slot {
                Slot::Constant(constant) => values[constant] = value,
                Slot::Matmul(gpu) => factors[gpu].0 = value,
                Slot::Attention(gpu) => factors[gpu].1 = value,
            }
        }
        let stack = Stack::from_values(values);
        factors.into_iter().map(|(gpu_factor, attention_factor)| Stack { gpu_factor, attention_factor, ..stack }).collect()
    }

    fn at(&self, z: &DVector<f64>) -> DVector<f64> {
        let stacks = self.stacks(z);
        let residual = |sample: &Sample| {
            let (Case { job, cluster, plan, .. }, stack) = (&sample.case, &stacks[sample.gpu]);
            let (predicted, at) = if self.of_memory {
                (memory(job, cluster, plan, stack).total(), ROBUST_AT_MEMORY)
            } else {
                (step(job, cluster, plan, stack, Overlap::Realistic, sample.memory_share).total(), ROBUST_AT)
            };
            sample.weight * robust(predicted.ln() - sample.measured_ln, at)
        };
        let held = z.iter().map(|z| z * PRIOR_WEIGHT.sqrt());
        DVector::from_iterator(self.samples.len() + z.len(), self.samples.iter().map(residual).chain(held))
    }
}

/// A row that can be fitted to, with its case.
type Usable<'a> = (&'a Row, Case);

fn samples(rows: &[Usable], gpus: &[&'static str], measured: impl Fn(&Row) -> Option<f64>, share: impl Fn(&Case) -> f64) -> Vec<Sample> {
    let measured: Vec<(&Usable, f64)> = rows.iter().filter_map(|usable| measured(usable.0).map(|value| (usable, value))).collect();
    let mut by_source = BTreeMap::<&str, f64>::new();
    for (usable, _) in &measured {
        *by_source.entry(usable.0.source.as_str()).or_default() += 1.0;
    }
    let (all, sources) = (measured.len() as f64, by_source.len() as f64);
    let sample = |(usable, value): &(&Usable, f64)| Sample {
        case: usable.1,
        memory_share: share(&usable.1),
        gpu: gpus.iter().position(|gpu| *gpu == usable.1.gpu.id).unwrap_or(0),
        measured_ln: value.ln(),
        weight: (all.min(MOST_RUNS) / by_source[usable.0.source.as_str()] / sources).sqrt(),
    };
    measured.iter().map(sample).collect()
}

fn fit_stack(rows: &[Usable], priors: &Priors) -> Fitted {
    let mut gpus: Vec<&'static str> = rows.iter().map(|(_, case)| case.gpu.id).collect();
    gpus.sort_unstable();
    gpus.dedup();
    let constants = |of_memory: bool| {
        CONSTANTS
            .iter()
            .enumerate()
            .filter(move |(_, constant)| OF_MEMORY.contains(&constant.name) == of_memory && !OF_GPU.contains(&constant.name))
            .map(|(at, _)| Slot::Constant(at))
    };
    let mut start = Stack::from_values(std::array::from_fn(|at| priors.common[at].0));
    let gibibytes = |row: &Row| row.memory_gib.map(|gib| gib * 1_073_741_824.0);
    for of_memory in [true, false] {
        let slots: Vec<Slot> = if of_memory {
            constants(true).collect()
        } else {
            let factors = (0..gpus.len()).flat_map(|gpu| [Slot::Matmul(gpu), Slot::Attention(gpu)]);
            constants(false).chain(factors).collect()
        };
        let filled = |case: &Case| memory(&case.job, &case.cluster, &case.plan, &start).total() / case.cluster.device.memory_bytes;
        let samples =
            if of_memory { samples(rows, &gpus, gibibytes, |_| 0.0) } else { samples(rows, &gpus, |row| Some(row.step_seconds), filled) };
        if samples.is_empty() {
            continue;
        }
        let solver = LevenbergMarquardt::new().with_patience(40).with_ftol(1e-7).with_xtol(1e-7);
        let start_z = DVector::zeros(slots.len());
        let problem = Problem { samples, slots, priors, start, gpus: gpus.clone(), of_memory };
        let z = minimise(solver, start_z, 1e-5, |z| problem.at(z));
        let stacks = problem.stacks(&z);
        if of_memory {
            start = stacks[0];
        } else {
            let factors = gpus.iter().zip(&stacks).map(|(gpu, stack)| ((*gpu).to_string(), (stack.gpu_factor, stack.attention_factor)));
            return Fitted {
                stack: Stack { gpu_factor: 1.0, attention_factor: 1.0, ..stacks[0] },
                gpus: factors.collect(),
                rows: rows.len(),
            };
        }
    }
    // Nothing was measured: the prior, with what is known of single GPUs.
    let known = priors.gpus.iter().map(|(gpu, ..)| (gpu.clone(), (priors.of_gpu(gpu, OF_GPU[0]).0, priors.of_gpu(gpu, OF_GPU[1]).0)));
    Fitted { stack: start, gpus: known.collect(), rows: rows.len() }
}

/// Fits every stack to the rows that `wanted` lets through; a stack without any keeps its prior.
///
/// # Errors
/// If the priors cannot be read.
pub fn fit(rows: &[Row], overrides: &str, wanted: impl Fn(&Row) -> bool) -> Result<Constants, String> {
    let usable: Vec<Usable> = rows.iter().filter(|row| wanted(row)).filter_map(|row| case(row).ok().map(|case| (row, case))).collect();
    let mut constants = Constants::new();
    for stack in catalog::STACKS {
        let own: Vec<Usable> = usable.iter().filter(|(_, case)| case.stack.id == stack.id).map(|(row, case)| (*row, *case)).collect();
        let fitted = fit_stack(&own, &priors(stack.id, constants.get(stack.parent), overrides)?);
        constants.insert(stack.id, fitted);
    }
    Ok(constants)
}
