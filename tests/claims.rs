//! The comparison's claims hold in the model, over a range of reasonable assumptions, and fall where the constant that they rest on is moved.

use crossover::catalog::{BACKENDS, PURCHASES};
use crossover::locale::Lang;
use crossover::model::federated::Federation;
use crossover::model::loss::{BESIROGLU_2024, HOFFMANN_2022};
use crossover::model::purchase::Purchase;
use crossover::model::{Estimate, Link};
use crossover::report::Answers;
use crossover::report::answers::of_setup;
use crossover::report::claims::{Claim, bought, by_backend, federation};
use crossover::scenario::{Scenario, Setup, slider};

/// What a constant is moved in; as it is, nothing is.
#[derive(Clone, Copy)]
struct Moved {
    setup: fn(&mut Setup),
    federation: fn(&mut Federation),
    purchase: fn(&mut Purchase),
}

const AS_IT_IS: Moved = Moved { setup: |_| {}, federation: |_| {}, purchase: |_| {} };

const fn moved(setup: fn(&mut Setup)) -> Moved {
    Moved { setup, ..AS_IT_IS }
}

/// Whether a claim holds under every assumption; if not, under which it does not.
type Check = fn(Moved) -> Result<(), String>;

macro_rules! ensure {
    ($holds:expr, $($words:tt)*) => {
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($words)*));
        }
    };
}

fn with(claim: Claim, settings: &[(&str, &str)], moved: Moved) -> Answers {
    let mut scenario: Scenario = claim.scenario();
    for (key, value) in settings {
        scenario.set_key(key, value).unwrap();
    }
    let mut setup = scenario.resolve().unwrap_or_else(|conflicts| panic!("{claim:?} {settings:?}: {conflicts:?}"));
    (moved.setup)(&mut setup);
    of_setup(&scenario, setup, None).unwrap_or_else(|| panic!("{claim:?} {settings:?}: no plan is left"))
}

#[test]
fn every_claim_is_shown_in_both_languages_with_its_figures() {
    for claim in Claim::ALL {
        for lang in Lang::ALL {
            let answers = crossover::report::answers(&claim.scenario()).unwrap();
            let shown = claim.shown(&answers, lang);
            assert_eq!(claim.show(lang).unwrap(), shown);
            assert!(shown.finding.chars().any(|c| c.is_ascii_digit()) && !shown.finding.contains('{'), "{claim:?}: {}", shown.finding);
            assert!(shown.table.as_ref().is_none_or(|table| table.rows.len() > 1), "{claim:?}");
            assert!(shown.chart.is_some() && !claim.numbers(&shown, &answers, lang).rows.is_empty(), "{claim:?}");
            assert!(!shown.finding.contains("NaN") && !shown.finding.contains(lang.messages().not_known), "{claim:?}: {}", shown.finding);
        }
    }
}

/// Where its sliders lead, a claim still has its chart, with a row of numbers for each point of the line that is read, and no figure that is none.
#[test]
fn a_claim_follows_its_sliders() {
    for claim in Claim::ALL {
        for param in claim.sliders() {
            let mut seen = Vec::new();
            for position in (0..=5).map(|fifth| slider::last(*param) * fifth / 5) {
                let mut scenario = claim.scenario();
                scenario.set(*param, slider::value_at(*param, position)).unwrap();
                let Ok(answers) = crossover::report::answers(&scenario) else { continue };
                let shown = claim.shown(&answers, Lang::De);
                let numbers = claim.numbers(&shown, &answers, Lang::De);
                let Some(chart) = shown.chart else { continue };
                let read = chart.series.last().unwrap();
                assert_eq!(numbers.rows.len(), read.points.len(), "{claim:?} {param:?} {position}");
                assert!(numbers.columns.iter().all(|column| !column.is_empty()), "{claim:?}: {:?}", numbers.columns);
                let cells = || numbers.rows.iter().chain(shown.table.iter().flat_map(|table| &table.rows)).flatten();
                assert!(numbers.rows.iter().all(|row| row.len() == numbers.columns.len()));
                let words = format!("{} {} {}", chart.title, chart.caption, cells().cloned().collect::<Vec<_>>().join(" "));
                assert!(
                    !words.contains("NaN") && !words.contains("inf") && !words.contains('{'),
                    "{claim:?} {param:?} {position}: {words}"
                );
                seen.push(words);
            }
            // Every slider that a claim has moves something of it.
            seen.dedup();
            assert!(seen.len() > 1, "{claim:?} {param:?}");
        }
    }
}

