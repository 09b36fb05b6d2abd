//! `crossover sweep`: estimates over a grid of parameters, streamed, on all cores, in constant memory.

use super::{Complaint, scenario};
use crate::model::{Cluster, Estimate, estimate};
use crate::scenario::{Param, Scenario, Setup};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal, Write};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

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

/// A parameter and the values that it takes, worked out one by one: a long axis takes no memory.
struct Axis {
    param: Param,
    from: f64,
    to: f64,
    count: u32,
}

impl Axis {
    fn value(&self, at: u64) -> f64 {
        let share = if self.count == 1 { 0.0 } else { at as f64 / f64::from(self.count - 1) };
        let (from, to) = (self.from, self.to);
        let between = if from > 0.0 && to > 0.0 { from * (to / from).powf(share) } else { from + (to - from) * share };
        Scenario::nearest(self.param, between)
    }
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
    let wrong = || format!("--vary: expected a number of values from 1 to 1,000,000,000, found `{count}` in `{text}`");
    let count = count.parse::<u32>().ok().filter(|count| (1..=1_000_000_000).contains(count)).ok_or_else(wrong)?;
    Ok(Axis { param, from, to, count })
}

fn axes(matches: &ArgMatches) -> Result<Vec<Axis>, Complaint> {
    let mut axes: Vec<Axis> = Vec::new();
    for text in matches.get_many::<String>("vary").into_iter().flatten() {
        let axis = axis(text).map_err(|words| Complaint::input([words]))?;
        if axes.iter().any(|other| other.param == axis.param) {
            return Err(Complaint::input([format!("--vary: `{}` is there twice", axis.param.key())]));
        }
        axes.push(axis);
    }
    Ok(axes)
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
fn at(base: &Scenario, axes: &[Axis], place: u64) -> Scenario {
    let mut scenario = *base;
    // What equals a default is not kept, but a default may follow from an axis that is set later: once more with all of them known.
    for _ in 0..2 {
        let mut place = place;
        for axis in axes.iter().rev() {
            let count = u64::from(axis.count);
            // Held in the parameter's range when the axis was read.
            let _ = scenario.set(axis.param, axis.value(place % count));
            place /= count;
        }
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

/// Both sides at every point of a chunk. Neighbours mostly share the job and the machines: then one search serves the next, which finds the
/// same in less time, and the one machine is worked out once.
fn estimates(setups: &[Option<Setup>]) -> Vec<Option<(Estimate, Estimate)>> {
    let mut out: Vec<Option<(Estimate, Estimate)>> = Vec::with_capacity(setups.len());
    let mut rest = setups;
    while let [first, others @ ..] = rest {
        let Some(first) = first else {
            out.push(None);
            rest = others;
            continue;
        };
        let alike = rest.iter().take_while(|other| other.as_ref().is_some_and(|other| same_but_for_cluster(first, other))).count();
        let single = estimate(&first.job, &first.single, &first.single_conditions);
        let estimator = first.estimator();
        let mut near: Option<Estimate> = None;
        for setup in rest[..alike].iter().flatten() {
            near = estimator.estimate(&setup.cluster, near.as_ref().as_slice());
            out.push(single.map(|single| Estimate { cluster: setup.single, ..single }).zip(near));
        }
        rest = &rest[alike..];
    }
    out
}

/// Whether two points differ in the cluster's size and the network between its machines at most. The one machine has no such network.
fn same_but_for_cluster(one: &Setup, other: &Setup) -> bool {
    let common = |setup: &Setup| {
        let cluster = Cluster { gpus: 1, outer: one.cluster.outer, ..setup.cluster };
        let single = Cluster { outer: one.single.outer, ..setup.single };
        (setup.job, single, cluster, setup.single_conditions, setup.cluster_conditions)
    };
    common(one) == common(other)
}

fn line(out: &mut String, scenario: &Scenario, estimates: Option<&(Estimate, Estimate)>, axes: &[Axis], csv: bool) {
    let value = |axis: &Axis| match scenario.choice_key(axis.param) {
        "" => scenario.value(axis.param).unwrap_or(0.0).to_string(),
        key if csv => key.to_string(),
        key => format!("\"{key}\""),
    };
    let cost = |usd: Option<f64>| usd.map_or_else(|| if csv { String::new() } else { "null".to_string() }, |usd| usd.to_string());
    let figures = estimates.map(|(one, many)| {
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
    let values: Vec<String> = axes.iter().map(value).collect();
    // A point that contradicts itself has no figures, and says so by their absence.
    let figures = figures.unwrap_or_else(|| std::array::from_fn(|_| if csv { String::new() } else { "null".to_string() }));
    if csv {
        let _ = writeln!(out, "{},{}", values.join(","), figures.join(","));
    } else {
        let keys = axes.iter().map(|axis| axis.param.key());
        let fields = keys.zip(&values).chain(COLUMNS.into_iter().zip(&figures));
        let fields: Vec<String> = fields.map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let _ = writeln!(out, "{{{}}}", fields.join(","));
    }
}

/// What is swept, and which part of it.
struct Grid {
    base: Scenario,
    axes: Vec<Axis>,
    from: u64,
    to: u64,
    csv: bool,
}

impl Grid {
    fn read(matches: &ArgMatches) -> Result<Grid, Complaint> {
        let (_, base) = scenario(matches)?;
        let axes = axes(matches)?;
        let (part, parts) = shard(matches.get_one::<String>("shard"))?;
        let all = axes.iter().map(|axis| u64::from(axis.count)).try_fold(1_u64, u64::checked_mul);
        let all = all.ok_or_else(|| Complaint::input(["--vary: expected a grid of fewer points".to_string()]))?;
        let start = |part: u64| all / parts * part + (all % parts).min(part);
        let csv = matches.get_one::<String>("format").is_none_or(|format| format == "csv");
        Ok(Grid { base, axes, from: start(part), to: start(part + 1), csv })
    }

    /// The lines of the points from `start` to `end`.
    fn lines(&self, start: u64, end: u64) -> String {
        let scenarios: Vec<Scenario> = (start..end).map(|place| at(&self.base, &self.axes, place)).collect();
        let setups: Vec<Option<Setup>> = scenarios.iter().map(|scenario| scenario.resolve().ok()).collect();
        let mut lines = String::new();
        for (scenario, estimates) in scenarios.iter().zip(estimates(&setups)) {
            line(&mut lines, scenario, estimates.as_ref(), &self.axes, self.csv);
        }
        lines
    }
}

/// How far it is, on a terminal only, a few times a second. Nothing is lost where it cannot be written.
struct Progress {
    shown: bool,
    all: u64,
    last: Instant,
}

impl Progress {
    fn new(all: u64) -> Progress {
        Progress { shown: std::io::stderr().is_terminal(), all, last: Instant::now() }
    }

    fn tell(&mut self, done: u64) {
        const EVERY: Duration = Duration::from_millis(200);
        const WIDTH: u64 = 40;
        if !self.shown || self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        let (filled, share) = (done * WIDTH / self.all.max(1), done * 100 / self.all.max(1));
        let bar: String = (0..WIDTH).map(|at| if at < filled { '#' } else { '.' }).collect();
        let _ = write!(std::io::stderr(), "\r[{bar}] {share:>3} % of {}", self.all);
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Writes all lines in order; returns how many.
fn write_all(grid: &Grid, threads: u64, out: &mut impl Write) -> std::io::Result<u64> {
    let mut progress = Progress::new(grid.to - grid.from);
    let mut done = 0;
    let outcome = std::thread::scope(|scope| -> std::io::Result<()> {
        // One channel a thread, each with room for one chunk: the chunks come in order, and no thread runs far ahead.
        let receivers: Vec<_> = (0..threads)
            .map(|thread| {
                let (sender, receiver) = sync_channel::<String>(1);
                scope.spawn(move || {
                    let mut start = grid.from + thread * CHUNK;
                    while start < grid.to {
                        // Whoever reads has had enough.
                        if sender.send(grid.lines(start, (start + CHUNK).min(grid.to))).is_err() {
                            return;
                        }
                        start += threads * CHUNK;
                    }
                });
                receiver
            })
            .collect();
        if grid.csv {
            let keys: Vec<&str> = grid.axes.iter().map(|axis| axis.param.key()).chain(COLUMNS).collect();
            writeln!(out, "{}", keys.join(","))?;
        }
        'all: loop {
            for receiver in &receivers {
                let Ok(lines) = receiver.recv() else { break 'all };
                out.write_all(lines.as_bytes())?;
                done = (done + CHUNK).min(grid.to - grid.from);
                progress.tell(done);
            }
        }
        out.flush()
    });
    progress.clear();
    outcome.map(|()| done)
}

/// Runs `sweep`.
pub fn run(matches: &ArgMatches) -> Result<(), Complaint> {
    let grid = Grid::read(matches)?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let started = Instant::now();
    let written = write_all(&grid, threads, &mut BufWriter::new(std::io::stdout().lock()));
    let seconds = started.elapsed().as_secs_f64();
    match written {
        // Whoever reads has had enough, as `head` has.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Complaint::failure(format!("standard output: {error}"))),
        Ok(done) => {
            let rate = done as f64 / seconds.max(1e-9);
            // The lines are written; that this one cannot be is no failure.
            let _ = writeln!(std::io::stderr(), "{done} scenarios in {seconds:.1} s: {rate:.0} a second on {threads} threads");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers::pair;

    fn grid(varied: &[&str]) -> Grid {
        let axes: Vec<Axis> = varied.iter().map(|text| axis(text).unwrap()).collect();
        let to = axes.iter().map(|axis| u64::from(axis.count)).product();
        Grid { base: Scenario::default(), axes, from: 0, to, csv: true }
    }

    #[test]
    fn what_serves_the_next_point_changes_none() {
        for varied in [
            &["params=1e8..1e12:4", "gpus=1..4096:9", "bandwidth=0.1..1600:5"][..],
            &["bandwidth=1..400:3", "gpus=8..512:3", "gpu=a100-80gb-sxm..h200-sxm:3", "seq=1024..65536:3"],
        ] {
            let grid = grid(varied);
            let scenarios: Vec<Scenario> = (0..grid.to).map(|place| at(&grid.base, &grid.axes, place)).collect();
            let setups: Vec<Option<Setup>> = scenarios.iter().map(|scenario| scenario.resolve().ok()).collect();
            let alone: Vec<_> = setups.iter().map(|setup| setup.as_ref().and_then(pair)).collect();
            assert!(alone.iter().flatten().count() > 50);
            assert_eq!(estimates(&setups), alone, "{varied:?}");
        }
    }

    #[test]
    fn every_axis_holds_at_every_point() {
        // The batch that is the default at one size must stay what it is at another.
        let grid = grid(&["params=1e8..1e11:5", "batch=65536..16777216:9"]);
        for place in 0..grid.to {
            let scenario = at(&grid.base, &grid.axes, place);
            assert_eq!(scenario.number(Param::Params), grid.axes[0].value(place / 9));
            assert_eq!(scenario.number(Param::Batch), grid.axes[1].value(place % 9));
        }
    }
}
