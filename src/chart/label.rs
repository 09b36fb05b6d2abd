//! Texts that have found their place.

use super::geometry::{Point, Rect};
use super::spec::Side;
use super::text::Font;

/// What a label belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelRole {
    /// Under the plot.
    XTick,
    /// Left of the plot.
    YTick,
    /// Quantity of the x-axis, under its ticks.
    XAxis,
    /// Quantity of the y-axis, above the plot.
    YAxis,
    /// At the end of a line, or along it on narrow pictures.
    Line,
    /// Above the dotted vertical of a crossover.
    Crossover,
    /// Beside the dot of the present scenario.
    Present,
    /// In or beside a hatched range.
    Span,
}

impl LabelRole {
    /// The font of labels of this kind.
    pub fn font(self) -> Font {
        match self {
            Self::XTick | Self::YTick | Self::XAxis | Self::YAxis | Self::Span => Font::TICK,
            Self::Line | Self::Crossover | Self::Present => Font::LABEL,
        }
    }
}

/// Which edge of its area a text is flush with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Flush left.
    Left,
    /// Centred.
    Center,
    /// Flush right.
    Right,
}

/// A text with its place in the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// What it belongs to; decides font and colour.
    pub role: LabelRole,
    /// Colour of labels of lines and present scenarios.
    pub side: Side,
    /// From top to bottom, [`Font::LINE`] apart.
    pub lines: Vec<String>,
    /// How the lines stand in the area.
    pub align: Align,
    /// The area that the text takes up, as estimated.
    pub area: Rect,
    /// Whether it stands on the plot, where lines may pass behind it.
    pub on_plot: bool,
}

impl Label {
    /// Each line with the point at the middle of its height that it is anchored to by `align`.
    pub fn anchored_lines(&self) -> impl Iterator<Item = (&str, Point)> {
        let x = match self.align {
            Align::Left => self.area.left,
            Align::Center => (self.area.left + self.area.right) / 2.0,
            Align::Right => self.area.right,
        };
        let y = move |i: usize| self.area.top + (i as f64 + 0.5) * Font::LINE;
        self.lines.iter().enumerate().map(move |(i, line)| (line.as_str(), (x, y(i))))
    }
}

/// A text that still looks for its place.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) lines: Vec<String>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Block {
    /// `None` if nothing is left to show.
    pub(super) fn new(lines: Vec<String>, width: &dyn Fn(&str) -> f64) -> Option<Self> {
        let widest = lines.iter().map(|line| width(line)).fold(0.0, f64::max);
        let height = lines.len() as f64 * Font::LINE;
        (widest > 0.0).then_some(Self { lines, width: widest, height })
    }

    /// The area with its left edge at `left` and the middle of its height at `middle`.
    pub(super) fn at(&self, left: f64, middle: f64) -> Rect {
        let top = middle - self.height / 2.0;
        Rect { left, top, right: left + self.width, bottom: top + self.height }
    }

    pub(super) fn placed(self, role: LabelRole, side: Side, align: Align, area: Rect) -> Label {
        Label { role, side, lines: self.lines, align, area, on_plot: false }
    }
}
