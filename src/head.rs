//! What a page says of itself in its `<head>`: title, description, canonical address, languages, Open Graph.

use crate::content::site;
use crate::locale::Lang;
use crate::pages::Place;

/// A tag of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `<meta name|property=… content=…>`.
    Meta {
        /// `name` or `property`.
        attribute: &'static str,
        /// Its value.
        name: &'static str,
        /// The content.
        content: String,
    },
    /// `<link rel=… hreflang=… href=…>`.
    Link {
        /// The relation.
        rel: &'static str,
        /// The type of what is there, where it is no page.
        kind: Option<&'static str>,
        /// The language, for alternates.
        hreflang: Option<&'static str>,
        /// The address.
        href: String,
    },
}

/// The title of `place`.
pub fn title(place: Place) -> String {
    let (title, _) = place.texts();
    let name = site(place.lang()).name;
    if title == name { title.to_string() } else { format!("{title} · {name}") }
}

/// The tags of `place`; `base` is the site's root with a trailing slash, or empty for addresses relative to `<base>`.
pub fn tags(place: Place, base: &str) -> Vec<Tag> {
    let (_, description) = place.texts();
    let lang = place.lang();
    let address = |place: Place| {
        let path = place.path();
        if base.is_empty() && path.is_empty() { "./".to_string() } else { format!("{base}{path}") }
    };
    let meta = |attribute, name, content: String| Tag::Meta { attribute, name, content };
    let link = |rel, hreflang, href| Tag::Link { rel, kind: None, hreflang, href };
    let mut tags = vec![
        meta("name", "description", description.to_string()),
        meta("property", "og:type", "website".to_string()),
        meta("property", "og:site_name", site(lang).name.to_string()),
        meta("property", "og:title", title(place)),
        meta("property", "og:description", description.to_string()),
        meta(
            "property",
            "og:locale",
            match lang {
                Lang::De => "de_DE",
                Lang::En => "en_GB",
            }
            .to_string(),
        ),
        meta("property", "og:url", address(place)),
    ];
    if matches!(place, Place::Embed(_)) {
        tags.push(meta("name", "robots", "noindex".to_string()));
        return tags;
    }
    tags.push(link("canonical", None, address(place)));
    for lang in Lang::ALL {
        // The root stands for the reader's own language; the index in each language is its alternate.
        let alternate = if matches!(place, Place::Root) { Place::Index(lang) } else { place.in_lang(lang) };
        tags.push(link("alternate", Some(lang.code()), address(alternate)));
    }
    let default = if matches!(place, Place::Root | Place::Index(_)) { Place::Root } else { place.in_lang(Lang::En) };
    tags.push(link("alternate", Some("x-default"), address(default)));
    // A site that does not know its own address has no oEmbed answers: they hold it.
    if matches!(place, Place::Calculator(_) | Place::Comparison(..)) && !base.is_empty() {
        let href = format!("{base}oembed/calculator.{}.json", lang.code());
        tags.push(Tag::Link { rel: "alternate", kind: Some("application/json+oembed"), hreflang: None, href });
    }
    if matches!(place, Place::Embedding(_)) {
        // Its rules would weigh on every other page.
        tags.push(link("stylesheet", None, "embedding.css".to_string()));
    }
    tags
}
