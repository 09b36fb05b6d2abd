//! A layout on a plotters backend. Everything is placed already; here it is only painted.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};

use super::geometry::{Point, Rect, dashes, hatching};
use super::label::{Align, Label, LabelRole};
use super::layout::{Layout, PlacedMark, PlacedSeries};
use super::palette::Palette;
use super::spec::{MarkKind, Side};

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Lengths in CSS pixels.
const LINE: f64 = 2.0;
const HAIR: f64 = 1.0;
const TICK: f64 = 4.0;
const DASH: (f64, f64) = (6.0, 4.0);
const DOT: (f64, f64) = (2.0, 3.0);
const HATCH_STEP: f64 = 8.0;
const PRESENT_RADIUS: f64 = 4.5;
const CROSSOVER_RADIUS: f64 = 4.0;
/// Two bands over each other must still let the grid and both lines through.
const BAND_OPACITY: f64 = 0.15;
/// Paper behind a label on the plot: quietens grid and hatching.
const BACKING_OPACITY: f64 = 0.82;

/// Draws `layout` on `area`, whose pixels are `pixel_ratio` times finer than CSS pixels: a canvas of the device's pixel ratio,
/// at least 2 because plotters rounds to whole pixels. The background is left as it is.
///
/// # Errors
/// What the backend reports; the layout itself cannot fail.
pub fn draw<DB: DrawingBackend>(layout: &Layout, palette: &Palette, pixel_ratio: f64, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
    let ratio = if pixel_ratio.is_finite() { pixel_ratio.clamp(0.5, 20.0) } else { 1.0 };
    let pen = Pen { area, palette, ratio };
    layout.spans.iter().try_for_each(|span| pen.span(span))?;
    pen.axes(layout)?;
    layout.marks.iter().try_for_each(|mark| pen.vertical(mark, layout))?;
    let on_plot = layout.labels.iter().filter(|label| label.on_plot);
    on_plot.into_iter().try_for_each(|label| pen.backing(label))?;
    layout.series.iter().try_for_each(|series| pen.bands(series))?;
    layout.series.iter().try_for_each(|series| pen.lines(series))?;
    layout.marks.iter().try_for_each(|mark| pen.mark(mark))?;
    layout.labels.iter().try_for_each(|label| pen.label(label))
}

