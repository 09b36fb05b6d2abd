//! The model scaled to a reader's own runs: one factor on computing, one on communication, by least squares of the logarithms.

use super::Answers;
use crate::locale::{Lang, number};
use crate::measured;
use crate::model::memory::memory;
use crate::model::step::step;
use crate::model::{Calibration, Cluster, Job, Overlap, Plan, Stack};
use crate::scenario::{Param, Scenario};

/// The range of both factors, as in the parameter table.
const RANGE: (f64, f64) = (0.1, 10.0);

/// Weight of the wish that both factors be the same, per run: what one run, or runs of one kind, cannot tell apart stays together.
const TOGETHER: f64 = 0.02;

/// A measured run, and what the model needs to predict it.
#[derive(Clone, Debug)]
pub struct Run {
    /// How the reader knows it.
    pub name: String,
    /// Seconds of a step, measured.
    pub measured_s: f64,
    job: Job,
    cluster: Cluster,
    plan: Plan,
    stack: Stack,
    overlap: Overlap,
}

impl Run {
    /// Seconds of a step as the scaled model predicts them.
    pub fn predicted_s(&self, calibration: Calibration) -> f64 {
        let (cluster, stack) = (calibration.cluster(self.cluster), calibration.stack(self.stack));
        let share = memory(&self.job, &cluster, &self.plan, &stack).total() / cluster.device.memory_bytes;
        step(&self.job, &cluster, &self.plan, &stack, self.overlap, share.min(1.0)).total()
    }

    fn misfit(&self, calibration: Calibration) -> f64 {
        (self.predicted_s(calibration) / self.measured_s).ln()
    }
}

/// Runs that could be read, and what was wrong with the rest.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// Runs.
    pub runs: Vec<Run>,
    /// One message each.
    pub faults: Vec<String>,
}

/// Reads runs: lines of `GPUs seconds` for the scenario, or a CSV in the schema of `data/measured/steps.csv`.
pub fn read(text: &str, scenario: &Scenario, lang: Lang) -> Runs {
    if text.lines().next().is_some_and(|line| line.contains("step_seconds")) {
        read_csv(text, scenario)
    } else {
        read_lines(text, scenario, lang)
    }
}

/// The scenario with the model as it was fitted to published runs.
fn unscaled(scenario: &Scenario) -> Scenario {
    let mut plain = *scenario;
    plain.reset(Param::OwnComputing);
    plain.reset(Param::OwnCommunication);
    plain
}

fn read_lines(text: &str, scenario: &Scenario, lang: Lang) -> Runs {
    let mut out = Runs::default();
    let Ok(setup) = unscaled(scenario).resolve() else { return out };
    let estimator = setup.estimator();
    let conditions = &setup.cluster_conditions;
    let (_, most) = Param::Gpus.row().kind.range();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let (gpus, seconds, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next());
        let gpus = number::parse(gpus, Some(lang)).ok().filter(|n| n.fract() == 0.0 && (1.0..=most).contains(n));
        let seconds = number::parse(seconds, Some(lang)).ok().filter(|s| s.is_finite() && *s > 0.0);
        let found = match (gpus, seconds, rest) {
            // Whole and at most a million.
            (Some(gpus), Some(measured_s), None) => {
                estimator.estimate(&setup.cluster_of(gpus as u32), &[]).map(|estimate| (estimate, measured_s))
            }
            _ => None,
        };
        match found {
            Some((estimate, measured_s)) => out.runs.push(Run {
                name: format!("{} GPUs", estimate.cluster.gpus),
                measured_s,
                job: setup.job,
                cluster: estimate.cluster,
                plan: estimate.plan,
                stack: conditions.stack,
                overlap: conditions.overlap,
            }),
            None => out.faults.push(match lang {
                Lang::De => format!("Zeile {}: erwartet „GPUs Sekunden“, etwa „64 12,5“; gefunden „{}“", at + 1, line.trim()),
                Lang::En => format!("Line {}: expected “GPUs seconds”, such as “64 12.5”; found “{}”", at + 1, line.trim()),
            }),
        }
    }
    out
}

fn read_csv(text: &str, scenario: &Scenario) -> Runs {
    let mut out = Runs::default();
    let read = match measured::row::read(text) {
        Ok(read) => read,
        Err(fault) => return Runs { faults: vec![fault], ..out },
    };
    out.faults = read.bad.iter().map(ToString::to_string).collect();
    let overlap = scenario.resolve().map_or(Overlap::Realistic, |setup| setup.cluster_conditions.overlap);
    for row in &read.rows {
        match measured::case(row) {
            Ok(case) => out.runs.push(Run {
                name: row.id.clone(),
                measured_s: row.step_seconds,
                job: case.job,
                cluster: case.cluster,
                plan: case.plan,
                stack: scenario.stack().on(case.gpu.id),
                overlap,
            }),
            Err(fault) => out.faults.push(format!("{}: {fault}", row.id)),
        }
    }
    out
}

