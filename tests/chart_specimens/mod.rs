//! Charts as the pages show them, with invented figures: for snapshots, and for looking at.

use crossover::chart::{Axis, Bounds, ChartSpec, DAY_S, Mark, MarkKind, Series, Side, Span, power_of_two_ticks, ticks, time_ticks};

/// All of them.
pub fn all() -> Vec<ChartSpec> {
    vec![time_against_gpus(), cost_against_gpus(), cost_against_bandwidth(), near_ends(), does_not_fit(), linear()]
}

fn gpus() -> Vec<f64> {
    (0..=48).map(|i| 2f64.powf(f64::from(i) / 4.0)).collect()
}

fn over(xs: &[f64], y: impl Fn(f64) -> Option<f64>) -> Vec<(f64, Option<f64>)> {
    xs.iter().map(|&x| (x, y(x))).collect()
}

fn series(side: Side, label: &str, points: Vec<(f64, Option<f64>)>, error: f64) -> Series {
    let band = points.iter().map(|&(x, y)| (x, y.map(|y| (y * (1.0 - error), y * (1.0 + error)))));
    Series { side, label: label.into(), dashed: side == Side::Second, band: band.collect(), points }
}

fn mark(kind: MarkKind, x: f64, y: f64, label: &str) -> Mark {
    Mark { kind, x, y, side: Side::First, label: label.into() }
}

fn chart(id: &str, title: &str, subtitle: &str, x: Axis, y: Axis, series: Vec<Series>) -> ChartSpec {
    ChartSpec {
        id: id.into(),
        title: title.into(),
        subtitle: subtitle.into(),
        caption: format!("{title}. {subtitle}."),
        x,
        y,
        series,
        marks: vec![],
        spans: vec![],
    }
}

fn count_axis(label: &str, hi: f64) -> Axis {
    let bounds = Bounds::log(1.0, hi).unwrap();
    Axis::new(label, bounds, &power_of_two_ticks(bounds, 5), |v| format!("{v}"))
}

fn duration(s: f64) -> String {
    let days = s / DAY_S;
    match s {
        s if s < 3600.0 => format!("{} min", (s / 60.0).round()),
        s if s < DAY_S => format!("{} h", (s / 3600.0).round()),
        _ if days < 365.0 => format!("{} T", days.round()),
        _ => format!("{} J", (days / 365.25).round()),
    }
}

fn cluster_days(n: f64) -> f64 {
    520.0 / n + 0.9 + 0.0003 * n
}

/// Log against log, crossover at 9, present scenario at 64, bands.
pub fn time_against_gpus() -> ChartSpec {
    let y = Bounds::log(0.9 * DAY_S, 650.0 * DAY_S).unwrap();
    let y = Axis::new("", y, &time_ticks(y, 5), duration);
    let lines = vec![
        series(Side::Second, "eine Maschine", over(&gpus(), |_| Some(62.0 * DAY_S)), 0.08),
        series(Side::First, "Cluster", over(&gpus(), |n| Some(cluster_days(n) * DAY_S)), 0.12),
    ];
    let mut chart = chart(
        "time-gpus",
        "Ab 9 GPUs ist der Cluster schneller",
        "Dauer des Trainings, nach Zahl der GPUs",
        count_axis("GPUs im Cluster", 4096.0),
        y,
        lines,
    );
    chart.marks.push(mark(MarkKind::Crossover, 8.5, 62.0 * DAY_S, "ab 9 GPUs"));
    chart.marks.push(mark(MarkKind::Present, 64.0, cluster_days(64.0) * DAY_S, ""));
    chart
}

/// Costs on a log axis that spans one decade.
pub fn cost_against_gpus() -> ChartSpec {
    let cost = |n: f64| 33.2 + if n < 8.0 { 0.0 } else { -2.0 + 0.05 * n.powf(0.86) };
    let y = Bounds::log(20.0, 150.0).unwrap();
    let y = Axis::new("", y, &ticks(y, 5), |v| format!("{v} Tsd. $"));
    let lines = vec![
        series(Side::Second, "eine Maschine", over(&gpus(), |_| Some(33.2)), 0.07),
        series(Side::First, "Cluster", over(&gpus(), |n| Some(cost(n))), 0.07),
    ];
    let mut chart = chart(
        "cost-gpus",
        "Mit 64 GPUs kostet der Lauf 4 % mehr",
        "Kosten in US-Dollar, nach Zahl der GPUs",
        count_axis("GPUs im Cluster", 4096.0),
        y,
        lines,
    );
    chart.marks.push(mark(MarkKind::Present, 64.0, cost(64.0), "64 GPUs"));
    chart
}

