//! Ranges that can be plotted: finite, ordered, non-empty, and positive on a log scale.

use serde::{Deserialize, Serialize};

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; only positive values have a place.
    Log,
}

impl Scale {
    /// The value in the space where the scale is even; `None` for what has no place on it.
    fn forward(self, value: f64) -> Option<f64> {
        match self {
            Scale::Linear => value.is_finite().then_some(value),
            Scale::Log => (value.is_finite() && value > 0.0).then(|| value.ln()),
        }
    }

    fn backward(self, position: f64) -> f64 {
        match self {
            Scale::Linear => position,
            Scale::Log => position.exp(),
        }
    }
}

/// A range on a scale, checked when it is made (also when it is read by serde), so that no other range reaches a backend.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked", into = "Unchecked")]
pub struct Bounds {
    scale: Scale,
    lo: f64,
    hi: f64,
}

/// Why two numbers are no range; says what was expected and what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundsError {
    scale: Scale,
    lo: f64,
    hi: f64,
}

impl std::fmt::Display for BoundsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.scale {
            Scale::Linear => "finite numbers",
            Scale::Log => "finite positive numbers",
        };
        write!(f, "a chart's range needs two {kind}, the second clearly larger; found {} and {}", self.lo, self.hi)
    }
}

impl std::error::Error for BoundsError {}

#[derive(Serialize, Deserialize)]
struct Unchecked {
    scale: Scale,
    lo: f64,
    hi: f64,
}

impl TryFrom<Unchecked> for Bounds {
    type Error = BoundsError;
    fn try_from(raw: Unchecked) -> Result<Self, BoundsError> {
        Bounds::new(raw.scale, raw.lo, raw.hi)
    }
}

impl From<Bounds> for Unchecked {
    fn from(bounds: Bounds) -> Self {
        Unchecked { scale: bounds.scale, lo: bounds.lo, hi: bounds.hi }
    }
}

/// Ranges narrower than this, relative to their values, have no distinguishable ticks in an `f64`.
const NARROWEST: f64 = 1e-9;

impl Bounds {
    /// The range from `lo` to `hi`, in the axis' unit.
    ///
    /// # Errors
    /// When a limit is not finite (log: not positive), when they are not in order, or so close that ticks could not be told apart.
    pub fn new(scale: Scale, lo: f64, hi: f64) -> Result<Self, BoundsError> {
        let wide_enough = match (scale.forward(lo), scale.forward(hi)) {
            (Some(a), Some(b)) => {
                let least = match scale {
                    Scale::Linear => (NARROWEST * lo.abs().max(hi.abs())).max(1e-290),
                    Scale::Log => NARROWEST,
                };
                (b - a).is_finite() && b - a >= least && lo.abs().max(hi.abs()) < 1e300
            }
            _ => false,
        };
        let normal = scale == Scale::Linear || lo >= 1e-300;
        if wide_enough && normal { Ok(Self { scale, lo, hi }) } else { Err(BoundsError { scale, lo, hi }) }
    }

    /// [`Bounds::new`] on a linear scale, with its errors.
    pub fn linear(lo: f64, hi: f64) -> Result<Self, BoundsError> {
        Self::new(Scale::Linear, lo, hi)
    }

    /// [`Bounds::new`] on a logarithmic scale, with its errors.
    pub fn log(lo: f64, hi: f64) -> Result<Self, BoundsError> {
        Self::new(Scale::Log, lo, hi)
    }

    /// The smallest range that holds every value which has a place on the scale; the others (NaN, infinite, on a log scale
    /// zero and below) are passed over. One value alone is widened: log to half and double, linear by a tenth of it.
    /// `None` if no value has a place.
    pub fn covering(scale: Scale, values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (lo, hi) = values
            .into_iter()
            .filter(|&v| scale.forward(v).is_some())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if lo > hi {
            return None;
        }
        let widened = || match scale {
            Scale::Log => Self::new(scale, lo / 2.0, hi * 2.0),
            Scale::Linear if lo == 0.0 && hi == 0.0 => Self::new(scale, 0.0, 1.0),
            Scale::Linear => {
                let by = 0.1 * lo.abs().max(hi.abs());
                Self::new(scale, lo - by, hi + by)
            }
        };
        Self::new(scale, lo, hi).or_else(|_| widened()).ok()
    }

    /// This range, wider by `share` of its length at both ends (0.05: by a twentieth each); unchanged if that is no range.
    pub fn padded(self, share: f64) -> Self {
        self.at(-share).zip(self.at(1.0 + share)).and_then(|(lo, hi)| Self::new(self.scale, lo, hi).ok()).unwrap_or(self)
    }