/// The factors that suit the runs best; none for no runs.
pub fn fit(runs: &[Run]) -> Option<Calibration> {
    if runs.is_empty() {
        return None;
    }
    let loss = |computing: f64, communication: f64| {
        let calibration = Calibration { computing: computing.exp(), communication: communication.exp() };
        let misfits: f64 = runs.iter().map(|run| run.misfit(calibration).powi(2)).sum();
        misfits + TOGETHER * runs.len() as f64 * (computing - communication).powi(2)
    };
    let (low, high) = (RANGE.0.ln(), RANGE.1.ln());
    // With both factors the same, all times scale by it: the mean misfit is where to start.
    let start = -runs.iter().map(|run| run.misfit(Calibration::NONE)).sum::<f64>() / runs.len() as f64;
    let mut at = (start.clamp(low, high), start.clamp(low, high));
    let mut reach = high - low;
    // Coordinate by coordinate in shrinking brackets: the loss is smooth but for the corners where communication begins to hide.
    for _ in 0..40 {
        at.0 = golden(|x| loss(x, at.1), (at.0 - reach).max(low), (at.0 + reach).min(high));
        at.1 = golden(|x| loss(at.0, x), (at.1 - reach).max(low), (at.1 + reach).min(high));
        reach = (reach * 0.8).max(0.05);
    }
    Some(Calibration { computing: at.0.exp(), communication: at.1.exp() })
}

/// Whether a factor stands at the end of its range: the runs and the scenario have little to do with each other.
pub fn at_limit(calibration: Calibration) -> bool {
    let ends = |factor: f64| factor < RANGE.0 * 1.01 || factor > RANGE.1 * 0.99;
    ends(calibration.computing) || ends(calibration.communication)
}

/// The least value of `f` between two ends, by the golden section.
fn golden(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_895;
    let (mut left, mut right) = (high - SECTION * (high - low), low + SECTION * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..40 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - SECTION * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + SECTION * (high - low);
            at_right = f(right);
        }
    }
    f64::midpoint(low, high)
}

/// The calibration of a scenario that has one; none where the model is as it was fitted.
pub fn present(answers: &Answers) -> Option<Calibration> {
    let n = |param| answers.scenario.number(param);
    Some(Calibration { computing: n(Param::OwnComputing), communication: n(Param::OwnCommunication) })
        .filter(|own| *own != Calibration::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Scenario {
        Scenario::default()
    }

    /// Runs as a machine with these factors would have them are fitted back to the factors.
    fn runs(gpus: &[u32], truth: Calibration) -> Vec<Run> {
        let lines: String = gpus.iter().map(|gpus| format!("{gpus} 1\n")).collect();
        let mut scenario = plain();
        scenario.set(Param::Bandwidth, 25.0).unwrap();
        let mut runs = read(&lines, &scenario, Lang::En).runs;
        for run in &mut runs {
            run.measured_s = run.predicted_s(truth);
        }
        runs
    }

    #[test]
    fn several_runs_tell_computing_from_communication() {
        let truth = Calibration { computing: 1.2, communication: 1.6 };
        let found = fit(&runs(&[8, 64, 256, 1024], truth)).unwrap();
        assert!(
            (found.computing / truth.computing - 1.0).abs() < 0.05 && (found.communication / truth.communication - 1.0).abs() < 0.1,
            "{found:?}"
        );
    }

    #[test]
    fn one_run_scales_both_alike_and_is_met() {
        let runs = read("64 4", &plain(), Lang::De).runs;
        let found = fit(&runs).unwrap();
        assert!((runs[0].predicted_s(found) / 4.0 - 1.0).abs() < 0.01, "{found:?}");
        assert!((found.computing / found.communication).ln().abs() < 0.2, "{found:?}");
        assert_eq!(fit(&[]), None);
        let far = fit(&read("64 90000", &plain(), Lang::De).runs).unwrap();
        assert!(at_limit(far) && !at_limit(found));
    }

    #[test]
    fn lines_that_are_no_runs_are_named() {
        let read = read("64 12,5\n\nsixty 3\n8\n1e9 4\n16 -3\n8 1 2", &plain(), Lang::De);
        assert_eq!(read.runs.len(), 1);
        assert_eq!(read.faults.len(), 5);
        assert!(read.faults[0].starts_with("Zeile 3: "), "{:?}", read.faults);
    }

    #[test]
    fn a_table_of_runs_is_read_in_the_validation_schema() {
        let header = "id,source,gpu,num_gpus,layers,hidden,seq_len,global_batch_seqs,step_seconds,tp\n";
        let read = read(
            &format!("{header}mine,own,A100-80GB,8,24,2048,2048,64,2.5,2\nbad,own,A100-80GB,x,24,2048,2048,64,2.5,2\n"),
            &plain(),
            Lang::En,
        );
        assert_eq!((read.runs.len(), read.faults.len()), (1, 1), "{:?}", read.faults);
        assert_eq!(read.runs[0].name, "mine");
    }
}
