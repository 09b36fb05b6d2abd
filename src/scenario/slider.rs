//! Positions of a slider. A log slider holds a position, not a value; each position is a round value.

use super::{Kind, Param, Scenario};

/// Positions of a logarithmic slider per decade.
const PER_DECADE: f64 = 20.0;

/// Positions of a slider of whole numbers per doubling, where the numbers are large enough.
const PER_OCTAVE: f64 = 8.0;

/// The last position of the parameter's slider; the first is 0.
pub fn last(param: Param) -> u32 {
    let (min, max) = param.row().kind.range();
    let steps = match param.row().kind {
        Kind::Log { .. } => (max / min).log10() * PER_DECADE,
        Kind::Whole { .. } => position_of_whole(max) - position_of_whole(min),
        Kind::Linear { step, .. } => (max - min) / step,
        Kind::Choice(_) => max,
    };
    steps.ceil() as u32
}

/// The value at a position.
pub fn value_at(param: Param, position: u32) -> f64 {
    let (min, max) = param.row().kind.range();
    let position = f64::from(position.min(last(param)));
    let value = match param.row().kind {
        Kind::Log { .. } => crate::locale::number::round_to(min * 10f64.powf(position / PER_DECADE), 2),
        Kind::Whole { .. } => whole_at(position + position_of_whole(min)),
        Kind::Linear { step, .. } => ((min + position * step) / step).round() * step,
        Kind::Choice(_) => position,
    };
    // Steps such as 0.01 leave dust behind the last digit.
    Scenario::nearest(param, (value * 1e9).round() / 1e9).clamp(min, max)
}

/// The position nearest to a value.
pub fn position(param: Param, value: f64) -> u32 {
    let (min, max) = param.row().kind.range();
    let value = value.clamp(min, max);
    let position = match param.row().kind {
        Kind::Log { .. } => (value / min).log10() * PER_DECADE,
        Kind::Whole { .. } => position_of_whole(value) - position_of_whole(min),
        Kind::Linear { step, .. } => (value - min) / step,
        Kind::Choice(_) => value,
    };
    (position.round() as u32).min(last(param))
}

/// Up to 8 each whole number, from there on eight positions a doubling: 8, 9, … 15, 16, 18, … 30, 32, 36 …
fn whole_at(position: f64) -> f64 {
    if position < PER_OCTAVE {
        return position + 1.0;
    }
    let steps = position - (PER_OCTAVE - 1.0);
    let (octave, rest) = ((steps / PER_OCTAVE).floor(), steps % PER_OCTAVE);
    ((PER_OCTAVE + rest) * octave.exp2()).round()
}

/// The inverse of [`whole_at`], between its values too.
fn position_of_whole(value: f64) -> f64 {
    if value <= PER_OCTAVE {
        return value - 1.0;
    }
    let octave = (value / PER_OCTAVE).log2().floor();
    octave * PER_OCTAVE + (value / octave.exp2() - PER_OCTAVE) + PER_OCTAVE - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_values_are_inverse() {
        for &param in Param::ALL {
            for at in 0..=last(param).min(2000) {
                let value = value_at(param, at);
                let (min, max) = param.row().kind.range();
                assert!(value >= min && value <= max, "{}", param.key());
                if !matches!(param.row().kind, Kind::Log { .. }) && at < last(param) {
                    assert_eq!(position(param, value), at, "{} {value}", param.key());
                }
            }
        }
    }

    #[test]
    fn usual_counts_have_their_own_position() {
        for count in [1.0, 2.0, 3.0, 8.0, 16.0, 24.0, 64.0, 72.0, 96.0, 512.0, 1024.0, 16384.0] {
            assert_eq!(value_at(Param::Gpus, position(Param::Gpus, count)), count);
        }
        for params in [1e6, 7e9, 1e10, 1e13] {
            let value = value_at(Param::Params, position(Param::Params, params));
            assert!((value / params - 1.0).abs() < 0.06, "{params} {value}");
        }
    }

    #[test]
    fn both_ends_are_reached() {
        for &param in Param::ALL {
            let (min, max) = param.row().kind.range();
            assert_eq!(value_at(param, 0), min, "{}", param.key());
            assert_eq!(value_at(param, last(param)), max, "{}", param.key());
        }
    }
}