/// A: no GPU of the list holds 175 billion parameters in training, nor does a machine of eight H100; a cluster does.
fn large_models_fit_no_single_machine(moved: Moved) -> Result<(), String> {
    for gpu in ["a100-80gb-sxm", "h100-sxm", "h200-sxm", "b200-sxm"] {
        ensure!(!with(Claim::A, &[("gpu", gpu), ("single", "1")], moved).single.fits, "one {gpu} holds it");
    }
    for gpu in ["a100-80gb-sxm", "h100-sxm"] {
        let answers = with(Claim::A, &[("gpu", gpu), ("gpus", "512")], moved);
        ensure!(!answers.single.fits, "a machine of {gpu} holds it");
        ensure!(answers.cluster.fits, "512 {gpu} do not hold it");
        ensure!(answers.fits_from.is_some_and(|from| (16..=256).contains(&from)), "{gpu}: from {:?}", answers.fits_from);
    }
    Ok(())
}

/// B: MPI through host memory and gRPC wait longer than NCCL, whatever the GPU and the number of machines.
fn the_library_decides_what_is_waited_for(moved: Moved) -> Result<(), String> {
    for gpus in ["16", "32", "128"] {
        for gpu in ["a100-80gb-sxm", "h100-sxm"] {
            let wait =
                |backend: &str| with(Claim::B, &[("gpus", gpus), ("gpu", gpu), ("backend", backend)], moved).cluster.step.communication();
            let waited: Vec<f64> = BACKENDS.iter().map(|backend| wait(backend.id)).collect();
            ensure!(waited.len() == 3 && waited[0] < waited[1] && waited[1] < waited[2], "{gpus} {gpu}: {waited:?}");
        }
    }
    Ok(())
}

#[test]
fn the_page_shows_the_libraries_that_are_tested() {
    let own = with(Claim::B, &[], AS_IT_IS);
    let shown: Vec<f64> = by_backend(&own.scenario).iter().map(|(_, answers)| answers.cluster.step.communication()).collect();
    let tested = BACKENDS.iter().map(|backend| with(Claim::B, &[("backend", backend.id)], AS_IT_IS).cluster.step.communication());
    assert_eq!(shown, tested.collect::<Vec<f64>>());
}

/// C: expected failures grow with the machines, the interval and the useful share shrink, for every published failure rate.
fn failures_grow_and_goodput_shrinks(moved: Moved) -> Result<(), String> {
    for mtbf in ["13605", "50677", "82051"] {
        let answers = with(Claim::C, &[("mtbf", mtbf)], moved);
        let uptimes: Vec<_> = answers.by_gpus.fitting().map(|(gpus, estimate)| (gpus, estimate.uptime)).collect();
        ensure!(uptimes.len() > 4, "{mtbf}: {} clusters", uptimes.len());
        for pair in uptimes.windows(2) {
            let ((_, fewer), (gpus, more)) = (pair[0], pair[1]);
            ensure!(more.mtbf_s < fewer.mtbf_s && more.goodput < fewer.goodput + 1e-3, "{mtbf} at {gpus}");
        }
        let goodput = answers.cluster.uptime.goodput;
        ensure!(goodput > 0.5 && goodput < 0.999, "{mtbf}: {goodput} of the time is of use");
    }
    Ok(())
}

