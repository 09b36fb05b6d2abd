//! Which labels a chart has besides those of its axes, and where they go.

use super::axes::{GAP, Measure};
use super::geometry::{Point, Rect};
use super::label::{Align, Block, Label, LabelRole};
use super::layout::{Layout, PlacedMark};
use super::place::{SPAN_PAD, Scene, along, around, in_or_beside, spread};
use super::spec::{ChartSpec, Mark, MarkKind, Side};
use super::text::{Font, wrapped};

/// Up to this width labels stand along their lines: a margin for them would leave too little plot.
const NARROW: f64 = 340.0;
/// Share of the picture's width up to which a label stands in the margin in one line, and in two.
const ONE_LINE: f64 = 0.27;
const TWO_LINES: f64 = 0.3;
/// A line that ends this far before the plot's right edge is labelled at its end, not in the margin.
const EARLY_END: f64 = 24.0;

/// For each series, the label that goes to the right margin: `None` where it has none, where its line ends early, and for all on narrow
/// pictures or where one would be too wide.
pub(super) fn line_ends(spec: &ChartSpec, width: f64, measure: Measure) -> Vec<Option<Block>> {
    let measured = |text: &str| measure(text, Font::LABEL);
    let along_the_lines = vec![None; spec.series.len()];
    if width <= NARROW {
        return along_the_lines;
    }
    let mut blocks = along_the_lines.clone();
    for (block, series) in blocks.iter_mut().zip(&spec.series) {
        let last = series.points.iter().rev().find_map(|&(x, y)| spec.y.bounds.place(y?).and(spec.x.bounds.place(x)));
        if last.is_none_or(|place| place < 0.92) {
            continue;
        }
        let one_line = measured(&series.label) <= ONE_LINE * width;
        *block = Block::new(wrapped(&series.label, width, if one_line { 1 } else { 2 }, &measured), &measured);
        if !one_line {
            let lines = wrapped(&series.label, TWO_LINES * width, 2, &measured);
            *block = Block::new(lines, &measured);
            if block.as_ref().is_some_and(|block| block.lines.iter().any(|line| line.ends_with('…'))) {
                return along_the_lines;
            }
        }
    }
    blocks
}

/// The labels of the crossovers in a row at the top, each above its dotted vertical unless another is there; those without room are left out.
pub(super) fn crossovers(spec: &ChartSpec, plot: &Rect, width: f64, measure: Measure) -> Vec<Label> {
    let measured = |text: &str| measure(text, Font::LABEL);
    let visible = |mark: &&Mark| mark.kind == MarkKind::Crossover && spec.x.bounds.contains(mark.x) && spec.y.bounds.contains(mark.y);
    let mut wanted: Vec<(f64, Block)> = spec
        .marks
        .iter()
        .filter(visible)
        .filter_map(|mark| {
            let block = Block::new(wrapped(&mark.label, width, 1, &measured), &measured)?;
            Some((plot.left + spec.x.bounds.place(mark.x)? * plot.width(), block))
        })
        .collect();
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let starts = loop {
        let sizes: Vec<(f64, f64)> = wanted.iter().map(|(middle, block)| (*middle, block.width)).collect();
        match spread(&sizes, GAP, 0.0, width) {
            Some(starts) => break starts,
            None => wanted.pop(),
        };
    };
    let place = |((_, block), left): ((f64, Block), f64)| {
        let area = block.at(left, Font::LINE / 2.0);
        block.placed(LabelRole::Crossover, Side::Neutral, Align::Center, area)
    };
    wanted.into_iter().zip(starts).map(place).collect()
}

