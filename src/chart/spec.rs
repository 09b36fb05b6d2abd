//! What a chart shows, as plain data: no pixels, no colours, no language of its own.

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// Which side of the comparison something belongs to; it decides the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first side (on the first page: distributed).
    First,
    /// The second side (on the first page: centralised).
    Second,
    /// Neither.
    Neutral,
}

/// A line chart. All texts are final: translated, numbers formatted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartSpec {
    /// Unique on its page; letters, digits, dashes. Ids in the SVG begin with it.
    pub id: String,
    /// The finding, from the data: "From 9 GPUs on, the cluster is faster".
    pub title: String,
    /// What is plotted over what, with units.
    pub subtitle: String,
    /// The chart in one or two sentences, for those who do not see it.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, drawn in this order.
    pub series: Vec<Series>,
    /// Points of note.
    pub marks: Vec<Mark>,
    /// Ranges of x that are hatched.
    pub spans: Vec<Span>,
}

/// An axis: its range and scale, and what is written along it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Quantity and unit; written at the end of the axis with an arrow. May be empty.
    pub label: String,
    /// Range and scale.
    pub bounds: Bounds,
    /// Ascending; those outside the bounds are passed over, labels that would touch are dropped evenly.
    pub ticks: Vec<Tick>,
}

impl Axis {
    /// An axis with a tick at each of `values`, labelled by `format`.
    pub fn new(label: impl Into<String>, bounds: Bounds, values: &[f64], format: impl Fn(f64) -> String) -> Self {
        let ticks = values.iter().map(|&value| Tick { value, label: format(value) }).collect();
        Self { label: label.into(), bounds, ticks }
    }
}

/// A labelled value of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// In the axis' unit.
    pub value: f64,
    /// As it is written.
    pub label: String,
}

/// A line, with or without a band around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Decides the colour.
    pub side: Side,
    /// Written at the end of the line.
    pub label: String,
    /// Dashed, so that colour is not the only sign.
    pub dashed: bool,
    /// (x, y), x ascending, in the axes' units. `None` breaks the line (nothing fits there), as does a value that has no place on the scale.
    pub points: Vec<(f64, Option<f64>)>,
    /// (x, (low, high)), the range of error; x ascending. `None` breaks it. May be empty.
    pub band: Vec<(f64, Option<(f64, f64)>)>,
}

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// Where one side overtakes the other: open circle, dotted vertical, label above the plot.
    Crossover,
    /// The scenario at hand: a filled dot in its side's colour.
    Present,
}

/// A point of note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Crossover or present scenario.
    pub kind: MarkKind,
    /// In the x-axis' unit. A mark outside the bounds is not drawn.
    pub x: f64,
    /// In the y-axis' unit.
    pub y: f64,
    /// Colour of a present scenario's dot.
    pub side: Side,
    /// May be empty.
    pub label: String,
}

/// A hatched range of x, such as where memory does not suffice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// In the x-axis' unit; cut to the bounds.
    pub from: f64,
    /// In the x-axis' unit.
    pub to: f64,
    /// Why it is hatched.
    pub label: String,
}

/// The plotted data as a table of texts; every row is as long as `columns`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataTable {
    /// Headings with units.
    pub columns: Vec<String>,
    /// Row by row.
    pub rows: Vec<Vec<String>>,
}