/// D: the cluster's run costs about as much per token as the one machine's, while a first hour on it costs eight times as much; a bought
/// machine pays off within its life where it is used most of the time.
fn entry_cost_against_scale(moved: Moved) -> Result<(), String> {
    for gpus in ["32", "64", "128"] {
        let answers = with(Claim::D, &[("gpus", gpus)], moved);
        let (one, many) = (answers.single.bill.usd.unwrap(), answers.cluster.bill.usd.unwrap());
        ensure!(many < one * 1.25, "{gpus}: ${one:.0} on one machine, ${many:.0} on the cluster");
        let hourly = |e: &Estimate| e.bill.usd.unwrap() / (e.time_s / 3600.0);
        ensure!(hourly(&answers.cluster) > 3.9 * hourly(&answers.single), "{gpus}: an hour");
    }
    let mut bought = bought();
    (moved.purchase)(&mut bought);
    for rent in [2.0, 2.5, 3.0, 4.0] {
        let hours = bought.break_even_hours(rent);
        ensure!(hours.is_some_and(|hours| hours < bought.life_hours), "at ${rent} it pays off after {hours:?} hours");
    }
    Ok(())
}

#[test]
fn the_bought_machine_costs_what_the_table_says() {
    let row = PURCHASES.iter().find(|row| row.id == "srv-8xh100").unwrap();
    assert_eq!((bought().server_usd, row.gpus), (row.usd, bought().gpus_per_server));
}

/// E: federated training moves no raw data, many more bytes of model, and takes longer than gathering and training, for small and large updates.
fn federated_training_sends_updates_and_takes_longer(moved: Moved) -> Result<(), String> {
    for params in ["1e8", "3e8", "1e9"] {
        let answers = with(Claim::E, &[("params", params)], moved);
        for share in [1.0, 1.0 / 16.0, 0.01] {
            let mut federation = Federation { update_share: share, ..federation(&answers) };
            (moved.federation)(&mut federation);
            let run = federation.run(federation.rounds_for_epochs(1.0));
            let gathering = federation.gathering();
            ensure!(run.bytes > gathering.bytes, "{params} {share}: {:.1e} bytes against {:.1e}", run.bytes, gathering.bytes);
            let gathered_s = gathering.gather_s + answers.single.time_s;
            ensure!(run.total_s > gathered_s, "{params} {share}: {:.0} s against {gathered_s:.0} s", run.total_s);
        }
    }
    Ok(())
}

/// F: weeks on one GPU, at most a day on 64 with a fast link, on each generation.
fn weeks_on_one_gpu_are_hours_on_64(moved: Moved) -> Result<(), String> {
    for (gpu, tokens) in [("a100-80gb-sxm", "3e10"), ("h100-sxm", "6e10"), ("b200-sxm", "1.2e11")] {
        for network in ["ib-hdr", "ib-ndr"] {
            let answers = with(Claim::F, &[("gpu", gpu), ("tokens", tokens), ("network", network)], moved);
            let (weeks, hours) = (answers.single.time_s / 604_800.0, answers.cluster.time_s / 3600.0);
            ensure!(weeks > 1.5 && hours < 24.0, "{gpu} {network}: {weeks:.1} weeks, {hours:.1} hours");
        }
    }
    Ok(())
}

/// G: a small model over a slow link is slower on 64 machines than on one GPU.
fn a_small_model_over_a_slow_link_is_slower_on_the_cluster(moved: Moved) -> Result<(), String> {
    for params in ["1.25e8", "3.5e8", "7.6e8"] {
        // The slower GPU computes longer on the same batch: there the line lies at half of it.
        for (gpu, batch) in [("a100-80gb-sxm", "262144"), ("h100-sxm", "524288")] {
            for network in ["eth1", "home-fibre-de"] {
                let answers = with(Claim::G, &[("params", params), ("gpu", gpu), ("batch", batch), ("network", network)], moved);
                let ratio = answers.cluster.time_s / answers.single.time_s;
                ensure!(ratio > 1.0, "{params} {gpu} {network}: the cluster takes {ratio:.3} of the time");
            }
        }
    }
    Ok(())
}

