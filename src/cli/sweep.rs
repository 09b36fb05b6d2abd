//! `crossover sweep`: estimates over a grid of parameters, streamed, on all cores, in constant memory.

use super::{Complaint, scenario};
use crate::report::answers::pair;
use crate::scenario::{Param, Scenario, url};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Points that a thread works out before it hands them over.
const CHUNK: u64 = 512;

/// The flags of `sweep` beside the scenario's.
pub fn command(settings: impl Fn(Command) -> Command) -> Command {
    settings(Command::new("sweep").about("Estimates a grid of scenarios, one line each"))
        .arg(
            Arg::new("vary")
                .long("vary")
                .value_name("KEY=FROM..TO:N")
                .action(ArgAction::Append)
                .required(true)
                .help("A parameter and N values between two, evenly in ratio (in whole steps where it counts); may be given several times"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["csv", "ndjson"])
                .default_value("csv")
                .help("Of the lines"),
        )
        .arg(Arg::new("shard").long("shard").value_name("I/N").help("Only the I-th of N equal parts, from 1: for job arrays"))
}

struct Axis {
    param: Param,
    values: Vec<f64>,
}

/// `KEY=FROM..TO:N`.
fn axis(text: &str) -> Result<Axis, String> {
    let expected = || format!("--vary: expected KEY=FROM..TO:N such as gpus=8..1024:16, found `{text}`");
    let (key, range) = text.split_once('=').ok_or_else(expected)?;
    let (ends, count) = range.rsplit_once(':').ok_or_else(expected)?;
    let (from, to) = ends.split_once("..").ok_or_else(expected)?;
    let param = Param::from_key(key).ok_or_else(|| format!("--vary: there is no parameter `{key}`"))?;
    let value = |text: &str| {
        let mut scenario = Scenario::default();
        scenario.set_text(param, text, None).map_err(|error| format!("--vary: {}", error.words(crate::locale::Lang::En)))?;
        scenario.value(param).ok_or_else(expected)
    };
    let (from, to) = (value(from)?, value(to)?);
    let count = count.parse::<u32>().ok().filter(|count| (1..=10_000_000).contains(count)).ok_or_else(expected)?;
    let step = |at: u32| if count == 1 { 0.0 } else { f64::from(at) / f64::from(count - 1) };
    let between = |share: f64| if from > 0.0 && to > 0.0 { from * (to / from).powf(share) } else { from + (to - from) * share };
    Ok(Axis { param, values: (0..count).map(|at| Scenario::nearest(param, between(step(at)))).collect() })
}

fn shard(text: Option<&String>) -> Result<(u64, u64), Complaint> {
    let Some(text) = text else { return Ok((0, 1)) };
    let parts = text.split_once('/').and_then(|(part, all)| Some((part.parse::<u64>().ok()?, all.parse::<u64>().ok()?)));
    match parts {
        Some((part, all)) if part >= 1 && part <= all => Ok((part - 1, all)),
        _ => Err(Complaint::input([format!("--shard: expected I/N with I from 1 to N, found `{text}`")])),
    }
}

/// The scenario at a place of the grid; the first axis moves the slowest.
fn at(base: &Scenario, axes: &[Axis], mut place: u64) -> Scenario {
    let mut scenario = *base;
    for axis in axes.iter().rev() {
        let n = axis.values.len() as u64;
        // Below the number of values, which is a usize.
        let value = axis.values[(place % n) as usize];
        place /= n;
        // Held in the parameter's range when the axis was read.
        let _ = scenario.set(axis.param, value);
    }
    scenario
}

const COLUMNS: [&str; 10] = [
    "single_fits",
    "single_time_s",
    "single_cost",
    "cluster_fits",
    "cluster_time_s",
    "cluster_cost",
    "cluster_tp",
    "cluster_pp",
    "cluster_dp",
    "cluster_memory_bytes",
];

