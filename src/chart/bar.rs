//! A stacked horizontal bar as data; it is drawn as HTML, not here.

use serde::{Deserialize, Serialize};

use super::spec::{DataTable, Side};

/// One bar of segments that add up, against a capacity if there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BarSpec {
    /// Unique on its page.
    pub id: String,
    /// The finding, from the data.
    pub title: String,
    /// What the bar shows, with its unit.
    pub subtitle: String,
    /// The bar in one or two sentences, for those who do not see it.
    pub caption: String,
    /// From left to right.
    pub segments: Vec<Segment>,
    /// The most there is room for.
    pub capacity: Option<Capacity>,
    /// The data for reading.
    pub table: DataTable,
}

/// A part of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// What it is.
    pub label: String,
    /// How much, in the bar's unit; not finite or negative counts as nothing.
    pub value: f64,
    /// The value as it is written, with unit.
    pub value_label: String,
    /// Decides the colour.
    pub side: Side,
    /// How the area is filled.
    pub fill: Fill,
}

/// The look of a segment beside its colour, so that colour is not the only sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// The side's full colour.
    Solid,
    /// Diagonal lines: time that is waited for, not used.
    Hatched,
    /// A weaker shade of it, 1 the strongest; for several neutral parts side by side.
    Shade(u8),
}

/// A limit drawn across the bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// In the bar's unit.
    pub value: f64,
    /// As it is written, with unit.
    pub label: String,
}

impl BarSpec {
    /// (start, length) of each segment as shares of the drawn width, which holds the sum and the capacity, whichever is longer; all
    /// within 0..=1.
    pub fn shares(&self) -> Vec<(f64, f64)> {
        let whole = self.whole();
        let mut start = 0.0;
        let next = |segment: &Segment| {
            let length = amount(segment.value) / whole;
            let here = start;
            start += length;
            (here, length)
        };
        self.segments.iter().map(next).collect()
    }

    /// Where the capacity lies, as a share of the drawn width; `None` if there is none.
    pub fn capacity_share(&self) -> Option<f64> {
        self.capacity.as_ref().map(|capacity| amount(capacity.value) / self.whole())
    }

    fn whole(&self) -> f64 {
        let sum: f64 = self.segments.iter().map(|segment| amount(segment.value)).sum();
        let whole = sum.max(self.capacity.as_ref().map_or(0.0, |capacity| amount(capacity.value)));
        if whole > 0.0 { whole } else { 1.0 }
    }
}

/// Limited so that a sum of thousands stays finite.
fn amount(value: f64) -> f64 {
    if value.is_finite() { value.clamp(0.0, 1e300) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(values: &[f64], capacity: Option<f64>) -> BarSpec {
        let segment =
            |&value: &f64| Segment { label: String::new(), value, value_label: String::new(), side: Side::Neutral, fill: Fill::Shade(1) };
        BarSpec {
            id: "bar".into(),
            title: String::new(),
            subtitle: String::new(),
            caption: String::new(),
            segments: values.iter().map(segment).collect(),
            capacity: capacity.map(|value| Capacity { value, label: String::new() }),
            table: DataTable::default(),
        }
    }

    #[test]
    fn shares_follow_the_longer_of_sum_and_capacity() {
        assert_eq!(bar(&[1.0, 3.0], None).shares(), [(0.0, 0.25), (0.25, 0.75)]);
        assert_eq!(bar(&[20.0, 20.0], Some(80.0)).shares(), [(0.0, 0.25), (0.25, 0.25)]);
        assert_eq!(bar(&[100.0], Some(80.0)).capacity_share(), Some(0.8));
        assert_eq!(bar(&[f64::NAN, -1.0, f64::INFINITY], None).shares(), [(0.0, 0.0); 3]);
    }
}
