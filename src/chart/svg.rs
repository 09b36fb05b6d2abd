//! Charts as SVG texts: drawn by plotters ten times as large, in placeholder colours, which are then replaced by the theme's.
//!
//! Placeholders, because two roles of a palette may have one colour; ten times, because plotters rounds to whole pixels.

use std::fmt::Write as _;

use plotters::drawing::IntoDrawingArea;
use plotters::style::RGBColor;
use plotters_svg::SVGBackend;

use super::draw::draw;
use super::layout::layout;
use super::palette::{DARK, LIGHT, Palette};
use super::spec::ChartSpec;
use super::text::{Font, estimate_width, wrapped};

/// Units of the drawing per CSS pixel.
const FINENESS: f64 = 10.0;
const TITLE: Font = Font { size: 16.0, bold: true };
const SUBTITLE: Font = Font { size: 13.0, bold: false };

/// A file of its own: title and subtitle above the chart of `width` × `height` CSS pixels, a background, light colours, and dark ones where
/// the reader prefers dark. Without a width of its own, it fills what it is put into.
pub fn svg_standalone(spec: &ChartSpec, width: f64, height: f64) -> String {
    let mut style = String::from("<style>@media (prefers-color-scheme:dark){");
    for (name, RGBColor(r, g, b)) in DARK.entries() {
        let _ = write!(style, ".f-{name}{{fill:#{r:02x}{g:02x}{b:02x}}}.s-{name}{{stroke:#{r:02x}{g:02x}{b:02x}}}");
    }
    style.push_str("}</style>\n");
    let light = LIGHT.entries();
    let colour = |at: usize, attribute: &str| {
        let (name, RGBColor(r, g, b)) = light[at];
        format!("class=\"{}-{name}\" {attribute}=\"#{r:02x}{g:02x}{b:02x}\"", &attribute[..1])
    };
    whole(spec, width, height, &style, &colour)
}

/// As [`svg_standalone`], in one palette only: for renderers without style sheets, and for print.
pub fn svg_fixed(spec: &ChartSpec, width: f64, height: f64, palette: &Palette) -> String {
    let entries = palette.entries();
    let colour = |at: usize, attribute: &str| {
        let (_, RGBColor(r, g, b)) = entries[at];
        format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"")
    };
    whole(spec, width, height, "", &colour)
}

/// To be put into a page: the chart of `width` × `height` CSS pixels alone (the page has title and subtitle), without background, in the
/// page's font and colours (`--distributed`, `--ink`, … of tokens.css; light where they are not defined). No `style` element and no
/// `style` attribute, so that a strict content security policy accepts it; ids begin with the chart's.
pub fn svg_inline(spec: &ChartSpec, width: f64, height: f64) -> String {
    let light = LIGHT.entries();
    let colour = |at: usize, attribute: &str| {
        let (name, RGBColor(r, g, b)) = light[at];
        format!("{attribute}=\"var(--{name},#{r:02x}{g:02x}{b:02x})\"")
    };
    let Drawing { width, height, body } = drawing(spec, width, height, &colour);
    let head = head(spec, width, height);
    legal(format!("{head}<g transform=\"scale({})\">\n{body}</g>\n</svg>\n", 1.0 / FINENESS))
}

/// Writes a colour as one or more attributes: (index in `Palette::entries`, "fill" or "stroke").
type Colour<'a> = &'a dyn Fn(usize, &str) -> String;

fn whole(spec: &ChartSpec, width: f64, height: f64, style: &str, colour: Colour) -> String {
    const EDGE: f64 = 12.0;
    let Drawing { width, height, body } = drawing(spec, width, height, colour);
    let [paper, ink, ink_2] = [0, 1, 2].map(|at| colour(at, "fill"));
    let mut texts = String::new();
    let mut y = EDGE;
    for (text, font, fill, family) in [(&spec.title, TITLE, ink, "ui-serif, Georgia, serif"), (&spec.subtitle, SUBTITLE, ink_2, LIGHT.font)]
    {
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        for line in wrapped(text, width, 4, &|text| estimate_width(text, font)) {
            y += (font.size * 1.35).round();
            let (size, line) = (font.size, escaped(&line));
            let _ = writeln!(
                texts,
                "<text x=\"{EDGE}\" y=\"{}\" font-family=\"{family}\" font-size=\"{size}\"{weight} {fill}>{line}</text>",
                y - 4.0
            );
        }
    }
    y += EDGE;
    let (all_width, all_height) = (width + 2.0 * EDGE, y + height + EDGE);
    let head = head(spec, all_width, all_height);
    let (family, scale) = (LIGHT.font, 1.0 / FINENESS);
    legal(format!(
        "{head}{style}<rect width=\"{all_width}\" height=\"{all_height}\" {paper}/>\n{texts}\
         <g transform=\"translate({EDGE} {y}) scale({scale})\" font-family=\"{family}\">\n{body}</g>\n</svg>\n"
    ))
}

