//! Round values for an axis: few, evenly spread, never twice the same.

use super::bounds::{Bounds, Scale};

/// At most `wanted` round values within `bounds`, ascending, in the axis' unit. Linear: multiples of 1, 2 or 5 times a power of
/// ten. Log: 1-2-5, 1-3 or whole decades, every second, third … decade where there are many.
pub fn ticks(bounds: Bounds, wanted: usize) -> Vec<f64> {
    let wanted = wanted.clamp(1, 50);
    match bounds.scale() {
        Scale::Linear => linear(bounds, wanted),
        Scale::Log => {
            let mut families = decade_families(bounds);
            families.push(Family { values: linear(bounds, wanted), penalty: 0.4 });
            best(&families, bounds, wanted)
        }
    }
}

/// At most `wanted` powers of two within `bounds`, a constant factor apart (1, 8, 64, 512): for counts such as processors. On a
/// linear scale, and where a range holds fewer than two powers of two, the values of [`ticks`].
pub fn power_of_two_ticks(bounds: Bounds, wanted: usize) -> Vec<f64> {
    let wanted = wanted.clamp(1, 50);
    let first = bounds.lo().log2().ceil();
    let last = bounds.hi().log2().floor();
    if bounds.scale() == Scale::Linear || first >= last {
        return ticks(bounds, wanted);
    }
    let (first, last) = (first as i32, last as i32);
    // The densest steps that are thin enough; thinner ones only cost more.
    let least = ((last - first) / wanted as i32).max(1);
    let mut families = Vec::new();
    for step in least..=least + 3 {
        for start in first..(first + step).min(last) {
            let values = (start..=last).step_by(step as usize).map(|e| 2f64.powi(e)).collect();
            let offset = start.rem_euclid(step) != 0;
            families.push(Family { values, penalty: if offset { 0.35 } else { 0.0 } });
        }
    }
    best(&families, bounds, wanted)
}

/// Candidates for the ticks of a log axis.
pub(super) struct Family {
    /// Ascending; those outside the bounds are passed over.
    pub(super) values: Vec<f64>,
    /// What it costs to use it, for being less familiar to the eye; 0.3 is one tick fewer than wanted.
    pub(super) penalty: f64,
}

/// The family with the most even and most numerous values within the bounds, of which there may be at most `wanted`.
pub(super) fn best(families: &[Family], bounds: Bounds, wanted: usize) -> Vec<f64> {
    let inside = |family: &Family| -> Vec<f64> {
        let mut values: Vec<f64> = family.values.iter().copied().filter(|&v| bounds.contains(v)).collect();
        values.dedup();
        values
    };
    let cheapest = families
        .iter()
        .map(|family| (inside(family), family.penalty))
        .filter(|(values, _)| values.len() <= wanted)
        .filter_map(|(values, penalty)| Some((cost(&values, bounds, wanted)? + penalty, values)))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, values)) = cheapest {
        return values;
    }
    // No family has two values and few enough: thin the one with the most.
    let most = families.iter().map(inside).max_by_key(Vec::len).unwrap_or_default();
    let keep_every = most.len().div_ceil(wanted).max(1);
    most.into_iter().step_by(keep_every).collect()
}

fn cost(values: &[f64], bounds: Bounds, wanted: usize) -> Option<f64> {
    let places: Vec<f64> = values.iter().filter_map(|&v| bounds.place(v)).collect();
    let gaps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let widest = gaps.iter().copied().reduce(f64::max)?;
    let narrowest = gaps.iter().copied().reduce(f64::min)?;
    let empty_ends = (places[0] / widest - 1.0).max(0.0) + ((1.0 - places[places.len() - 1]) / widest - 1.0).max(0.0);
    Some(widest / narrowest - 1.0 + 0.3 * (wanted - values.len()) as f64 + 1.5 * empty_ends)
}

fn decade_families(bounds: Bounds) -> Vec<Family> {
    let first = bounds.lo().log10().floor() as i32;
    let last = bounds.hi().log10().ceil() as i32;
    let fine: Vec<f64> = (first..=last).flat_map(|d| [1.0, 2.0, 5.0].map(|m| scaled(m, d))).collect();
    let thirds = (first..=last).flat_map(|d| [1.0, 3.0].map(|m| scaled(m, d))).collect();
    let every_second = |from: usize| fine.iter().copied().skip(from).step_by(2).collect();
    let mut families = vec![
        Family { values: every_second(0), penalty: 1.0 },
        Family { values: every_second(1), penalty: 1.0 },
        Family { values: thirds, penalty: 0.5 },
        Family { values: fine.clone(), penalty: 0.0 },
    ];
    for step in [1, 2, 3, 4, 5, 6, 10, 20, 50, 100, 200] {
        for offset in 0..step {
            let values = (first..=last).filter(|d| d.rem_euclid(step) == offset).map(|d| scaled(1.0, d)).collect();
            families.push(Family { values, penalty: if offset == 0 { 0.0 } else { 0.2 } });
        }
    }
    families
}

