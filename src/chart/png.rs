//! Charts as PNG files, for hosts that show no SVG. Their font is the crate's own, so that every machine draws the same.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::palette::LIGHT;
use super::spec::ChartSpec;
use super::svg::svg_fixed;

const FAMILY: &str = "DejaVu Sans";
const FONTS: [&[u8]; 2] = [include_bytes!("fonts/DejaVuSans.ttf"), include_bytes!("fonts/DejaVuSans-Bold.ttf")];

static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in FONTS {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_serif_family(FAMILY);
    Arc::new(fonts)
});

/// The chart with title and subtitle, as [`svg_fixed`] draws it in light colours, with `scale` pixels per CSS pixel: the bytes of a PNG file.
///
/// # Errors
/// If the picture has no size, or is too large for memory.
pub fn png(spec: &ChartSpec, width: f64, height: f64, scale: f32) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: Arc::clone(&DATABASE), font_family: FAMILY.to_string(), ..Options::default() };
    let tree = Tree::from_str(&svg_fixed(spec, width, height, &LIGHT), &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let (wide, high) = ((size.width() * scale).round() as u32, (size.height() * scale).round() as u32);
    let mut pixels = Pixmap::new(wide, high).ok_or_else(|| format!("no picture of {wide} × {high} pixels"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
