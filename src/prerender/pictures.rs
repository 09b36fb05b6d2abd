//! The charts as files: `charts/NAME.LANG.svg` and `.png`.

use super::{PrerenderError, write};
use crate::chart::{png, svg_standalone};
use crate::locale::Lang;
use crate::report::pictures::{SIZE, pictures};
use std::path::Path;

/// Pixels of a PNG picture per CSS pixel: sharp on fine screens, and still some 60 kB.
const SCALE: f32 = 2.0;

/// Writes every picture in every language.
pub fn write_all(folder: &Path) -> Result<(), PrerenderError> {
    for lang in Lang::ALL {
        for picture in pictures(lang) {
            let svg = svg_standalone(&picture.chart, SIZE.0, SIZE.1);
            let pixels = png(&picture.chart, SIZE.0, SIZE.1, SCALE).map_err(|what| PrerenderError(format!("{}: {what}", picture.name)))?;
            write(&folder.join(picture.path(lang, "svg")), svg.as_bytes())?;
            write(&folder.join(picture.path(lang, "png")), &pixels)?;
        }
    }
    Ok(())
}