    /// This range, stretched so that it holds `value`; unchanged if `value` has no place on the scale.
    pub fn including(self, value: f64) -> Self {
        Self::new(self.scale, self.lo.min(value), self.hi.max(value)).unwrap_or(self)
    }

    /// The scale.
    pub fn scale(self) -> Scale {
        self.scale
    }

    /// The lower limit, in the axis' unit.
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// The upper limit, in the axis' unit.
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// Where `value` lies: 0 at the lower limit, 1 at the upper; beyond them less than 0 or more than 1 (at most a
    /// million lengths away, so that sums stay finite). `None` for what has no place on the scale.
    pub fn place(self, value: f64) -> Option<f64> {
        let (lo, length) = self.even();
        // Halved before subtracting: the difference of two huge values of unlike sign must not overflow.
        let share = (self.scale.forward(value)? / 2.0 - lo / 2.0) / (length / 2.0);
        Some(share.clamp(-1e6, 1e6))
    }

    /// The value at a place, the inverse of [`Bounds::place`]; places outside 0..1, and NaN, are brought to the nearest limit
    /// (NaN to the lower), because a pointer may leave the picture but its reading must stay on the axis.
    pub fn invert(self, place: f64) -> f64 {
        if place >= 1.0 {
            return self.hi;
        }
        if place > 0.0 { self.at(place).map_or(self.lo, |v| v.clamp(self.lo, self.hi)) } else { self.lo }
    }

    /// Whether `value` lies within, limits included, allowing for rounding.
    pub fn contains(self, value: f64) -> bool {
        self.place(value).is_some_and(|p| (-1e-9..=1.0 + 1e-9).contains(&p))
    }

    fn even(self) -> (f64, f64) {
        // Both limits have a place on the scale: `new` has checked it.
        let lo = self.scale.forward(self.lo).unwrap_or(0.0);
        let hi = self.scale.forward(self.hi).unwrap_or(1.0);
        (lo, hi - lo)
    }

    fn at(self, place: f64) -> Option<f64> {
        let (lo, length) = self.even();
        let value = self.scale.backward(lo + place * length);
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ranges_that_plotters_survives_can_be_made() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (lo, hi) in [(nan, 1.0), (0.0, nan), (0.0, inf), (-inf, 0.0), (1.0, 1.0), (2.0, 1.0), (1.0, 1.0 + 1e-15), (-1e308, 1e308)] {
            assert!(Bounds::linear(lo, hi).is_err(), "{lo}..{hi}");
        }
        for (lo, hi) in [(0.0, 0.0), (0.0, 1.0), (-1.0, 1.0), (1e-320, 1.0), (1.0, inf), (3.0, 3.0)] {
            assert!(Bounds::log(lo, hi).is_err(), "{lo}..{hi}");
        }
        let said = Bounds::log(0.0, 5.0).unwrap_err().to_string();
        assert!(said.contains("positive") && said.contains("found 0 and 5"), "{said}");
    }

    #[test]
    fn a_range_is_checked_when_it_is_read() {
        let good = r#"{"scale":"log","lo":1.0,"hi":8.0}"#;
        let bounds: Bounds = serde_json::from_str(good).unwrap();
        assert_eq!(serde_json::to_string(&bounds).unwrap(), good);
        assert!(serde_json::from_str::<Bounds>(r#"{"scale":"log","lo":0.0,"hi":8.0}"#).is_err());
    }

    #[test]
    fn covering_passes_over_what_has_no_place() {
        let values = [f64::NAN, -3.0, 0.0, 2.0, f64::INFINITY, 9.0];
        assert_eq!(Bounds::covering(Scale::Log, values), Bounds::log(2.0, 9.0).ok());
        assert_eq!(Bounds::covering(Scale::Log, [5.0]), Bounds::log(2.5, 10.0).ok());
        assert_eq!(Bounds::covering(Scale::Linear, [0.0]), Bounds::linear(0.0, 1.0).ok());
        assert_eq!(Bounds::covering(Scale::Log, [-1.0, f64::NAN]), None);
    }

    #[test]
    fn place_and_invert_are_inverse_and_stay_finite() {
        let bounds = Bounds::log(1.0, 4096.0).unwrap();
        assert!((bounds.place(64.0).unwrap() - 0.5).abs() < 1e-12);
        assert!((bounds.invert(0.5) - 64.0).abs() < 1e-9);
        assert_eq!((bounds.place(-1.0), bounds.place(f64::NAN)), (None, None));
        assert_eq!((bounds.invert(-3.0), bounds.invert(7.0), bounds.invert(f64::NAN)), (1.0, 4096.0, 1.0));
        assert_eq!(Bounds::linear(0.0, 1.0).unwrap().place(1e308), Some(1e6));
    }
}
