//! The laws that every estimate obeys, whatever the sliders say.

use crossover::model::collective::{all_gather_s, reduce_scatter_s, ring_all_reduce_s};
use crossover::model::memory::memory;
use crossover::model::step::step;
use crossover::model::{Estimate, Link, Overlap, Plan, Sharding, Stack, estimate};
use crossover::report::answers::pair;
use crossover::scenario::{Kind, Param, Scenario, Setup, slider};
use proptest::prelude::*;

/// Any scenario the sliders and lists can make, contradictions included.
fn scenarios() -> impl Strategy<Value = Scenario> {
    proptest::collection::vec((0..Param::ALL.len(), 0.0..=1.0f64), 0..12).prop_map(|settings| {
        let mut scenario = Scenario::default();
        for (index, share) in settings {
            let param = Param::ALL[index];
            let position = (share * f64::from(slider::last(param))).round() as u32;
            scenario.set(param, slider::value_at(param, position)).unwrap();
        }
        scenario
    })
}

/// A scenario that resolves: only parameters that cannot contradict each other are moved.
fn setups() -> impl Strategy<Value = Setup> {
    let free = [
        Param::Params,
        Param::Tokens,
        Param::Gpus,
        Param::Single,
        Param::Bandwidth,
        Param::Latency,
        Param::Backend,
        Param::Strategy,
        Param::Recompute,
        Param::Overlap,
        Param::Link,
    ];
    proptest::collection::vec((0..free.len(), 0.0..=1.0f64), 0..8).prop_map(move |settings| {
        let mut scenario = Scenario::default();
        for (index, share) in settings {
            let position = (share * f64::from(slider::last(free[index]))).round() as u32;
            scenario.set(free[index], slider::value_at(free[index], position)).unwrap();
        }
        scenario.resolve().unwrap()
    })
}

fn cluster(setup: &Setup) -> Estimate {
    estimate(&setup.job, &setup.cluster, &setup.cluster_conditions).unwrap()
}

fn figures(e: &Estimate) -> Vec<f64> {
    let (s, m) = (&e.step, &e.memory);
    let mut all = vec![
        e.time_s,
        e.steps,
        e.failures,
        e.mfu,
        e.bill.gpu_hours,
        e.bill.kwh,
        e.bill.co2_kg,
        e.bill.electricity_usd,
        e.uptime.goodput,
        e.uptime.interval_s,
        e.uptime.mtbf_s,
    ];
    all.extend([
        s.linear,
        s.experts,
        s.attention,
        s.elementwise,
        s.overhead,
        s.tensor_comm,
        s.context_comm,
        s.expert_comm,
        s.pipeline_comm,
        s.data_comm,
        s.bubble,
        s.optimizer,
        s.pressure,
        s.hidden,
    ]);
    all.extend([m.weights, m.gradients, m.optimizer, m.gathered, m.activations, m.logits, m.reserved]);
    all.extend(e.bill.usd);
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_figure_is_finite_and_none_negative(scenario in scenarios()) {
        if let Ok(setup) = scenario.resolve() {
            let (single, cluster) = pair(&setup).unwrap();
            for figure in figures(&single).into_iter().chain(figures(&cluster)) {
                prop_assert!(figure.is_finite() && figure >= 0.0, "{figure} in {cluster:?}");
            }
            prop_assert!(cluster.plan.gpus() <= cluster.cluster.gpus);
            prop_assert_eq!(cluster.fits, cluster.memory.total() <= cluster.cluster.device.memory_bytes);
        }
    }

    #[test]
    fn time_never_rises_with_bandwidth_nor_falls_with_latency(setup in setups(), factor in 1.0..100.0f64) {
        let Link { bytes_per_s, latency_s } = setup.cluster.outer;
        // Per sequence: plans with other numbers of copies take steps of slightly other sizes.
        let with = |outer| {
            let e = cluster(&Setup { cluster: crossover::model::Cluster { outer, ..setup.cluster }, ..setup });
            e.step.total() / e.step_seqs
        };
        let now = with(setup.cluster.outer);
        let (faster, later) = (with(Link { bytes_per_s: bytes_per_s * factor, latency_s }), with(Link { bytes_per_s, latency_s: latency_s * factor }));
        prop_assert!(faster <= now * (1.0 + 1e-9) && later >= now * (1.0 - 1e-9), "{faster} {now} {later}");
    }

    #[test]
    fn one_gpu_does_not_communicate(setup in setups()) {
        let alone = estimate(&setup.job, &setup.cluster_of(1), &crossover::model::Conditions { limits: crossover::model::Limits::FREE, ..setup.cluster_conditions }).unwrap();
        prop_assert_eq!(alone.step.communication() + alone.step.hidden + alone.step.bubble, 0.0);
    }

    #[test]
    fn cost_is_hours_times_gpus_times_price_exactly(setup in setups(), price in 0.01..100.0f64) {
        let mut conditions = setup.cluster_conditions;
        conditions.rates.usd_per_gpu_hour = Some(price);
        let e = estimate(&setup.job, &setup.cluster, &conditions).unwrap();
        prop_assert_eq!(e.bill.usd.unwrap(), price * (e.time_s / 3600.0 * f64::from(e.cluster.gpus)));
        prop_assert_eq!(e.bill.kwh, conditions.rates.watts_per_gpu * e.bill.gpu_hours * conditions.rates.pue / 1e3);
    }

    #[test]
    fn sharding_more_never_needs_more_states(setup in setups(), dp in 1u32..512, tp in 0u32..4) {
        let plan = |sharding| Plan { tp: 1 << tp, dp, sharding, ..Plan::PLAIN };
        let states = |sharding| memory(&setup.job, &setup.cluster, &plan(sharding), &setup.cluster_conditions.stack).states();
        let order = [Sharding::Full, Sharding::Zero2, Sharding::Zero1, Sharding::None].map(states);
        prop_assert!(order.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-12)), "{order:?}");
        prop_assert!(states(Sharding::Full) <= states(Sharding::Hybrid) * (1.0 + 1e-12));
    }

    #[test]
    fn all_reduce_is_reduce_scatter_and_all_gather(n in 1.0..100_000.0f64, bytes in 1.0..1e13f64, rate in 1e6..1e12f64, latency in 1e-7..1.0f64) {
        let (n, link) = (n.floor(), Link { bytes_per_s: rate, latency_s: latency });
        prop_assert_eq!(ring_all_reduce_s(link, n, bytes), reduce_scatter_s(link, n, bytes) + all_gather_s(link, n, bytes));
    }

    #[test]
    fn the_bubble_vanishes_with_many_micro_batches(setup in setups()) {
        let plan = Plan { pp: 4, ..Plan::PLAIN };
        let share = |batch_seqs: f64| {
            let job = crossover::model::Job { batch_seqs, ..setup.job };
            let step = step(&job, &setup.cluster, &plan, &setup.cluster_conditions.stack, Overlap::Realistic, 0.5);
            step.bubble / step.total()
        };
        prop_assert!(share(4096.0) < 0.01 && share(8.0) > share(64.0) && share(64.0) > share(4096.0));
    }
}