/// Wide tick labels, a long line label, bandwidth in bytes per second.
pub fn cost_against_bandwidth() -> ChartSpec {
    let xs: Vec<f64> = (0..=50).map(|i| 10f64.powf(6.0 + f64::from(i) * 5.2 / 50.0)).collect();
    let cost = |b: f64| 33.0 + 2e10 / b.powf(1.1);
    let x = Bounds::log(1e6, xs[50]).unwrap();
    let x = Axis::new("Bandbreite je GPU", x, &ticks(x, 5), |v| {
        let bits = v * 8.0;
        if bits < 1e9 { format!("{} Mbit/s", bits / 1e6) } else { format!("{} Gbit/s", bits / 1e9) }
    });
    let y = Bounds::log(10.0, 6000.0).unwrap();
    let y = Axis::new("", y, &ticks(y, 5), |v| if v < 1000.0 { format!("{v} Tsd. $") } else { format!("{} Mio. $", v / 1000.0) });
    let lines = vec![
        series(Side::Second, "eine Maschine", over(&xs, |_| Some(35.5)), 0.1),
        series(Side::First, "64 GPUs über 400\u{a0}Gbit/s", over(&xs, |b| Some(cost(b))), 0.1),
    ];
    let mut chart = chart("cost-bandwidth", "Langsame Netze machen den Lauf teuer", "Kosten, nach Bandbreite je GPU", x, y, lines);
    chart.marks.push(mark(MarkKind::Crossover, 1.01e9, 35.5, "8 Gbit/s"));
    chart.marks.push(mark(MarkKind::Present, 5e10, cost(5e10), ""));
    chart
}

/// Two lines that end at nearly the same height, and a third above them.
pub fn near_ends() -> ChartSpec {
    let y = Bounds::log(1.0, 60.0).unwrap();
    let y = Axis::new("Tage", y, &ticks(y, 5), |v| format!("{v}"));
    let lines = vec![
        series(Side::Second, "eine Maschine", over(&gpus(), |_| Some(7.8)), 0.0),
        series(Side::First, "Cluster", over(&gpus(), |n| Some(7.4 + 40.0 / n)), 0.0),
        series(Side::Neutral, "gemessen", over(&gpus(), |n| Some(8.4 + 20.0 / n)), 0.0),
    ];
    let mut chart = chart("near-ends", "Beide brauchen gleich lang", "Dauer in Tagen", count_axis("GPUs im Cluster", 4096.0), y, lines);
    chart.marks.push(mark(MarkKind::Crossover, 100.0, 7.8, "100"));
    chart
}

/// A hatched range, a gap in the line, and a line that ends early.
pub fn does_not_fit() -> ChartSpec {
    let y = Bounds::log(0.9 * DAY_S, 900.0 * DAY_S).unwrap();
    let y = Axis::new("", y, &time_ticks(y, 5), duration);
    let fits = |n: f64| (n >= 8.0).then(|| cluster_days(n) * 1.3 * DAY_S);
    let lines = vec![
        series(Side::First, "Cluster", over(&gpus(), fits), 0.15),
        series(Side::Second, "eine Maschine", over(&gpus(), |n| (n <= 300.0).then_some(30.0 * DAY_S)), 0.1),
    ];
    let mut chart = chart(
        "does-not-fit",
        "Unter 8 GPUs passt das Modell nicht in den Speicher & die Zahl < 8 zählt",
        "Dauer des Trainings, nach Zahl der GPUs",
        count_axis("GPUs im Cluster", 4096.0),
        y,
        lines,
    );
    chart.spans.push(Span { from: 1.0, to: 8.0, label: "passt nicht in den Speicher".into() });
    chart.marks.push(mark(MarkKind::Crossover, 23.2, 30.0 * DAY_S, "ab 24 GPUs"));
    chart
}

/// Linear axes.
pub fn linear() -> ChartSpec {
    let xs: Vec<f64> = (0..=40).map(|i| f64::from(i) * 0.6).collect();
    let x = Bounds::linear(0.0, 24.0).unwrap();
    let x = Axis::new("Hours between checkpoints", x, &ticks(x, 6), |v| format!("{v}"));
    let y = Bounds::linear(0.0, 1.0).unwrap();
    let y = Axis::new("Useful share of time", y, &ticks(y, 5), |v| format!("{} %", (v * 100.0).round()));
    let lines = vec![
        series(Side::First, "512 machines", over(&xs, |h| Some((1.0 - 0.02 / (h + 0.1) - h * 0.03).max(0.05))), 0.05),
        series(Side::Second, "one machine", over(&xs, |h| Some(0.99 - 0.01 / (h + 0.1))), 0.0),
    ];
    let mut chart = chart("checkpoints", "Save every two hours", "Useful share of the time", x, y, lines);
    chart.marks.push(mark(MarkKind::Present, 6.0, 1.0 - 0.02 / 6.1 - 0.18, "82 %"));
    chart
}
