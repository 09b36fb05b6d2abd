//! From a spec and a size to places: everything that is drawn, in CSS pixels, before any pixel is.

use super::axes::{self, GAP};
use super::bounds::Bounds;
use super::geometry::{Point, Rect, clip_line, clip_polygon};
use super::label::Label;
use super::labels;
use super::spec::{ChartSpec, Mark, MarkKind, Series, Side, Span};
use super::text::{Font, estimate_width};

/// A chart of a given size with everything in its place. CSS pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Of the whole picture.
    pub width: f64,
    /// Of the whole picture.
    pub height: f64,
    /// Where values are drawn.
    pub plot: Rect,
    /// Heights of the grid lines, one for each label of the y-axis.
    pub grid: Vec<f64>,
    /// Where the x-axis has tick marks, one for each label.
    pub x_ticks: Vec<f64>,
    /// Hatched areas.
    pub spans: Vec<Rect>,
    /// Lines and bands, cut to the plot.
    pub series: Vec<PlacedSeries>,
    /// Marks within the plot.
    pub marks: Vec<PlacedMark>,
    /// All texts; no two areas overlap, none leaves the picture.
    pub labels: Vec<Label>,
    x: Bounds,
    y: Bounds,
}

/// A series, cut to the plot.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedSeries {
    /// Decides the colour.
    pub side: Side,
    /// Drawn with dashes.
    pub dashed: bool,
    /// The unbroken stretches of the line; one point alone is a dot.
    pub runs: Vec<Vec<Point>>,
    /// The unbroken stretches of the band, as polygons.
    pub bands: Vec<Vec<Point>>,
}

/// A mark with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedMark {
    /// Crossover or present scenario.
    pub kind: MarkKind,
    /// Decides a present scenario's colour.
    pub side: Side,
    /// Its middle.
    pub at: Point,
}

/// Places `spec` in a picture of `width` × `height` CSS pixels (brought to 160..=10 000 × 120..=10 000). `measure` gives the width of a
/// text in CSS pixels: [`estimate_width`], or a canvas' own.
pub fn layout(spec: &ChartSpec, width: f64, height: f64, measure: &dyn Fn(&str, Font) -> f64) -> Layout {
    let within = |length: f64, least: f64| {
        if length.is_finite() { length.clamp(least, 10_000.0).round() } else { least }
    };
    let (width, height) = (within(width, 160.0), within(height, 120.0));
    let measure = |text: &str, font: Font| {
        let measured = measure(text, font);
        if measured.is_finite() && measured >= 0.0 { measured } else { estimate_width(text, font) }
    };

    let ends = labels::line_ends(spec, width, &measure);
    let margin = ends.iter().flatten().map(|block| block.width).fold(0.0, f64::max);
    let left = axes::column_width(&spec.y, 0.4 * width, &measure);
    let last_tick = spec.x.ticks.iter().rfind(|tick| spec.x.bounds.place(tick.value).is_some_and(|p| (0.9..=1.0).contains(&p)));
    let overhang = last_tick.map_or(0.0, |tick| measure(&tick.label, Font::TICK) / 2.0).min(24.0);
    let mut plot = Rect {
        left: (left + GAP).max(10.0).ceil(),
        right: width - if margin > 0.0 { (margin + GAP).ceil() } else { overhang.max(8.0).ceil() },
        top: GAP,
        bottom: height - GAP - Font::LINE - if spec.x.label.trim().is_empty() { 0.0 } else { Font::LINE + 1.0 },
    };

    let crossovers = labels::crossovers(spec, &plot, width, &measure);
    let mut y_axis = axes::y_axis(&spec.y, 0.0, width, &measure);
    let rows = match &mut y_axis {
        Some(title) if crossovers.iter().any(|label| label.area.overlaps(&title.area.grown(GAP))) => 2.0,
        None if crossovers.is_empty() => 0.0,
        _ => 1.0,
    };
    plot.top += if rows > 0.0 { rows * Font::LINE + 3.0 } else { 0.0 };
    let into_row = |mut label: Label| {
        label.area.top += (rows - 1.0) * Font::LINE;
        label.area.bottom += (rows - 1.0) * Font::LINE;
        label
    };

    let mut placed = Layout {
        width,
        height,
        plot,
        grid: Vec::new(),
        x_ticks: Vec::new(),
        spans: Vec::new(),
        series: Vec::new(),
        marks: Vec::new(),
        labels: Vec::new(),
        x: spec.x.bounds,
        y: spec.y.bounds,
    };
    let (grid, y_ticks): (Vec<_>, Vec<_>) = axes::y_ticks(&spec.y, &plot, &measure).into_iter().unzip();
    let (x_marks, x_ticks): (Vec<_>, Vec<_>) = axes::x_ticks(&spec.x, &plot, width, &measure).into_iter().unzip();
    (placed.grid, placed.x_ticks) = (grid, x_marks);
    placed.spans = spec.spans.iter().filter_map(|span| placed.span(span)).collect();
    placed.series = spec.series.iter().map(|series| placed.series(series)).collect();
    placed.marks = spec.marks.iter().filter_map(|mark| placed.mark(mark)).collect();
    placed.labels.extend(y_ticks.into_iter().chain(x_ticks).chain(y_axis));
    placed.labels.extend(axes::x_axis(&spec.x, &plot, plot.bottom + GAP + Font::LINE, width, &measure));
    placed.labels.extend(crossovers.into_iter().map(into_row));
    let (labelled, in_margin): (Vec<_>, Vec<_>) = labels::in_margin(&placed, ends).into_iter().unzip();
    placed.labels.extend(in_margin);
    let on_plot = labels::on_plot(&placed, spec, &labelled, &measure);
    placed.labels.extend(on_plot);
    placed
}

