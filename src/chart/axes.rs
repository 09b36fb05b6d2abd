//! Ticks with room between their labels, and what stands at the ends of the axes.

use super::geometry::Rect;
use super::label::{Align, Block, Label, LabelRole};
use super::spec::{Axis, Side};
use super::text::{Font, shortened};

/// From the plot to the labels beside it, CSS pixels.
pub(super) const GAP: f64 = 8.0;
/// Least distance of two labels in a row, and in a column.
const APART_X: f64 = 10.0;
const APART_Y: f64 = 3.0;

/// Width of a text by the font of its role.
pub(super) type Measure<'a> = &'a dyn Fn(&str, Font) -> f64;

/// How wide the widest label of the ticks is, at most `most`.
pub(super) fn column_width(axis: &Axis, most: f64, measure: Measure) -> f64 {
    let shown = axis.ticks.iter().filter(|tick| axis.bounds.contains(tick.value));
    shown.map(|tick| measure(&tick.label, Font::TICK)).fold(0.0, f64::max).min(most)
}

/// The labels of the y-axis, right-aligned to the left of the plot.
/// Each with the height of its tick.
pub(super) fn y_ticks(axis: &Axis, plot: &Rect, measure: Measure) -> Vec<(f64, Label)> {
    let room = (plot.left - GAP).max(0.0);
    let label = |text: &str, place: f64| {
        let block = block(text, room, measure)?;
        let middle = plot.bottom - place * plot.height();
        let area = block.at(plot.left - GAP - block.width, middle);
        Some((middle, block.placed(LabelRole::YTick, Side::Neutral, Align::Right, area)))
    };
    without_touching(placed_ticks(axis, label), APART_Y)
}

/// The labels of the x-axis, centred under their ticks, moved where they would leave the picture of `width`.
/// Each with the x of its tick.
pub(super) fn x_ticks(axis: &Axis, plot: &Rect, width: f64, measure: Measure) -> Vec<(f64, Label)> {
    let label = |text: &str, place: f64| {
        let block = block(text, plot.width(), measure)?;
        let middle = plot.left + place * plot.width();
        let area = block.at(middle - block.width / 2.0, plot.bottom + GAP + Font::LINE / 2.0).moved_between(0.0, width);
        Some((middle, block.placed(LabelRole::XTick, Side::Neutral, Align::Center, area)))
    };
    without_touching(placed_ticks(axis, label), APART_X)
}

/// The quantity of the x-axis: under the ticks, flush with the plot's right edge.
pub(super) fn x_axis(axis: &Axis, plot: &Rect, top: f64, width: f64, measure: Measure) -> Option<Label> {
    let block = titled(axis, "→", width, measure)?;
    let area = block.at(plot.right - block.width, top + Font::LINE / 2.0).moved_between(0.0, width);
    Some(block.placed(LabelRole::XAxis, Side::Neutral, Align::Right, area))
}

/// The quantity of the y-axis: above the plot, flush left with the picture.
pub(super) fn y_axis(axis: &Axis, top: f64, width: f64, measure: Measure) -> Option<Label> {
    let block = titled(axis, "↑", width, measure)?;
    let area = block.at(0.0, top + Font::LINE / 2.0);
    Some(block.placed(LabelRole::YAxis, Side::Neutral, Align::Left, area))
}

fn titled(axis: &Axis, arrow: &str, room: f64, measure: Measure) -> Option<Block> {
    let text = axis.label.trim();
    if text.is_empty() {
        return None;
    }
    let width = |text: &str| measure(text, Font::TICK);
    let text = if arrow == "↑" { format!("{arrow} {text}") } else { format!("{text} {arrow}") };
    Block::new(vec![shortened(&text, room, &width)], &width)
}

fn block(text: &str, room: f64, measure: Measure) -> Option<Block> {
    let width = |text: &str| measure(text, Font::TICK);
    Block::new(vec![shortened(text, room, &width)], &width)
}

type Placed = (f64, Label);

fn placed_ticks(axis: &Axis, label: impl Fn(&str, f64) -> Option<Placed>) -> Vec<Placed> {
    let bounds = axis.bounds;
    let shown = axis.ticks.iter().filter(|tick| bounds.contains(tick.value));
    shown.filter_map(|tick| label(&tick.label, bounds.place(tick.value)?.clamp(0.0, 1.0))).collect()
}

/// Every label, or every second, third, … so that none touch: an even rest reads better than one that is full in places.
fn without_touching(labels: Vec<Placed>, apart: f64) -> Vec<Placed> {
    let kept = |every: usize, from: usize| labels.iter().skip(from).step_by(every);
    let clear = |every: usize, from: usize| {
        let neighbours = kept(every, from).zip(kept(every, from).skip(1));
        neighbours.into_iter().all(|((_, a), (_, b))| !a.area.grown(apart / 2.0).overlaps(&b.area.grown(apart / 2.0)))
    };
    let choices = (1..=labels.len()).flat_map(|every| (0..every).map(move |from| (every, from)));
    let first_clear = choices.into_iter().find(|&(every, from)| clear(every, from));
    let chosen = first_clear.map(|(every, from)| kept(every, from).cloned().collect());
    chosen.unwrap_or_default()
}
