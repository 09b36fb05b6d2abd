//! The search is exact: what it leaves out cannot win.

use crossover::catalog::STACKS;
use crossover::model::memory::memory;
use crossover::model::space::{layouts, micro_batches};
use crossover::model::step::step;
use crossover::model::{Cluster, Conditions, Found, Job, Overlap, Plan, ranking, search};
use crossover::scenario::{Param, Scenario, Setup, slider};
use proptest::prelude::*;

/// Every plan, weighed without a bound and without order.
fn brute_force(job: &Job, cluster: &Cluster, conditions: &Conditions) -> Option<Found> {
    let limits = conditions.limits;
    let mut best: Option<Found> = None;
    for layout in layouts(job, cluster, &limits) {
        for micro_batch in micro_batches(job, &limits, &layout) {
            let plan = Plan { micro_batch, ..layout };
            let needed = memory(job, cluster, &plan, &conditions.stack).total();
            if needed > cluster.device.memory_bytes {
                continue;
            }
            let share = needed / cluster.device.memory_bytes;
            let seconds = step(job, cluster, &plan, &conditions.stack, conditions.overlap, share).total();
            let found = Found { plan, seq_s: seconds / plan.step_seqs(job.batch_seqs), fits: true };
            if best.is_none_or(|best| found.beats(&best)) {
                best = Some(found);
            }
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_what_brute_force_finds(moves in proptest::collection::vec((0usize..14, 0.0..=1.0f64), 0..8)) {
        let free = [
            Param::Params, Param::Gpus, Param::Bandwidth, Param::Seq, Param::Batch, Param::Experts, Param::Gpu, Param::Stack, Param::Recompute,
            Param::Attention, Param::Strategy, Param::Method, Param::PerMachine, Param::Latency,
        ];
        let mut scenario = Scenario::default();
        for (at, share) in moves {
            let param = free[at];
            let position = (share * f64::from(slider::last(param))).round() as u32;
            scenario.set(param, slider::value_at(param, position)).unwrap();
        }
        // A few thousand GPUs are enough for every kind of plan.
        if scenario.number(Param::Gpus) > 4096.0 {
            scenario.set(Param::Gpus, 4096.0).unwrap();
        }
        let Ok(setup) = scenario.resolve() else { return Ok(()) };
        check(&setup)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Experts over a pipeline: the one thing of a layer that changes with the chunks of a stage is how long its exchanges are waited for.
    #[test]
    fn the_search_is_exact_where_interleaving_hides_exchanges(
        params in 10.0..12.0f64, gpus in 4u32..11, experts in 3u32..9, seq in 10u32..15, bandwidth in 1.0..3.2f64,
    ) {
        let stack = STACKS.iter().position(|stack| stack.id == "bridge-2026").unwrap() as f64;
        let mut scenario = Scenario::default();
        for (param, value) in [
            (Param::Stack, stack), (Param::Params, 10f64.powf(params).round()), (Param::Gpus, f64::from(1 << gpus)),
            (Param::Experts, f64::from(1 << experts)), (Param::Seq, f64::from(1 << seq)), (Param::Bandwidth, 10f64.powf(bandwidth)),
        ] {
            scenario.set(param, value).unwrap();
        }
        let Ok(setup) = scenario.resolve() else { return Ok(()) };
        prop_assert!(setup.cluster_conditions.stack.expert_exposed < 0.9);
        check(&setup)?;
    }
}

/// The search finds what brute force finds.
fn check(setup: &Setup) -> Result<(), TestCaseError> {
    let (job, cluster, conditions) = (&setup.job, &setup.cluster, &setup.cluster_conditions);
    let found = search(job, cluster, &conditions.limits, &conditions.stack, conditions.overlap).unwrap();
    match brute_force(job, cluster, conditions) {
        None => prop_assert!(!found.fits),
        Some(best) => {
            prop_assert!((found.seq_s / best.seq_s - 1.0).abs() < 1e-8, "{found:?} {best:?}");
            let first = ranking(job, cluster, &conditions.limits, &conditions.stack, Overlap::Realistic, 10);
            prop_assert!((first[0].seq_s / best.seq_s - 1.0).abs() < 1e-8);
        }
    }
    Ok(())
}
