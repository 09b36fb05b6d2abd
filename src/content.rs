//! The comparisons and the site's own texts as typed data. The build script reads `content/`; the Markdown is HTML by then.

pub mod embedding;

use crate::locale::Lang;

/// A value for each language.
#[derive(Clone, Copy, Debug)]
pub struct ByLang<T> {
    /// German.
    pub de: T,
    /// English.
    pub en: T,
}

impl<T> ByLang<T> {
    /// The value for `lang`.
    pub const fn get(&self, lang: Lang) -> &T {
        match lang {
            Lang::De => &self.de,
            Lang::En => &self.en,
        }
    }
}

/// Something a reader can open.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Key, as texts refer to it.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// Address.
    pub url: &'static str,
    /// paper, law, data or docs.
    pub kind: &'static str,
}

/// A part of a comparison, with the claims of the calculator that bear on it.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Key.
    pub id: &'static str,
    /// Letters of the claims.
    pub claims: &'static [&'static str],
}

/// Two ways of doing a thing.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Key: the folder's name.
    pub id: &'static str,
    /// Whether it has a page; else it is announced.
    pub live: bool,
    /// Rows of the table, in order.
    pub rows: &'static [Part],
    /// Sections, in order.
    pub sections: &'static [Part],
    /// Myths, in order.
    pub myths: &'static [Part],
    /// Sources.
    pub sources: &'static [Source],
    /// The texts.
    pub text: ByLang<ComparisonText>,
}

/// The texts of a comparison in one language. Fields named `…_html` hold HTML made of Markdown at build time.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonText {
    /// Last segment of the address.
    pub slug: &'static str,
    /// The question.
    pub title: &'static str,
    /// Title on a card.
    pub card_title: &'static str,
    /// Summary on a card.
    pub card_summary: &'static str,
    /// Description for search engines.
    pub description: &'static str,
    /// The page, where there is one.
    pub body: Option<Body>,
}

/// Title and text.
#[derive(Clone, Copy, Debug)]
pub struct Titled {
    /// Title.
    pub title: &'static str,
    /// Plain text or HTML, as the field that holds it says.
    pub text: &'static str,
}

/// Heading and introduction.
#[derive(Clone, Copy, Debug)]
pub struct Headed {
    /// Heading.
    pub heading: &'static str,
    /// Plain introduction; may be empty.
    pub intro: &'static str,
}

/// A belief, and what is true of it.
#[derive(Clone, Copy, Debug)]
pub struct Myth {
    /// The belief (plain).
    pub title: &'static str,
    /// What is true (HTML).
    pub fact_html: &'static str,
    /// What the claim's chart would have to show if the belief were true, false, or depended (plain).
    pub readings: [&'static str; 3],
}

/// A row of the comparison table.
#[derive(Clone, Copy, Debug)]
pub struct TableRow {
    /// What is compared.
    pub label: &'static str,
    /// The distributed side.
    pub distributed: &'static str,
    /// The centralised side.
    pub centralised: &'static str,
}

/// A live comparison's texts.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// What kind of page it is.
    pub kicker: &'static str,
    /// The words of the title in the colour of the distributed side.
    pub title_distributed: &'static str,
    /// The words of the title in the colour of the centralised side.
    pub title_centralised: &'static str,
    /// The answer.
    pub lead: &'static str,
    /// Definition of the distributed side (plain).
    pub distributed: Titled,
    /// Definition of the centralised side (plain).
    pub centralised: Titled,
    /// Heading of the table.
    pub table_heading: &'static str,
    /// Caption of the table.
    pub table_caption: &'static str,
    /// Heads of the table's columns.
    pub table_columns: [&'static str; 2],
    /// Rows of the table, in the order of [`Comparison::rows`].
    pub rows: &'static [TableRow],
    /// The calculator's place.
    pub calculator: Headed,
    /// Words of the link to all settings.
    pub all_settings: &'static str,
    /// Sections (HTML), in the order of [`Comparison::sections`].
    pub sections: &'static [Titled],
    /// The myths' place.
    pub myths: Headed,
    /// Myths, in the order of [`Comparison::myths`].
    pub myth_items: &'static [Myth],
    /// Heading of the verdict.
    pub verdict_heading: &'static str,
    /// When distributed (HTML).
    pub verdict_distributed_html: &'static str,
    /// When centralised (HTML).
    pub verdict_centralised_html: &'static str,
    /// What remains to be said (HTML).
    pub verdict_closing_html: &'static str,
    /// The place of the related comparisons.
    pub related: Headed,
    /// Heading of the sources.
    pub sources_heading: &'static str,
    /// Introduction to the sources (HTML).
    pub sources_html: &'static str,
    /// How right the calculator is (HTML).
    pub accuracy_html: &'static str,
}

/// Title, description and lead of a page of the site.
#[derive(Clone, Copy, Debug)]
pub struct PageText {
    /// Title.
    pub title: &'static str,
    /// Description for search engines.
    pub description: &'static str,
    /// First sentence; may be empty.
    pub lead: &'static str,
}

/// The site's own texts in one language.
#[derive(Clone, Copy, Debug)]
pub struct SiteText {
    /// Name of the site.
    pub name: &'static str,
    /// What it is, in a line.
    pub tagline: &'static str,
    /// Segment of the address under which comparisons stand.
    pub comparisons_slug: &'static str,
    /// Segment of the calculator's address.
    pub calculator_slug: &'static str,
    /// Segment of the method page's address.
    pub method_slug: &'static str,
    /// The index.
    pub index: PageText,
    /// Heading over the comparisons with a page.
    pub heading_live: &'static str,
    /// Heading over the announced ones.
    pub heading_announced: &'static str,
    /// What announced means.
    pub announced_note: &'static str,
    /// The calculator page.
    pub calculator: PageText,
    /// The method page.
    pub method: PageText,
    /// Its sections: key, title, HTML.
    pub method_sections: &'static [MethodSection],
    /// The page that says that there is none.
    pub not_found: PageText,
    /// Words of the link back.
    pub not_found_back: &'static str,
    /// The page about embedding.
    pub embedding: embedding::EmbeddingText,
    /// The embedded calculator.
    pub embed: PageText,
    /// The root, where the language is picked.
    pub root: PageText,
    /// Licence, in a line.
    pub licence: &'static str,
    /// What is sent to whom.
    pub privacy_note: &'static str,
}

/// A section of the method page or of the one about embedding.
#[derive(Clone, Copy, Debug)]
pub struct MethodSection {
    /// Key, also the anchor.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// HTML; empty in the app, which finds it in the prerendered page.
    pub html: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/content.rs"));

/// The site's own texts in `lang`.
pub fn site(lang: Lang) -> &'static SiteText {
    SITE.get(lang)
}

/// The comparison whose address in `lang` ends in `slug`.
pub fn by_slug(lang: Lang, slug: &str) -> Option<&'static Comparison> {
    COMPARISONS.iter().find(|comparison| comparison.live && comparison.text.get(lang).slug == slug)
}