fn head(spec: &ChartSpec, width: f64, height: f64) -> String {
    let id: String = spec.id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let (title, caption) = (escaped(&spec.title), escaped(&spec.caption));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\">\n<title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{caption}</desc>\n"
    )
}

struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

fn drawing(spec: &ChartSpec, width: f64, height: f64, colour: Colour) -> Drawing {
    let placed = layout(spec, width, height, &estimate_width);
    let mut names = LIGHT.entries().map(|(name, _)| name).into_iter().zip(0_u8..);
    let placeholders = Palette::from_css("sans-serif", |_| placeholder(names.next().map_or(0, |(_, at)| at)));
    let mut raw = String::new();
    let size = ((placed.width * FINENESS) as u32, (placed.height * FINENESS) as u32);
    let area = SVGBackend::with_string(&mut raw, size).into_drawing_area();
    // Writing into a string cannot fail, and this backend reports nothing else.
    let _ = draw(&placed, &placeholders, FINENESS, &area).and_then(|()| area.present());
    drop(area);
    let mut body = compact(&raw);
    for at in 0..LIGHT.entries().len() {
        let RGBColor(r, g, b) = placeholder(at as u8);
        for attribute in ["fill", "stroke"] {
            // A quote within a text is written `&quot;`, so this is only ever an attribute.
            body = body.replace(&format!("{attribute}=\"#{r:02X}{g:02X}{b:02X}\""), &colour(at, attribute));
        }
    }
    Drawing { width: placed.width, height: placed.height, body }
}

fn placeholder(at: u8) -> RGBColor {
    RGBColor(0xc0, 0xde, at)
}

/// What plotters wrote, without its outer element and what goes without saying, and with neighbours of one look in one path: a dashed
/// line is a hundred elements otherwise.
fn compact(raw: &str) -> String {
    let mut body = String::new();
    let mut open: Option<(String, String)> = None;
    let mut close = |body: &mut String, next: Option<(String, String)>| {
        if let (Some((look, path)), Some((next_look, next_path))) = (&mut open, &next)
            && look == next_look
        {
            path.push_str(next_path);
            return;
        }
        if let Some((look, path)) = std::mem::replace(&mut open, next) {
            let _ = writeln!(body, "<path{look} d=\"{path}\"/>");
        }
    };
    for line in raw.lines().filter(|line| !line.starts_with("<svg") && *line != "</svg>") {
        let line = line.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "");
        if let Some(path) = polyline(&line).or_else(|| rectangle(&line)) {
            close(&mut body, Some(path));
            continue;
        }
        close(&mut body, None);
        if line.starts_with("<text") {
            body.push_str(&text(&line));
        } else if line == "</text>" {
            body.push_str("</text>\n");
        } else if line.starts_with('<') {
            let _ = writeln!(body, "{}", line.replace(" stroke-width=\"1\"", "").replace(" \"/>", "\"/>"));
        } else {
            body.push_str(&line);
        }
    }
    close(&mut body, None);
    body
}

/// (attributes, path data)
fn polyline(line: &str) -> Option<(String, String)> {
    let (look, points) = line.strip_prefix("<polyline")?.strip_suffix(" \"/>")?.split_once(" points=\"")?;
    Some((format!("{look} stroke-linejoin=\"round\""), format!("M{}", points.replace(' ', "L"))))
}

/// (attributes, path data)
fn rectangle(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("<rect x=\"")?.strip_suffix("/>")?;
    let (x, rest) = rest.split_once("\" y=\"")?;
    let (y, rest) = rest.split_once("\" width=\"")?;
    let (width, rest) = rest.split_once("\" height=\"")?;
    let (height, look) = rest.split_once('"')?;
    Some((look.to_owned(), format!("M{x},{y}h{width}v{height}h-{width}z")))
}

/// plotters-svg divides sizes by 1.24 and centres on the height of an "x"; figures and capitals are taller. The font is the parent's.
fn text(line: &str) -> String {
    let line = line.replace(" font-family=\"sans-serif\"", "").replace(" dy=\"0.5ex\"", " dy=\".36em\"");
    let Some((before, rest)) = line.split_once("font-size=\"") else {
        return line;
    };
    let Some((size, after)) = rest.split_once('"') else {
        return line;
    };
    let size = size.parse().map_or(Font::TICK.size * FINENESS, |size: f64| (size * 1.24).round());
    format!("{before}font-size=\"{size}\"{after}")
}

/// Text for an element or an attribute of markup.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Without the characters that XML does not allow even escaped.
fn legal(xml: String) -> String {
    let banned = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{fffe}' | '\u{ffff}');
    if xml.contains(banned) { xml.replace(banned, "") } else { xml }
}
