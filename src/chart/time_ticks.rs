//! Ticks for durations: round in the unit in which a reader would say them.

use super::bounds::{Bounds, Scale};
use super::ticks::{Family, best, multiples, scaled, ticks};

const MINUTE_S: f64 = 60.0;
const HOUR_S: f64 = 3600.0;
/// Seconds in a day.
pub const DAY_S: f64 = 86_400.0;
/// Seconds in a Julian year of 365.25 days, the unit "a" of time ticks.
pub const YEAR_S: f64 = 365.25 * DAY_S;

/// Each unit with the multiples of it that read well, sparse enough that a log axis with all of them looks even.
const ROUND: [(f64, &[f64]); 5] =
    [(1.0, &[1.0, 10.0]), (MINUTE_S, &[1.0, 10.0]), (HOUR_S, &[1.0, 6.0]), (DAY_S, &[1.0, 10.0, 100.0]), (YEAR_S, &[1.0])];
/// The same, for short ranges.
const FINE: [(f64, &[f64]); 5] = [
    (1.0, &[1.0, 2.0, 5.0, 10.0, 30.0]),
    (MINUTE_S, &[1.0, 2.0, 5.0, 10.0, 30.0]),
    (HOUR_S, &[1.0, 2.0, 5.0, 10.0]),
    (DAY_S, &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]),
    (YEAR_S, &[1.0, 2.0, 5.0]),
];
/// The same, for ranges over many decades.
const COARSE: [(f64, &[f64]); 5] = [(1.0, &[1.0]), (MINUTE_S, &[1.0]), (HOUR_S, &[1.0]), (DAY_S, &[1.0, 30.0]), (YEAR_S, &[1.0])];
/// Steps of a linear axis.
const STEPS: [(f64, &[f64]); 5] = [
    (1.0, &[1.0, 2.0, 5.0, 10.0, 20.0, 30.0]),
    (MINUTE_S, &[1.0, 2.0, 5.0, 10.0, 20.0, 30.0]),
    (HOUR_S, &[1.0, 2.0, 3.0, 6.0, 12.0]),
    (DAY_S, &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]),
    (YEAR_S, &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]),
];

/// At most `wanted` durations within `bounds`, in seconds, ascending: 1 s, 10 s, 1 min, 10 min, 1 h, 6 h, 1 d, 10 d, 100 d,
/// 1 a, 10 a, … ; below a second and above a year decimal. On a linear scale multiples of such a step.
pub fn time_ticks(bounds: Bounds, wanted: usize) -> Vec<f64> {
    let wanted = wanted.clamp(1, 50);
    match bounds.scale() {
        Scale::Linear => linear(bounds, wanted),
        Scale::Log => log(bounds, wanted),
    }
}

fn linear(bounds: Bounds, wanted: usize) -> Vec<f64> {
    if bounds.hi() - bounds.lo() < 2.0 {
        return ticks(bounds, wanted);
    }
    let steps = STEPS.iter().flat_map(|(unit, counts)| counts.iter().map(move |count| unit * count));
    let centuries = (0..=298).map(|decade| scaled(1.0, decade) * 100.0 * YEAR_S);
    steps
        .chain(centuries)
        .filter(|step| (bounds.hi() - bounds.lo()) / step < 2.0 + wanted as f64)
        .map(|step| multiples(bounds, |i| i * step, step))
        .find(|values| values.len() <= wanted)
        .unwrap_or_default()
}

fn log(bounds: Bounds, wanted: usize) -> Vec<f64> {
    // Above 1000 d nobody counts days, but up to there they keep the ticks of a chart in days evenly a decade apart.
    let in_days: Vec<f64> = (0..=3).map(|decade| scaled(DAY_S, decade)).collect();
    let in_years: Vec<f64> = (0..=290).map(|decade| scaled(YEAR_S, decade)).filter(|&v| v <= bounds.hi()).collect();
    let families = [
        Family { values: with_decimal_ends(&FINE, &[1.0, 2.0, 5.0], bounds), penalty: 0.0 },
        Family { values: with_decimal_ends(&ROUND, &[1.0], bounds), penalty: 0.0 },
        Family { values: with_decimal_ends(&COARSE, &[1.0], bounds), penalty: 0.0 },
        Family { values: in_days, penalty: 0.0 },
        Family { values: in_years, penalty: 0.2 },
        Family { values: linear(bounds, wanted), penalty: 0.4 },
        Family { values: ticks(bounds, wanted), penalty: if bounds.lo() >= 1.0 && bounds.hi() > MINUTE_S { 4.0 } else { 0.0 } },
    ];
    best(&families, bounds, wanted)
}

/// The table's durations, with decimal fractions of a second before them and tens, hundreds … of years after.
fn with_decimal_ends(table: &[(f64, &[f64])], mantissas: &[f64], bounds: Bounds) -> Vec<f64> {
    let first = (bounds.lo().log10().floor() as i32).min(0);
    let last = ((bounds.hi() / YEAR_S).log10().ceil() as i32).max(0);
    let fractions = (first..0).flat_map(|decade| mantissas.iter().map(move |&m| scaled(m, decade)));
    let middle = table.iter().flat_map(|(unit, counts)| counts.iter().map(move |count| unit * count));
    let years = (1..=last).flat_map(|decade| mantissas.iter().map(move |&m| scaled(m * YEAR_S, decade)));
    fractions.chain(middle).chain(years).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lo: f64, hi: f64, wanted: usize) -> Vec<f64> {
        time_ticks(Bounds::log(lo, hi).unwrap(), wanted)
    }

    #[test]
    fn a_chart_in_days_stays_in_days() {
        assert_eq!(log(0.8 * DAY_S, 500.0 * DAY_S, 5), [DAY_S, 10.0 * DAY_S, 100.0 * DAY_S]);
    }

    #[test]
    fn short_and_long_ranges_change_the_unit() {
        assert_eq!(log(0.9, 7000.0, 6), [1.0, 10.0, 60.0, 600.0, 3600.0]);
        assert_eq!(log(HOUR_S, 100.0 * YEAR_S, 8), [1.0, 6.0, 24.0, 240.0, 2400.0, 8766.0, 87_660.0, 876_600.0].map(|h| h * HOUR_S));
        assert_eq!(log(YEAR_S, 3000.0 * YEAR_S, 5), [1.0, 10.0, 100.0, 1000.0].map(|a| a * YEAR_S));
        assert_eq!(log(10.0 * MINUTE_S, 2.1 * HOUR_S, 5), [10.0, 30.0, 60.0, 120.0].map(|m| m * MINUTE_S));
        assert_eq!(log(1e-3, 1.0, 5), [1e-3, 1e-2, 1e-1, 1.0]);
    }

    #[test]
    fn linear_steps_are_those_of_a_clock() {
        let day = Bounds::linear(0.0, DAY_S).unwrap();
        assert_eq!(time_ticks(day, 5), [0.0, 6.0, 12.0, 18.0, 24.0].map(|h| h * HOUR_S));
        let minutes = Bounds::linear(0.0, 130.0).unwrap();
        assert_eq!(time_ticks(minutes, 5), [0.0, 30.0, 60.0, 90.0, 120.0]);
    }
}
