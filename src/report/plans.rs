//! The best plans, why the next one loses, and which number of GPUs serves which wish.

use super::sentences;
use super::sweep::Sweep;
use crate::locale::quantity::{ANSWER_DIGITS, bytes, duration, percent};
use crate::locale::{Lang, fill};
use crate::model::estimate::with_plan;
use crate::model::step::Step;
use crate::model::{Estimate, Plan, Recompute, ranking};
use crate::scenario::{Param, Scenario, Setup};

/// Plans that are shown.
const SHOWN: usize = 10;

/// The best plans of the cluster, worked out, the fastest first; empty if none fits.
pub fn best(setup: &Setup) -> Vec<Estimate> {
    let conditions = &setup.cluster_conditions;
    let found = ranking(&setup.job, &setup.cluster, &conditions.limits, &conditions.stack, conditions.overlap, SHOWN);
    found.into_iter().map(|found| with_plan(&setup.job, &setup.cluster, conditions, found.plan, true)).collect()
}

/// A plan as a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The plan.
    pub plan: Plan,
    /// The plan in short.
    pub name: String,
    /// Seconds of a step.
    pub step: String,
    /// Time of the run.
    pub time: String,
    /// Memory of the fullest GPU.
    pub memory: String,
    /// Why it is not the first one.
    pub why: String,
}

/// The plans as rows.
pub fn rows(plans: &[Estimate], lang: Lang) -> Vec<Row> {
    let Some(first) = plans.first() else { return Vec::new() };
    let row = |estimate: &Estimate| Row {
        plan: estimate.plan,
        name: sentences::plan(estimate, lang),
        step: duration(estimate.step.total(), 3, lang),
        time: duration(estimate.time_s, 3, lang),
        memory: bytes(estimate.memory.total(), ANSWER_DIGITS, lang),
        why: why(first, estimate, lang),
    };
    plans.iter().map(row).collect()
}

/// What makes `other` slower than `first`: the part that has grown the most per sequence.
pub fn why(first: &Estimate, other: &Estimate, lang: Lang) -> String {
    let m = lang.messages();
    if first.plan == other.plan {
        return m.plan_best.to_string();
    }
    let parts = |step: &Step| {
        [
            (m.part_linear, step.linear + step.experts),
            (m.part_attention, step.attention),
            (m.part_elementwise, step.elementwise),
            (m.part_overhead, step.overhead),
            (m.part_tensor, step.tensor_comm),
            (m.part_context, step.context_comm),
            (m.part_exchange, step.expert_comm),
            (m.part_pipeline, step.pipeline_comm),
            (m.part_data, step.data_comm),
            (m.part_bubble, step.bubble),
            (m.part_optimizer, step.optimizer),
            (m.part_pressure, step.pressure),
        ]
    };
    let per_seq = |estimate: &Estimate| parts(&estimate.step).map(|(name, seconds)| (name, seconds / estimate.step_seqs));
    let (best, own) = (per_seq(first), per_seq(other));
    let slower = other.time_s / first.time_s - 1.0;
    let grown = best.iter().zip(&own).max_by(|(a0, a1), (b0, b1)| (a1.1 - a0.1).total_cmp(&(b1.1 - b0.1)));
    let name = grown.map_or("", |(_, (name, _))| *name);
    if slower < 5e-4 {
        m.plan_tie.to_string()
    } else {
        fill(m.plan_why, &[("share", &percent(slower, ANSWER_DIGITS, lang)), ("part", name)])
    }
}

/// The settings that take a plan.
pub fn settings(plan: &Plan) -> Vec<(Param, f64)> {
    let recompute = match plan.recompute {
        Recompute::None => 1.0,
        Recompute::Selective => 2.0,
        Recompute::Full => 3.0,
    };
    let degrees = [
        (Param::Tp, plan.tp),
        (Param::Pp, plan.pp),
        (Param::Cp, plan.cp),
        (Param::Interleave, plan.interleave),
        (Param::Micro, plan.micro_batch),
    ];
    let mut settings: Vec<(Param, f64)> = degrees.into_iter().map(|(param, degree)| (param, f64::from(degree))).collect();
    if plan.ep > 1 {
        settings.push((Param::Ep, f64::from(plan.ep)));
    }
    settings.push((Param::Recompute, recompute));
    settings
}

