//! oEmbed answers as files: `oembed/NAME.LANG.json`. A static site cannot answer for an address it is asked about, so there is one file for each
//! scenario that has a name: the calculator's default, the presets, the claims. Source: the oEmbed specification, 1.0, https://oembed.com/.

use super::{PrerenderError, write};
use crate::content::site as site_text;
use crate::locale::Lang;
use crate::pages::Place;
use crate::pages::embedding::snippets;
use crate::report::claims::Claim;
use crate::scenario::presets::PRESETS;
use serde_json::{Value, json};
use std::path::Path;

/// Width in pixels for which [`snippets::HEIGHT`] is right; the frame itself takes the width it is given.
const WIDTH: u32 = 960;

/// Writes the answers. `site` is the address of the root: without it there is none.
pub fn write_all(folder: &Path, site: &str) -> Result<(), PrerenderError> {
    for lang in Lang::ALL {
        for (name, title, scenario) in named(lang) {
            let text = format!("{:#}\n", answer(site, lang, &title, scenario));
            write(&folder.join(format!("oembed/{name}.{}.json", lang.code())), text.as_bytes())?;
        }
    }
    Ok(())
}

/// Name, title, scenario.
fn named(lang: Lang) -> Vec<(String, String, &'static str)> {
    let default = ("calculator".to_string(), site_text(lang).calculator.title.to_string(), "v=1");
    let presets = PRESETS.iter().map(|preset| (preset.key.to_string(), preset.label.in_lang(lang).to_string(), preset.link));
    let claims = Claim::ALL.into_iter().filter_map(|claim| Some((claim.key(), claim.show(lang)?.finding, claim.link())));
    std::iter::once(default).chain(presets).chain(claims).collect()
}

fn answer(site: &str, lang: Lang, title: &str, scenario: &str) -> Value {
    json!({
        "type": "rich",
        "version": "1.0",
        "title": title,
        "provider_name": site_text(lang).name,
        "provider_url": format!("{site}{}", Place::Index(lang).path()),
        "html": snippets::frame(site, lang, scenario),
        "width": WIDTH,
        "height": snippets::HEIGHT,
    })
}