/// 8 stages and 32 micro-batches of equal layers idle (p−1)/(m+p−1) = 7/39 of the step, messages, head and optimizer apart.
#[test]
fn bubble_of_eight_stages_and_thirty_two_micro_batches() {
    let mut scenario = Scenario::default();
    scenario.set(Param::Vocab, 2.0).unwrap();
    let setup = scenario.resolve().unwrap();
    let job = crossover::model::Job { batch_seqs: 32.0, ..setup.job };
    let plan = Plan { pp: 8, ..Plan::PLAIN };
    let stack = Stack { micro_batch_fixed: 1e-12, ..Stack::PRIOR };
    let step = step(&job, &setup.cluster, &plan, &stack, Overlap::Realistic, 0.5);
    let share = step.bubble / (step.compute() + step.bubble);
    assert!((share - 7.0 / 39.0).abs() < 2e-3, "{share}");
}

/// The published fault: h·h used for s·h. A message between stages is b·s·h values, so it doubles with the sequence, not with the width squared.
#[test]
fn traffic_between_stages_is_tokens_times_width() {
    let setup = Scenario::default().resolve().unwrap();
    let plan = Plan { pp: 2, ..Plan::PLAIN };
    let mut slow = setup.cluster;
    slow.inner = Link { bytes_per_s: 1e6, latency_s: 0.0 };
    let stack = Stack { pipeline_latency: 1e-15, ..Stack::PRIOR };
    let comm = |seq: f64| step(&crossover::model::Job { seq, ..setup.job }, &slow, &plan, &stack, Overlap::Realistic, 0.5).pipeline_comm;
    assert!((comm(8192.0) / comm(4096.0) - 2.0).abs() < 1e-6);
}

#[test]
fn every_choice_of_every_list_leads_to_finite_figures() {
    for &param in Param::ALL {
        let Kind::Choice(choices) = param.row().kind else { continue };
        for choice in choices() {
            let mut scenario = Scenario::default();
            scenario.set_key(param.key(), choice.key).unwrap();
            match scenario.resolve() {
                Ok(setup) => {
                    let (single, cluster) = pair(&setup).unwrap();
                    assert!(figures(&single).into_iter().chain(figures(&cluster)).all(f64::is_finite), "{}={}", param.key(), choice.key);
                }
                // An offer for another GPU, a format that the GPU lacks: named, not computed.
                Err(conflicts) => assert!(!conflicts.is_empty(), "{}={}", param.key(), choice.key),
            }
        }
    }
}

/// TensorFlow's two strategies: copies as with DDP, and one server whose link carries what the ring spreads over all machines.
#[test]
fn a_parameter_server_takes_as_many_times_as_long_as_there_are_machines() {
    let time = |strategy: &str, gpus: &str| {
        let mut scenario = Scenario::default();
        for (key, value) in
            [("params", "1e9"), ("network", "eth25"), ("backend", "grpc"), ("strategy", strategy), ("gpus", gpus), ("overlap", "none")]
        {
            scenario.set_key(key, value).unwrap();
        }
        let (_, cluster) = pair(&scenario.resolve().unwrap()).unwrap();
        (cluster.step.data_comm, cluster.step.total())
    };
    for gpus in ["8", "16", "64", "256"] {
        assert_eq!(time("mirrored", gpus), time("ddp", gpus), "{gpus}");
    }
    // Within one machine nothing goes to a server.
    assert_eq!(time("ps", "8"), time("ddp", "8"));
    // 2·S·(m−1)/β at the server against 2·S·(m−1)/m/β in the ring: m times as long between m machines, the part inside apart.
    for (gpus, machines) in [("16", 2.0), ("64", 8.0), ("256", 32.0)] {
        let ratio = time("ps", gpus).0 / time("ddp", gpus).0;
        assert!((0.85 * machines..=1.02 * machines).contains(&ratio), "{gpus}: {ratio}");
    }
}