/// The scenario with a plan taken.
pub fn take(scenario: &Scenario, plan: &Plan) -> Scenario {
    let mut taken = *scenario;
    for (param, value) in settings(plan) {
        // The plan's degrees lie in the table's ranges.
        let _ = taken.set(param, value);
    }
    taken
}

/// Numbers of GPUs that no other beats in both time and cost, the fastest last. Without a price, GPU-hours stand for cost.
pub fn front(sweep: &Sweep) -> Vec<&Estimate> {
    let cost = |estimate: &Estimate| estimate.bill.usd.unwrap_or(estimate.bill.gpu_hours);
    let mut fitting: Vec<&Estimate> = sweep.fitting().map(|(_, estimate)| estimate).filter(|estimate| estimate.uptime.progresses).collect();
    fitting.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.time_s.total_cmp(&b.time_s)));
    let mut front: Vec<&Estimate> = Vec::new();
    for estimate in fitting {
        if front.last().is_none_or(|last| estimate.time_s < last.time_s) {
            front.push(estimate);
        }
    }
    front
}

/// What is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The shortest time.
    Fastest,
    /// The least money.
    Cheapest,
    /// The least money within this many seconds.
    Within(f64),
}

/// The number of GPUs that serves the objective; `None` if none does.
pub fn choose<'a>(front: &[&'a Estimate], objective: Objective) -> Option<&'a Estimate> {
    match objective {
        Objective::Fastest => front.last().copied(),
        Objective::Cheapest => front.first().copied(),
        Objective::Within(seconds) => front.iter().copied().find(|estimate| estimate.time_s <= seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;

    #[test]
    fn a_plan_that_is_taken_is_the_one_that_is_found() {
        let mut scenario = Scenario::default();
        scenario.set_key("shape", "llama3-70b").unwrap();
        scenario.set_key("gpus", "512").unwrap();
        let setup = scenario.resolve().unwrap();
        let plans = best(&setup);
        assert_eq!(plans.len(), 10);
        let third = plans[2].plan;
        let taken = answers(&take(&scenario, &third)).unwrap().cluster;
        assert_eq!(
            (taken.plan.tp, taken.plan.pp, taken.plan.cp, taken.plan.micro_batch, taken.plan.recompute),
            (third.tp, third.pp, third.cp, third.micro_batch, third.recompute)
        );
        for row in rows(&plans, Lang::De).iter().skip(1) {
            assert!(row.why.contains('%') || row.why == Lang::De.messages().plan_tie, "{}", row.why);
        }
    }

    #[test]
    fn nothing_on_the_front_is_beaten() {
        let answers = answers(&Scenario::default()).unwrap();
        let front = front(&answers.by_gpus);
        let cost = |estimate: &Estimate| estimate.bill.usd.unwrap();
        assert!(front.len() > 3);
        for one in &front {
            let beaten = answers.by_gpus.fitting().any(|(_, other)| other.time_s < one.time_s && cost(other) < cost(one));
            assert!(!beaten, "{} GPUs", one.cluster.gpus);
        }
        let (cheapest, fastest) = (choose(&front, Objective::Cheapest).unwrap(), choose(&front, Objective::Fastest).unwrap());
        assert!(cost(cheapest) <= cost(fastest) && cheapest.time_s >= fastest.time_s);
        let between = choose(&front, Objective::Within(fastest.time_s * 2.0)).unwrap();
        assert!(between.time_s <= fastest.time_s * 2.0 && cost(between) <= cost(fastest));
        assert_eq!(choose(&front, Objective::Within(1.0)), None);
    }
}
