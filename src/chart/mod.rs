//! Charts as plain data: what is plotted, where it lands, and how it is drawn.
//!
//! ```text
//! ChartSpec ── layout ──▶ Layout ── draw ──▶ any plotters backend (canvas, SVG)
//! ```
//!
//! This room knows lines, sides and marks; it knows no GPU, no language and no DOM. Every number that reaches a
//! backend has passed [`Bounds`], which holds only finite, ordered, non-empty ranges, because plotters never returns on others.
//! Lengths are CSS pixels, with the origin at the top left, until [`draw`] multiplies them by the pixel ratio.

mod axes;
mod bar;
mod bounds;
mod draw;
mod geometry;
mod label;
mod labels;
mod layout;
mod palette;
mod place;
#[cfg(not(target_arch = "wasm32"))]
mod png;
mod spec;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod ticks;
mod time_ticks;

pub use bar::{BarSpec, Capacity, Fill, Segment};
pub use bounds::{Bounds, BoundsError, Scale};
pub use draw::draw;
pub use geometry::{Point, Rect};
pub use label::{Align, Label, LabelRole};
pub use layout::{Layout, PlacedMark, PlacedSeries, layout};
pub use palette::{DARK, LIGHT, Palette};
#[cfg(not(target_arch = "wasm32"))]
pub use png::png;
pub use spec::{Axis, ChartSpec, DataTable, Mark, MarkKind, Series, Side, Span, Tick};
pub use svg::{escaped, svg_fixed, svg_inline, svg_standalone};
pub use text::{Font, estimate_width};
pub use ticks::{power_of_two_ticks, ticks};
pub use time_ticks::{DAY_S, YEAR_S, time_ticks};