fn linear(bounds: Bounds, wanted: usize) -> Vec<f64> {
    let length = bounds.hi() - bounds.lo();
    let start = (length / wanted as f64).log10().floor() as i32;
    (start..=start + 3)
        .flat_map(|decade| [1.0, 2.0, 5.0].map(|mantissa| (mantissa, decade)))
        .map(|(mantissa, decade)| multiples(bounds, |i| scaled(i * mantissa, decade), scaled(mantissa, decade)))
        .find(|values| values.len() <= wanted)
        .unwrap_or_default()
}

/// The multiples of `step` within bounds; `value(i)` is the i-th, computed by the caller so that 0.3 is 0.3. Stops at 200.
pub(super) fn multiples(bounds: Bounds, value: impl Fn(f64) -> f64, step: f64) -> Vec<f64> {
    let first = (bounds.lo() / step - 1e-6).ceil();
    let last = (bounds.hi() / step + 1e-6).floor();
    // `+ 0.0` turns the negative zero into the positive one, which is printed without a sign.
    (0..200).map(|i| first + f64::from(i)).take_while(|&i| i <= last).map(|i| value(i) + 0.0).filter(|&v| bounds.contains(v)).collect()
}

/// `mantissa` × 10^`decade`, by division for negative decades, so that 3 × 10^-1 is exactly what "0.3" parses to.
pub(super) fn scaled(mantissa: f64, decade: i32) -> f64 {
    if decade < 0 { mantissa / 10f64.powi(-decade) } else { mantissa * 10f64.powi(decade) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lo: f64, hi: f64, wanted: usize) -> Vec<f64> {
        ticks(Bounds::log(lo, hi).unwrap(), wanted)
    }

    fn lin(lo: f64, hi: f64, wanted: usize) -> Vec<f64> {
        ticks(Bounds::linear(lo, hi).unwrap(), wanted)
    }

    fn twos(lo: f64, hi: f64, wanted: usize) -> Vec<f64> {
        power_of_two_ticks(Bounds::log(lo, hi).unwrap(), wanted)
    }

    #[test]
    fn linear_ticks_are_round_to_the_last_digit() {
        assert_eq!(lin(0.0, 1.0, 6), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(lin(0.0, 0.31, 4), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(lin(-7.0, 12.0, 5), [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(lin(1e9, 1e9 + 40.0, 5), [1e9, 1e9 + 10.0, 1e9 + 20.0, 1e9 + 30.0, 1e9 + 40.0]);
    }

    #[test]
    fn log_ticks_are_even_and_never_doubled() {
        assert_eq!(log(1.0, 500.0, 5), [1.0, 10.0, 100.0]);
        assert_eq!(log(1e4, 1e5, 5), [1e4, 2e4, 5e4, 1e5]);
        assert_eq!(log(1e-2, 1e6, 5), [1e-2, 1.0, 1e2, 1e4, 1e6]);
        assert_eq!(log(0.001, 2.0, 4), [0.001, 0.01, 0.1, 1.0]);
        assert_eq!(log(20.0, 700.0, 4), [30.0, 100.0, 300.0]);
        assert_eq!(log(1.0, 60.0, 5), [1.0, 3.0, 10.0, 30.0]);
        assert_eq!(log(30.0, 62.0, 5), [30.0, 40.0, 50.0, 60.0]);
    }

    #[test]
    fn counts_get_powers_of_two() {
        assert_eq!(twos(1.0, 4096.0, 5), [1.0, 8.0, 64.0, 512.0, 4096.0]);
        assert_eq!(twos(1.0, 1024.0, 5), [1.0, 8.0, 64.0, 512.0]);
        assert_eq!(twos(1.0, 64.0, 7), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        assert_eq!(twos(9.0, 15.0, 4), log(9.0, 15.0, 4));
    }

    #[test]
    fn any_bounds_give_few_ascending_ticks_within_them() {
        let edges = [1e-300, 1e-12, 0.3, 1.0, 7.0, 7.000_001, 9.9, 4096.0, 1e15, 9e299];
        for (i, &lo) in edges.iter().enumerate() {
            for &hi in &edges[i + 1..] {
                for wanted in [0, 1, 2, 3, 5, 8, 1000] {
                    for bounds in [Bounds::log(lo, hi), Bounds::linear(lo, hi), Bounds::linear(-hi, lo)].into_iter().flatten() {
                        for values in [ticks(bounds, wanted), power_of_two_ticks(bounds, wanted), crate::chart::time_ticks(bounds, wanted)]
                        {
                            assert!(values.len() <= wanted.clamp(1, 50), "{bounds:?} {wanted} {values:?}");
                            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{bounds:?} {values:?}");
                            assert!(values.iter().all(|&v| bounds.contains(v)), "{bounds:?} {values:?}");
                            assert!(wanted < 4 || !values.is_empty(), "{bounds:?} {wanted}");
                        }
                    }
                }
            }
        }
    }
}