/// H: fine-tuning several billion parameters fits one machine and takes hours and tens to hundreds of dollars.
fn fine_tuning_fits_one_machine(moved: Moved) -> Result<(), String> {
    for shape in ["llama2-7b", "llama3-8b", "llama2-13b"] {
        for method in ["lora", "lora4"] {
            let answers = with(Claim::H, &[("shape", shape), ("method", method)], moved);
            let (hours, usd) = (answers.single.time_s / 3600.0, answers.single.bill.usd.unwrap());
            ensure!(answers.single.fits, "{shape} {method} does not fit");
            ensure!(hours < 24.0 && (5.0..1000.0).contains(&usd), "{shape} {method}: {hours:.1} h, ${usd:.0}");
        }
    }
    Ok(())
}

/// I: eight GPUs of one machine work data-parallel, nearly eight times as fast, without a network between machines.
fn several_gpus_of_one_machine_need_no_network(moved: Moved) -> Result<(), String> {
    for gpu in ["a100-80gb-sxm", "h100-sxm", "b200-sxm"] {
        let answers = with(Claim::I, &[("gpu", gpu)], moved);
        ensure!(!answers.cluster.cluster.spans_machines(), "{gpu}: {} machines", answers.cluster.cluster.machines());
        ensure!(answers.cluster.plan.dp == 8, "{gpu}: {:?}", answers.cluster.plan);
        let speed = answers.single.time_s / answers.cluster.time_s;
        ensure!((6.0..=8.5).contains(&speed), "{gpu}: {speed:.2} times as fast");
        let slow = with(Claim::I, &[("gpu", gpu), ("bandwidth", "0.01")], moved);
        ensure!(slow.cluster.step.total() == answers.cluster.step.total(), "{gpu}: the network takes part");
    }
    Ok(())
}

/// J: twice the machines, half the time, the same loss, by two published laws.
fn more_machines_do_not_make_a_better_model(moved: Moved) -> Result<(), String> {
    for params in ["1e9", "7e9", "13e9"] {
        let [now, double] = ["64", "128"].map(|gpus| with(Claim::J, &[("params", params), ("gpus", gpus)], moved));
        let ratio = double.cluster.time_s / now.cluster.time_s;
        ensure!((0.45..0.75).contains(&ratio), "{params}: {ratio:.2} of the time");
        for law in [BESIROGLU_2024, HOFFMANN_2022] {
            let loss = |answers: &Answers| law.loss(answers.setup.job.params, answers.setup.job.tokens);
            ensure!(loss(&now) == loss(&double), "{params}: loss {:.3} and {:.3}", loss(&now), loss(&double));
        }
    }
    Ok(())
}

/// Each claim with its test.
const CHECKS: [(Claim, Check); 10] = [
    (Claim::A, large_models_fit_no_single_machine),
    (Claim::B, the_library_decides_what_is_waited_for),
    (Claim::C, failures_grow_and_goodput_shrinks),
    (Claim::D, entry_cost_against_scale),
    (Claim::E, federated_training_sends_updates_and_takes_longer),
    (Claim::F, weeks_on_one_gpu_are_hours_on_64),
    (Claim::G, a_small_model_over_a_slow_link_is_slower_on_the_cluster),
    (Claim::H, fine_tuning_fits_one_machine),
    (Claim::I, several_gpus_of_one_machine_need_no_network),
    (Claim::J, more_machines_do_not_make_a_better_model),
];

#[test]
fn every_claim_holds() {
    assert_eq!(CHECKS.map(|(claim, _)| claim), Claim::ALL);
    for (claim, check) in CHECKS {
        check(AS_IT_IS).unwrap_or_else(|words| panic!("claim {}: {words}", claim.letter()));
    }
}

fn outer(setup: &mut Setup, factor: f64) {
    setup.cluster.outer.bytes_per_s *= factor;
    setup.outer_bytes_per_s_per_gbit *= factor;
    setup.backend_ceiling_bytes_per_s *= factor;
}

fn both(setup: &mut Setup, change: fn(&mut crossover::model::Cluster)) {
    change(&mut setup.single);
    change(&mut setup.cluster);
}

