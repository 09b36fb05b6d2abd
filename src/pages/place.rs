//! The addresses of the site: every page has one path from the site's root in each language.

use crate::content::{self, Comparison, site};
use crate::locale::Lang;

/// A page.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Where the language is picked.
    Root,
    /// The comparisons.
    Index(Lang),
    /// A comparison.
    Comparison(Lang, &'static Comparison),
    /// The calculator.
    Calculator(Lang),
    /// The method.
    Method(Lang),
    /// How to embed the calculator.
    Embedding(Lang),
    /// The compact calculator alone, in the language of its query.
    Embed(Lang),
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.path() == other.path() && self.lang() == other.lang()
    }
}

impl Place {
    /// The page at `path`, if there is one, relative to the site's root, with the language that an embedded page asks for in `query`.
    pub fn at(path: &str, query: &str) -> Option<Place> {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty() && *segment != "index.html").collect();
        let lang = segments.first().and_then(|first| Lang::ALL.into_iter().find(|lang| lang.code() == *first));
        Some(match (lang, segments.as_slice()) {
            (_, []) => Place::Root,
            (_, ["embed"]) => Place::Embed(lang_of_query(query)),
            (Some(lang), [_]) => Place::Index(lang),
            (Some(lang), [_, page]) if *page == site(lang).calculator_slug => Place::Calculator(lang),
            (Some(lang), [_, page]) if *page == site(lang).method_slug => Place::Method(lang),
            (Some(lang), [_, page]) if *page == site(lang).embedding.slug => Place::Embedding(lang),
            (Some(lang), [_, page]) if *page == site(lang).comparisons_slug => Place::Index(lang),
            (Some(lang), [_, page, slug]) if *page == site(lang).comparisons_slug => Place::Comparison(lang, content::by_slug(lang, slug)?),
            _ => return None,
        })
    }

    /// The path from the site's root, without a leading slash.
    pub fn path(&self) -> String {
        match self {
            Place::Root => String::new(),
            Place::Index(lang) => format!("{}/", lang.code()),
            Place::Comparison(lang, comparison) => {
                format!("{}/{}/{}/", lang.code(), site(*lang).comparisons_slug, comparison.text.get(*lang).slug)
            }
            Place::Calculator(lang) => format!("{}/{}/", lang.code(), site(*lang).calculator_slug),
            Place::Method(lang) => format!("{}/{}/", lang.code(), site(*lang).method_slug),
            Place::Embedding(lang) => format!("{}/{}/", lang.code(), site(*lang).embedding.slug),
            Place::Embed(_) => "embed/".to_string(),
        }
    }

    /// What a link's `href` holds, before `<base>` resolves it. An empty reference would be the present page, not the root.
    pub fn reference(&self) -> String {
        let path = self.path();
        if path.is_empty() { "./".to_string() } else { path }
    }

    /// The kind of page, as in `data-page`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Place::Root => "root",
            Place::Index(_) => "index",
            Place::Comparison(..) => "comparison",
            Place::Calculator(_) => "calculator",
            Place::Method(_) => "method",
            Place::Embedding(_) => "embedding",
            Place::Embed(_) => "embed",
        }
    }

    /// The program that brings the page's parts to life: the calculator's, or the light one of all others.
    pub const fn program(&self) -> &'static str {
        if matches!(self, Place::Calculator(_)) { "calculator" } else { "pages" }
    }

    /// The language.
    pub fn lang(&self) -> Lang {
        match self {
            Place::Root => Lang::default(),
            Place::Index(lang) | Place::Comparison(lang, _) | Place::Calculator(lang) | Place::Method(lang) => *lang,
            Place::Embedding(lang) | Place::Embed(lang) => *lang,
        }
    }

    /// The same page in another language.
    pub fn in_lang(&self, lang: Lang) -> Place {
        match *self {
            Place::Root => Place::Root,
            Place::Index(_) => Place::Index(lang),
            Place::Comparison(_, comparison) => Place::Comparison(lang, comparison),
            Place::Calculator(_) => Place::Calculator(lang),
            Place::Method(_) => Place::Method(lang),
            Place::Embedding(_) => Place::Embedding(lang),
            Place::Embed(_) => Place::Embed(lang),
        }
    }

    /// The `rel` of links to the page: one with a script of its own is loaded by the browser, since a script that the running app puts into
    /// the present page would not run.
    pub const fn rel(&self) -> Option<&'static str> {
        if matches!(self, Place::Embedding(_)) { Some("external") } else { None }
    }

    /// Whether the page's address carries the scenario: so that nothing is lost on the way from page to page.
    pub fn has_scenario(&self) -> bool {
        !matches!(self, Place::Root)
    }

    /// Title, description: what the page says of itself.
    pub fn texts(&self) -> (&'static str, &'static str) {
        let text = site(self.lang());
        match self {
            Place::Root => (text.root.title, text.root.description),
            Place::Index(_) => (text.index.title, text.index.description),
            Place::Comparison(lang, comparison) => (comparison.text.get(*lang).title, comparison.text.get(*lang).description),
            Place::Calculator(_) => (text.calculator.title, text.calculator.description),
            Place::Method(_) => (text.method.title, text.method.description),
            Place::Embedding(_) => (text.embedding.page.title, text.embedding.page.description),
            Place::Embed(_) => (text.embed.title, text.embed.description),
        }
    }

    /// Every page of the site that is prerendered, the page for what is not found apart.
    pub fn all() -> Vec<Place> {
        let in_lang = |lang| {
            let comparisons =
                content::COMPARISONS.iter().filter(|comparison| comparison.live).map(move |comparison| Place::Comparison(lang, comparison));
            [Place::Index(lang), Place::Calculator(lang), Place::Method(lang), Place::Embedding(lang)].into_iter().chain(comparisons)
        };
        [Place::Root, Place::Embed(Lang::default())].into_iter().chain(Lang::ALL.into_iter().flat_map(in_lang)).collect()
    }
}

fn lang_of_query(query: &str) -> Lang {
    let pairs = form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
    pairs.filter(|(key, _)| key == "lang").find_map(|(_, value)| Lang::from_tag(&value)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_at_its_own_path() {
        for place in Place::all() {
            let query = format!("lang={}", place.lang().code());
            assert_eq!(Place::at(&place.path(), &query), Some(place), "{}", place.path());
        }
    }

    #[test]
    fn other_addresses_have_no_page() {
        for path in ["de/nirgendwo/", "en/compare/nothing/", "fr/", "de/rechner/x/"] {
            assert_eq!(Place::at(path, ""), None, "{path}");
        }
    }

    #[test]
    fn the_embedded_page_speaks_the_language_it_is_asked_to() {
        assert_eq!(Place::at("embed/", "?lang=de"), Some(Place::Embed(Lang::De)));
        assert_eq!(Place::at("embed/", "?lang=xx"), Some(Place::Embed(Lang::En)));
    }
}