struct Pen<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    palette: &'a Palette,
    ratio: f64,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    fn span(&self, span: &Rect) -> Drawn<DB> {
        for (from, to) in hatching(span, HATCH_STEP) {
            self.path(&[from, to], HAIR, self.palette.rule_strong.mix(0.5))?;
        }
        Ok(())
    }

    fn axes(&self, layout: &Layout) -> Drawn<DB> {
        let Rect { left, right, bottom, .. } = layout.plot;
        for &y in layout.grid.iter().filter(|&&y| y < bottom - 1.0) {
            self.horizontal(left, right, y, self.palette.rule)?;
        }
        self.horizontal(left, right, bottom, self.palette.rule_strong)?;
        for &x in &layout.x_ticks {
            self.upright(x, bottom, bottom + TICK, self.palette.rule_strong)?;
        }
        Ok(())
    }

    fn bands(&self, series: &PlacedSeries) -> Drawn<DB> {
        let colour = self.side(series.side).mix(BAND_OPACITY);
        series.bands.iter().try_for_each(|band| self.area.draw(&Polygon::new(self.points(band), colour)))
    }

    fn lines(&self, series: &PlacedSeries) -> Drawn<DB> {
        let colour = self.side(series.side);
        for run in &series.runs {
            if let [only] = run.as_slice() {
                self.disc(*only, LINE, colour)?;
            } else if series.dashed {
                dashes(run, DASH.0, DASH.1).iter().try_for_each(|dash| self.path(dash, LINE, colour.mix(1.0)))?;
            } else {
                self.path(run, LINE, colour.mix(1.0))?;
            }
        }
        Ok(())
    }

    /// The dotted line of a crossover, over the whole height, so that it can be read off at the axis.
    fn vertical(&self, mark: &PlacedMark, layout: &Layout) -> Drawn<DB> {
        if mark.kind != MarkKind::Crossover {
            return Ok(());
        }
        let whole = [(mark.at.0, layout.plot.bottom), (mark.at.0, layout.plot.top)];
        for dot in dashes(&whole, DOT.0, DOT.1) {
            if let [from, to] = dot.as_slice() {
                self.upright(from.0, to.1, from.1, self.palette.mark)?;
            }
        }
        Ok(())
    }

    fn mark(&self, mark: &PlacedMark) -> Drawn<DB> {
        match mark.kind {
            MarkKind::Crossover => {
                self.disc(mark.at, CROSSOVER_RADIUS + HAIR, self.palette.mark)?;
                self.disc(mark.at, CROSSOVER_RADIUS - 0.5 * HAIR, self.palette.paper)
            }
            MarkKind::Present => {
                self.disc(mark.at, PRESENT_RADIUS + 1.5, self.palette.paper)?;
                self.disc(mark.at, PRESENT_RADIUS, self.side(mark.side))
            }
        }
    }

    /// Under bands and lines, which stay whole.
    fn backing(&self, label: &Label) -> Drawn<DB> {
        let Rect { left, top, right, bottom } = label.area;
        let corners = [self.pixel((left - 2.0, top)), self.pixel((right + 2.0, bottom))];
        let paper = self.palette.paper.mix(BACKING_OPACITY).filled();
        self.area.draw(&Rectangle::new(corners, paper))
    }

    fn label(&self, label: &Label) -> Drawn<DB> {
        let colour = match label.role {
            LabelRole::Line | LabelRole::Present => self.side(label.side),
            LabelRole::Crossover => self.palette.mark,
            LabelRole::XTick | LabelRole::YTick | LabelRole::XAxis | LabelRole::YAxis | LabelRole::Span => self.palette.ink_2,
        };
        let font = label.role.font();
        let style = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let horizontal = match label.align {
            Align::Left => HPos::Left,
            Align::Center => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = TextStyle::from(FontDesc::new(FontFamily::from(self.palette.font), font.size * self.ratio, style))
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        label.anchored_lines().try_for_each(|(line, at)| self.area.draw(&Text::new(line, self.pixel(at), style.clone())))
    }

    fn side(&self, side: Side) -> RGBColor {
        match side {
            Side::First => self.palette.first,
            Side::Second => self.palette.second,
            Side::Neutral => self.palette.ink,
        }
    }

    /// Straight lines along the pixels are filled boxes: a canvas would smear a stroke over two rows of pixels.
    fn horizontal(&self, left: f64, right: f64, y: f64, colour: RGBColor) -> Drawn<DB> {
        let (from, to) = (self.pixel((left, y)), self.pixel((right, y)));
        self.area.draw(&Rectangle::new([from, (to.0, to.1 + self.stroke(HAIR) as i32)], colour.filled()))
    }

    fn upright(&self, x: f64, top: f64, bottom: f64, colour: RGBColor) -> Drawn<DB> {
        let (from, to) = (self.pixel((x, top)), self.pixel((x, bottom)));
        let half = self.stroke(HAIR) as i32 / 2;
        self.area.draw(&Rectangle::new([(from.0 - half, from.1), (from.0 - half + self.stroke(HAIR) as i32, to.1)], colour.filled()))
    }

    fn path(&self, points: &[Point], width: f64, colour: impl Color) -> Drawn<DB> {
        let style = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: self.stroke(width) };
        self.area.draw(&PathElement::new(self.points(points), style))
    }

    fn disc(&self, middle: Point, radius: f64, colour: RGBColor) -> Drawn<DB> {
        self.area.draw(&Circle::new(self.pixel(middle), (radius * self.ratio).round() as i32, colour.filled()))
    }

    fn stroke(&self, width: f64) -> u32 {
        (width * self.ratio).round().max(1.0) as u32
    }

    fn points(&self, points: &[Point]) -> Vec<(i32, i32)> {
        let mut pixels: Vec<(i32, i32)> = points.iter().map(|&point| self.pixel(point)).collect();
        pixels.dedup();
        let mut corners: Vec<(i32, i32)> = Vec::with_capacity(pixels.len());
        for pixel in pixels {
            // On a level stretch only its ends count.
            if let [.., before, last] = corners.as_slice()
                && before.1 == last.1
                && last.1 == pixel.1
                && (before.0 < last.0) == (last.0 < pixel.0)
            {
                corners.pop();
            }
            corners.push(pixel);
        }
        corners
    }

    fn pixel(&self, (x, y): Point) -> (i32, i32) {
        ((x * self.ratio).round() as i32, (y * self.ratio).round() as i32)
    }
}