fn price(setup: &mut Setup, factor: f64) {
    for conditions in [&mut setup.single_conditions, &mut setup.cluster_conditions] {
        conditions.rates.usd_per_gpu_hour = conditions.rates.usd_per_gpu_hour.map(|usd| usd * factor);
    }
}

/// (claim, constant, by what it is moved, the move)
fn moves() -> Vec<(Claim, &'static str, &'static str, Moved)> {
    vec![
        (Claim::A, "memory of a GPU", "× 8", moved(|s| both(s, |c| c.device.memory_bytes *= 8.0))),
        (Claim::A, "memory of a GPU", "÷ 64", moved(|s| both(s, |c| c.device.memory_bytes /= 64.0))),
        // One link for all three.
        (
            Claim::B,
            "rate and latency that MPI and gRPC reach",
            "to NCCL's",
            moved(|s| s.cluster.outer = Link { bytes_per_s: 2.8e9, latency_s: 40e-6 }),
        ),
        (Claim::C, "GPU-hours between failures", "× 1,000", moved(|s| s.cluster_conditions.reliability.gpu_hours_per_failure *= 1e3)),
        (Claim::C, "GPU-hours between failures", "÷ 100", moved(|s| s.cluster_conditions.reliability.gpu_hours_per_failure /= 1e2)),
        (Claim::D, "bandwidth between machines", "÷ 1,000", moved(|s| outer(s, 1e-3))),
        (Claim::D, "price of a bought server", "× 10", Moved { purchase: |p| p.server_usd *= 10.0, ..AS_IT_IS }),
        (Claim::D, "price of electricity", "× 10", Moved { purchase: |p| p.usd_per_kwh *= 10.0, ..AS_IT_IS }),
        (Claim::E, "bytes of a sample", "× 1,000", Moved { federation: |f| f.sample_bytes *= 1e3, ..AS_IT_IS }),
        (
            Claim::E,
            "clients' FLOP/s and links",
            "× 1,000",
            Moved {
                federation: |f| {
                    f.device_flop_per_s *= 1e3;
                    f.up.bytes_per_s *= 1e3;
                    f.down.bytes_per_s *= 1e3;
                },
                ..AS_IT_IS
            },
        ),
        (Claim::F, "bandwidth between machines", "÷ 1,000", moved(|s| outer(s, 1e-3))),
        (Claim::F, "FLOP/s of a GPU", "× 10", moved(|s| both(s, |c| c.device.wide_flop_per_s *= 10.0))),
        (Claim::G, "bandwidth between machines", "× 10", moved(|s| outer(s, 10.0))),
        (Claim::H, "memory of a GPU", "÷ 20", moved(|s| both(s, |c| c.device.memory_bytes /= 20.0))),
        (Claim::H, "price of a GPU-hour", "× 30", moved(|s| price(s, 30.0))),
        (Claim::I, "GPUs per machine", "8 to 4", moved(|s| s.cluster.per_machine = 4)),
        (Claim::I, "bandwidth inside a machine", "÷ 1,000", moved(|s| both(s, |c| c.inner.bytes_per_s /= 1e3))),
        (Claim::J, "bandwidth between machines", "÷ 10,000", moved(|s| outer(s, 1e-4))),
        (Claim::J, "training tokens", "grow with the GPUs", moved(|s| s.job.tokens *= f64::from(s.cluster.gpus) / 64.0)),
    ]
}

/// Each claim's test can fail: it does where a constant that the claim rests on is moved.
#[test]
fn every_claim_falls_where_its_key_constant_is_moved() {
    println!("claim | constant | moved by | what then fails");
    let mut stands = Vec::new();
    for (claim, constant, by, moved) in moves() {
        let check = CHECKS.iter().find(|(one, _)| *one == claim).unwrap().1;
        match check(moved) {
            Err(words) => println!("{} | {constant} | {by} | {words}", claim.letter()),
            Ok(()) => stands.push(format!("{}: {constant} {by}", claim.letter())),
        }
    }
    assert!(stands.is_empty(), "these still hold: {stands:?}");
    assert!(Claim::ALL.iter().all(|claim| moves().iter().any(|(one, ..)| one == claim)));
}