impl Layout {
    /// The value of x at a distance from the picture's left edge, for pointer and drag; beyond the plot the nearest limit.
    pub fn x_at(&self, px: f64) -> f64 {
        self.x.invert((px - self.plot.left) / self.plot.width())
    }

    /// The value of y at a distance from the picture's top edge; beyond the plot the nearest limit.
    pub fn y_at(&self, px: f64) -> f64 {
        self.y.invert((self.plot.bottom - px) / self.plot.height())
    }

    /// Distance of a value of x from the picture's left edge; `None` for what has no place on the scale.
    pub fn px_at(&self, x: f64) -> Option<f64> {
        Some(self.plot.left + self.x.place(x)? * self.plot.width())
    }

    /// Distance of a value of y from the picture's top edge; `None` for what has no place on the scale.
    pub fn py_at(&self, y: f64) -> Option<f64> {
        Some(self.plot.bottom - self.y.place(y)? * self.plot.height())
    }

    fn point(&self, x: f64, y: f64) -> Option<Point> {
        Some((self.px_at(x)?, self.py_at(y)?))
    }

    pub(super) fn span(&self, span: &Span) -> Option<Rect> {
        let cut = |px: f64| px.clamp(self.plot.left, self.plot.right);
        let (left, right) = (cut(self.px_at(span.from)?), cut(self.px_at(span.to)?));
        (right - left >= 1.0).then_some(Rect { left, right, ..self.plot })
    }

    pub(super) fn mark(&self, mark: &Mark) -> Option<PlacedMark> {
        let at = self.point(mark.x, mark.y)?;
        let visible = self.x.contains(mark.x) && self.y.contains(mark.y);
        visible.then_some(PlacedMark { kind: mark.kind, side: mark.side, at })
    }

    fn series(&self, series: &Series) -> PlacedSeries {
        let line = unbroken(series.points.iter().map(|&(x, y)| self.point(x, y?)));
        let band = unbroken(series.band.iter().map(|&(x, range)| {
            let (low, high) = range?;
            self.point(x, low).zip(self.point(x, high))
        }));
        let outline = |run: &Vec<(Point, Point)>| {
            let there = run.iter().map(|&(_, high)| high);
            let polygon: Vec<Point> = there.chain(run.iter().rev().map(|&(low, _)| low)).collect();
            clip_polygon(&polygon, &self.plot)
        };
        PlacedSeries {
            side: series.side,
            dashed: series.dashed,
            runs: line.iter().flat_map(|run| clip_line(run, &self.plot)).collect(),
            bands: band.iter().map(outline).filter(|polygon| !polygon.is_empty()).collect(),
        }
    }
}

/// The stretches between the gaps.
fn unbroken<T>(items: impl Iterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs = vec![Vec::new()];
    for item in items {
        match (item, runs.last_mut()) {
            (Some(item), Some(run)) => run.push(item),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}