fn line(out: &mut String, scenario: &Scenario, axes: &[Axis], csv: bool) {
    let keys = || axes.iter().map(|axis| (axis.param.key(), scenario.value(axis.param).unwrap_or(0.0)));
    let cost = |usd: Option<f64>| usd.map_or_else(|| if csv { String::new() } else { "null".to_string() }, |usd| usd.to_string());
    let figures = scenario.resolve().ok().and_then(|setup| pair(&setup)).map(|(one, many)| {
        [
            one.fits.to_string(),
            one.time_s.to_string(),
            cost(one.bill.usd),
            many.fits.to_string(),
            many.time_s.to_string(),
            cost(many.bill.usd),
            many.plan.tp.to_string(),
            many.plan.pp.to_string(),
            many.plan.dp.to_string(),
            many.memory.total().to_string(),
        ]
    });
    let values: Vec<String> = keys().map(|(_, value)| value.to_string()).collect();
    // A point that contradicts itself has no figures, and says so by their absence.
    let figures = figures.unwrap_or_else(|| std::array::from_fn(|_| if csv { String::new() } else { "null".to_string() }));
    if csv {
        let _ = writeln!(out, "{},{}", values.join(","), figures.join(","));
    } else {
        let fields = keys().map(|(key, _)| key).zip(&values).chain(COLUMNS.into_iter().zip(&figures));
        let fields: Vec<String> = fields.map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let _ = writeln!(out, "{{{}}}", fields.join(","));
    }
}

/// Runs `sweep`.
pub fn run(matches: &ArgMatches) -> Result<(), Complaint> {
    let (_, base) = scenario(matches)?;
    let texts: Vec<&String> = matches.get_many::<String>("vary").into_iter().flatten().collect();
    let axes = texts.iter().map(|text| axis(text)).collect::<Result<Vec<_>, _>>().map_err(|words| Complaint::input([words]))?;
    let (part, parts) = shard(matches.get_one::<String>("shard"))?;
    let all = axes.iter().map(|axis| axis.values.len() as u64).try_fold(1_u64, u64::checked_mul);
    let all = all.ok_or_else(|| Complaint::input(["--vary: expected a grid of fewer points".to_string()]))?;
    let (from, to) = (all / parts * part + (all % parts).min(part), all / parts * (part + 1) + (all % parts).min(part + 1));
    let csv = matches.get_one::<String>("format").is_none_or(|format| format == "csv");
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = std::thread::scope(|scope| -> std::io::Result<()> {
        // One channel a thread, each with room for one chunk: the chunks come in order, and no thread runs far ahead.
        let receivers: Vec<_> = (0..threads)
            .map(|thread| {
                let (sender, receiver) = sync_channel::<String>(1);
                let (base, axes) = (&base, &axes);
                scope.spawn(move || {
                    let mut start = from + thread * CHUNK;
                    while start < to {
                        let mut lines = String::new();
                        for place in start..(start + CHUNK).min(to) {
                            line(&mut lines, &at(base, axes, place), axes, csv);
                        }
                        // Whoever reads has had enough.
                        if sender.send(lines).is_err() {
                            return;
                        }
                        start += threads * CHUNK;
                    }
                });
                receiver
            })
            .collect();
        if csv {
            let keys: Vec<&str> = axes.iter().map(|axis| axis.param.key()).chain(COLUMNS).collect();
            writeln!(out, "{}", keys.join(","))?;
        }
        let mut done = from;
        let bar = std::io::stderr().is_terminal();
        'all: loop {
            for receiver in &receivers {
                let Ok(lines) = receiver.recv() else { break 'all };
                out.write_all(lines.as_bytes())?;
                done = (done + CHUNK).min(to);
                if bar && (done / CHUNK).is_multiple_of(64) {
                    eprint!("\r{:>3} % of {}", (done - from) * 100 / (to - from).max(1), to - from);
                }
            }
        }
        if bar {
            eprint!("\r");
        }
        out.flush()
    });
    let seconds = started.elapsed().as_secs_f64();
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Complaint::failure(format!("standard output: {error}"))),
        _ => {
            eprintln!(
                "{} scenarios of `{}` in {seconds:.1} s: {:.0} a second on {threads} threads",
                to - from,
                url::write(&base, &[]),
                (to - from) as f64 / seconds.max(1e-9)
            );
            Ok(())
        }
    }
}