/// The labels in the right margin, each level with the end of its line unless another is there;
/// each with the index of its series.
pub(super) fn in_margin(layout: &Layout, blocks: Vec<Option<Block>>) -> Vec<(usize, Label)> {
    struct End {
        series: usize,
        middle: f64,
        before: f64,
        side: Side,
        block: Block,
    }
    let mut ends: Vec<End> = layout
        .series
        .iter()
        .zip(blocks)
        .enumerate()
        .filter_map(|(i, (series, block))| {
            let run = series.runs.last()?;
            let &(x, middle) = run.last()?;
            let before = run.get(run.len().saturating_sub(2))?.1;
            let block = block.filter(|_| x >= layout.plot.right - EARLY_END)?;
            Some(End { series: i, middle, before, side: series.side, block })
        })
        .collect();
    // Of two lines that end together, the one that comes from above is labelled above.
    ends.sort_by(|a, b| a.middle.total_cmp(&b.middle).then(a.before.total_cmp(&b.before)));
    let starts = loop {
        let sizes: Vec<(f64, f64)> = ends.iter().map(|end| (end.middle, end.block.height)).collect();
        match spread(&sizes, 1.0, layout.plot.top - 4.0, layout.plot.bottom + GAP - 1.0) {
            Some(starts) => break starts,
            None => ends.pop(),
        };
    };
    let place = |(end, top): (End, f64)| {
        let area = end.block.at(layout.plot.right + GAP, top + end.block.height / 2.0);
        let label = end.block.placed(LabelRole::Line, end.side, Align::Left, area);
        (end.series, label)
    };
    ends.into_iter().zip(starts).map(place).collect()
}

/// The labels on the plot, each where it covers least: of the lines that are not `labelled` yet, of hatched ranges,
/// of present scenarios.
pub(super) fn on_plot(layout: &Layout, spec: &ChartSpec, labelled: &[usize], measure: Measure) -> Vec<Label> {
    let at = |kind: MarkKind| layout.marks.iter().filter(move |mark| mark.kind == kind).map(|mark| mark.at);
    let room = layout.plot;
    let mut scene = Scene {
        room: Rect { right: layout.width, ..room },
        taken: layout.labels.iter().map(|label| label.area).collect(),
        lines: layout.series.iter().flat_map(|series| series.runs.iter().map(Vec::as_slice)).collect(),
        marks: layout.marks.iter().map(|mark| mark.at).collect(),
        verticals: at(MarkKind::Crossover).map(|point| point.0).collect(),
    };
    let mut labels = Vec::new();
    let mut add = |scene: &mut Scene, block: Block, role: LabelRole, side: Side, places: Vec<(Rect, f64)>| {
        let Some(area) = scene.best(places) else {
            return;
        };
        scene.taken.push(area);
        let align = if role == LabelRole::Span { Align::Center } else { Align::Left };
        labels.push(Label { on_plot: true, ..block.placed(role, side, align, area) });
    };

    let bold = |text: &str| measure(text, Font::LABEL);
    let series = spec.series.iter().zip(&layout.series).enumerate();
    for (_, (series, placed)) in series.filter(|(i, _)| !labelled.contains(i)) {
        let runs: Vec<&[Point]> = placed.runs.iter().map(Vec::as_slice).collect();
        if let Some(block) = Block::new(wrapped(&series.label, 0.8 * room.width(), 2, &bold), &bold) {
            let places = along(&runs, &block, &room);
            add(&mut scene, block, LabelRole::Line, series.side, places);
        }
    }

    let regular = |text: &str| measure(text, Font::TICK);
    for span in &spec.spans {
        let Some(area) = layout.span(span) else {
            continue;
        };
        // Within the range if it is wide enough for its label in a few lines, else beside it.
        let inside = wrapped(&span.label, area.width() - 2.0 * SPAN_PAD, 3, &regular);
        let whole = inside.join(" ") == span.label;
        let beside = (0.5 * room.width()).min(110.0);
        let lines = if whole { inside } else { wrapped(&span.label, beside, 3, &regular) };
        if let Some(block) = Block::new(lines, &regular) {
            let places = in_or_beside(&area, &block);
            add(&mut scene, block, LabelRole::Span, Side::Neutral, places);
        }
    }

    for mark in spec.marks.iter().filter(|mark| mark.kind == MarkKind::Present) {
        let Some(PlacedMark { at, side, .. }) = layout.mark(mark) else {
            continue;
        };
        if let Some(block) = Block::new(wrapped(&mark.label, room.width(), 1, &bold), &bold) {
            let places = around(at, &block);
            add(&mut scene, block, LabelRole::Present, side, places);
        }
    }
    labels
}
