//! `content/` → the constants of `src/content.rs`. Both languages must have the same parts in the same order, and no text may be empty.

use super::embedding::Embedding;
use super::markdown::{Links, render};
use super::{Fault, read};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

const LANGS: [&str; 2] = ["de", "en"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    id: String,
    title: String,
    url: String,
    kind: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    id: String,
    #[serde(default)]
    claim: Option<String>,
    #[serde(default)]
    claims: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meta {
    id: String,
    order: u32,
    status: String,
    #[serde(default)]
    table_rows: Vec<Part>,
    #[serde(default)]
    sections: Vec<Part>,
    #[serde(default)]
    myths: Vec<Part>,
    #[serde(default)]
    sources: Vec<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Announced {
    slug: String,
    title: String,
    card_title: String,
    card_summary: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Live {
    slug: String,
    kicker: String,
    title: String,
    title_distributed: String,
    title_centralised: String,
    card_title: String,
    card_summary: String,
    description: String,
    lead: String,
    definitions: Definitions,
    table: Table,
    calculator: Calculator,
    sections: Vec<Section>,
    myths: Myths,
    verdict: Verdict,
    related: Headed,
    sources: SourcesText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definitions {
    distributed: Definition,
    centralised: Definition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    title: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    heading: String,
    caption: String,
    distributed: String,
    centralised: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    label: String,
    distributed: String,
    centralised: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calculator {
    heading: String,
    intro: String,
    all_settings: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    id: String,
    title: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Myths {
    heading: String,
    intro: String,
    items: Vec<Myth>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Myth {
    id: String,
    myth: String,
    fact: String,
    readings: Readings,
}

/// What the claim's chart would have to show under each answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Readings {
    r#true: String,
    r#false: String,
    depends: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    heading: String,
    distributed: String,
    centralised: String,
    closing: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Headed {
    heading: String,
    intro: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourcesText {
    heading: String,
    intro: String,
    accuracy: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteMeta {
    sources: Vec<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Site {
    site: SiteHead,
    slugs: Slugs,
    index: Index,
    calculator: Page,
    method: Method,
    not_found: NotFound,
    embedding: Embedding,
    embed: PageHead,
    root: Root,
    footer: Footer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteHead {
    name: String,
    tagline: String,
    #[allow(dead_code, reason = "the index page has its own; kept as the site's summary for authors")]
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Slugs {
    comparisons: String,
    calculator: String,
    method: String,
    embedding: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    title: String,
    description: String,
    lead: String,
    heading_live: String,
    heading_announced: String,
    announced_note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    title: String,
    description: String,
    lead: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Method {
    title: String,
    description: String,
    lead: String,
    sections: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotFound {
    title: String,
    description: String,
    text: String,
    back: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageHead {
    title: String,
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Root {
    title: String,
    description: String,
    choose: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    licence: String,
    note: String,
}

/// A TOML file, typed. Faults of syntax and shape carry their line; so do empty texts.
fn load<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T, Fault> {
    let text = read(file)?;
    if let Some((at, line)) = text.lines().enumerate().find(|(_, line)| line.trim_end().ends_with("= \"\"")) {
        return Err(Fault::at(file, at as u64 + 1, format!("the text is empty: `{line}`")));
    }
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1) as u64);
        Fault::at(file, line, error.message())
    })
}

/// Faults unless the ids of a text are those of its table of contents, in the same order.
fn same_ids<'a>(file: &Path, what: &str, wanted: &[Part], found: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
    let wanted: Vec<&str> = wanted.iter().map(|part| part.id.as_str()).collect();
    let found: Vec<&str> = found.collect();
    if wanted == found {
        Ok(())
    } else {
        Err(Fault::of(file, format!("{what}: expected {wanted:?} as in comparison.toml, found {found:?}")))
    }
}

fn parts(parts: &[Part]) -> String {
    let rows = parts.iter().map(|part| {
        let claims: Vec<&String> = part.claim.iter().chain(&part.claims).collect();
        format!("Part {{ id: {:?}, claims: &{claims:?} }}, ", part.id)
    });
    format!("&[{}]", rows.collect::<String>())
}

fn sources(file: &Path, sources: &[Source]) -> Result<(String, HashMap<String, String>), Fault> {
    let mut addresses = HashMap::new();
    let mut out = String::from("&[");
    for Source { id, title, url, kind } in sources {
        if !url.starts_with("https://") {
            return Err(Fault::of(file, format!("source `{id}`: expected an https address, found `{url}`")));
        }
        if addresses.insert(id.clone(), url.clone()).is_some() {
            return Err(Fault::of(file, format!("source `{id}` stands there twice")));
        }
        out.push_str(&format!("Source {{ id: {id:?}, title: {title:?}, url: {url:?}, kind: {kind:?} }}, "));
    }
    out.push(']');
    Ok((out, addresses))
}

/// Markdown of one language with its links.
struct Texts<'a> {
    file: &'a Path,
    links: Links<'a>,
}

impl Texts<'_> {
    fn html(&self, markdown: &str) -> Result<String, Fault> {
        render(markdown, &self.links).map_err(|what| Fault::of(self.file, what))
    }

    fn titled(&self, title: &str, markdown: &str) -> Result<String, Fault> {
        Ok(format!("Titled {{ title: {title:?}, text: {:?} }}, ", self.html(markdown)?))
    }
}

fn live(file: &Path, meta: &Meta, text: &Live, texts: &Texts) -> Result<String, Fault> {
    same_ids(file, "table.rows", &meta.table_rows, text.table.rows.iter().map(|row| row.id.as_str()))?;
    same_ids(file, "sections", &meta.sections, text.sections.iter().map(|section| section.id.as_str()))?;
    same_ids(file, "myths.items", &meta.myths, text.myths.items.iter().map(|myth| myth.id.as_str()))?;
    for words in [&text.title_distributed, &text.title_centralised] {
        if !text.title.contains(words.as_str()) {
            return Err(Fault::of(file, format!("`{words}` does not stand in the title `{}`", text.title)));
        }
    }
    let rows: String = text
        .table
        .rows
        .iter()
        .map(|row| {
            format!("TableRow {{ label: {:?}, distributed: {:?}, centralised: {:?} }}, ", row.label, row.distributed, row.centralised)
        })
        .collect();
    let sections: String = text.sections.iter().map(|section| texts.titled(&section.title, &section.text)).collect::<Result<_, _>>()?;
    let myth = |item: &Myth| {
        let Readings { r#true, r#false, depends } = &item.readings;
        let fact = texts.html(&item.fact)?;
        Ok(format!("Myth {{ title: {:?}, fact_html: {fact:?}, readings: [{:?}, {:?}, {:?}] }}, ", item.myth, r#true, r#false, depends))
    };
    let myths: String = text.myths.items.iter().map(myth).collect::<Result<_, Fault>>()?;
    let plain = |part: &Definition| format!("Titled {{ title: {:?}, text: {:?} }}", part.title, part.text);
    let headed = |heading: &str, intro: &str| format!("Headed {{ heading: {heading:?}, intro: {intro:?} }}");
    Ok(format!(
        "Body {{ kicker: {:?}, title_distributed: {:?}, title_centralised: {:?}, lead: {:?}, distributed: {}, centralised: {}, table_heading: {:?}, table_caption: {:?}, table_columns: [{:?}, {:?}], rows: &[{rows}], calculator: {}, all_settings: {:?}, sections: &[{sections}], myths: {}, myth_items: &[{myths}], verdict_heading: {:?}, verdict_distributed_html: {:?}, verdict_centralised_html: {:?}, verdict_closing_html: {:?}, related: {}, sources_heading: {:?}, sources_html: {:?}, accuracy_html: {:?} }}",
        text.kicker,
        text.title_distributed,
        text.title_centralised,
        text.lead,
        plain(&text.definitions.distributed),
        plain(&text.definitions.centralised),
        text.table.heading,
        text.table.caption,
        text.table.distributed,
        text.table.centralised,
        headed(&text.calculator.heading, &text.calculator.intro),
        text.calculator.all_settings,
        headed(&text.myths.heading, &text.myths.intro),
        text.verdict.heading,
        texts.html(&text.verdict.distributed)?,
        texts.html(&text.verdict.centralised)?,
        texts.html(&text.verdict.closing)?,
        headed(&text.related.heading, &text.related.intro),
        text.sources.heading,
        texts.html(&text.sources.intro)?,
        texts.html(&text.sources.accuracy)?,
    ))
}

fn comparison(folder: &Path, pages: &HashMap<&str, HashMap<String, String>>) -> Result<(u32, String), Fault> {
    let meta_file = folder.join("comparison.toml");
    let meta: Meta = load(&meta_file)?;
    if folder.file_name().is_none_or(|name| name != meta.id.as_str()) {
        return Err(Fault::of(&meta_file, format!("id is `{}`, expected the folder's name", meta.id)));
    }
    let is_live = match meta.status.as_str() {
        "live" => true,
        "announced" => false,
        other => return Err(Fault::of(&meta_file, format!("status is `{other}`, expected live or announced"))),
    };
    let (source_rows, addresses) = sources(&meta_file, &meta.sources)?;
    let mut texts = String::new();
    for lang in LANGS {
        let file = folder.join(format!("{lang}.toml"));
        let AnnouncedWithBody { slug, title, card_title, card_summary, description, body } = if is_live {
            let text: Live = load(&file)?;
            let texts = Texts { file: &file, links: Links { sources: &addresses, pages: &pages[lang] } };
            let body = live(&file, &meta, &text, &texts)?;
            let Live { slug, title, card_title, card_summary, description, .. } = text;
            AnnouncedWithBody { slug, title, card_title, card_summary, description, body: format!("Some({body})") }
        } else {
            let Announced { slug, title, card_title, card_summary, description } = load(&file)?;
            AnnouncedWithBody { slug, title, card_title, card_summary, description, body: "None".to_string() }
        };
        texts.push_str(&format!(
            "{lang}: ComparisonText {{ slug: {slug:?}, title: {title:?}, card_title: {card_title:?}, card_summary: {card_summary:?}, description: {description:?}, body: {body} }}, "
        ));
    }
    let literal = format!(
        "Comparison {{ id: {:?}, live: {is_live}, rows: {}, sections: {}, myths: {}, sources: {source_rows}, text: ByLang {{ {texts} }} }},\n",
        meta.id,
        parts(&meta.table_rows),
        parts(&meta.sections),
        parts(&meta.myths)
    );
    Ok((meta.order, literal))
}

fn site_text(file: &Path, site: &Site, texts: &Texts) -> Result<String, Fault> {
    let page = |title: &str, description: &str, lead: &str| {
        format!("PageText {{ title: {title:?}, description: {description:?}, lead: {lead:?} }}")
    };
    let mut sections = String::new();
    for Section { id, title, text } in &site.method.sections {
        // In the browser the text stands in the page itself; a copy in the app would make every other page heavier.
        let html = if for_browser() { String::new() } else { texts.html(text)? };
        sections.push_str(&format!("MethodSection {{ id: {id:?}, title: {title:?}, html: {html:?} }}, "));
    }
    if sections.is_empty() {
        return Err(Fault::of(file, "method.sections: expected at least one"));
    }
    Ok(format!(
        "SiteText {{ name: {:?}, tagline: {:?}, comparisons_slug: {:?}, calculator_slug: {:?}, method_slug: {:?}, index: {}, heading_live: {:?}, heading_announced: {:?}, announced_note: {:?}, calculator: {}, method: {}, method_sections: &[{sections}], not_found: {}, not_found_back: {:?}, embedding: {}, embed: {}, root: {}, licence: {:?}, privacy_note: {:?} }}",
        site.site.name,
        site.site.tagline,
        site.slugs.comparisons,
        site.slugs.calculator,
        site.slugs.method,
        page(&site.index.title, &site.index.description, &site.index.lead),
        site.index.heading_live,
        site.index.heading_announced,
        site.index.announced_note,
        page(&site.calculator.title, &site.calculator.description, &site.calculator.lead),
        page(&site.method.title, &site.method.description, &site.method.lead),
        page(&site.not_found.title, &site.not_found.description, &site.not_found.text),
        site.not_found.back,
        site.embedding.literal(&site.slugs.embedding, |text| texts.html(text))?,
        page(&site.embed.title, &site.embed.description, ""),
        page(&site.root.title, &site.root.description, &site.root.choose),
        site.footer.licence,
        site.footer.note,
    ))
}

/// Whether the constants are for the app in the browser; cargo says so to build scripts.
fn for_browser() -> bool {
    std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32")
}

/// The folders of comparisons: all but the site's own.
fn comparison_folders(content: &Path) -> Result<Vec<PathBuf>, Fault> {
    let entries = fs::read_dir(content).map_err(|error| Fault::of(content, error))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(|path| path.is_dir() && !path.ends_with("site")).collect();
    folders.sort();
    Ok(folders)
}

/// Names that texts link to as `page:NAME` → paths from the site's root.
fn page_paths(lang: &str, site: &Site, comparison_slug: &str) -> HashMap<String, String> {
    HashMap::from([
        ("index".to_string(), format!("{lang}/")),
        ("comparison".to_string(), format!("{lang}/{}/{comparison_slug}/", site.slugs.comparisons)),
        ("calculator".to_string(), format!("{lang}/{}/", site.slugs.calculator)),
        ("method".to_string(), format!("{lang}/{}/", site.slugs.method)),
        ("embedding".to_string(), format!("{lang}/{}/", site.slugs.embedding)),
    ])
}

/// The slug of the first live comparison, to which `page:comparison` leads.
fn main_slug(content: &Path, lang: &str) -> Result<String, Fault> {
    for folder in comparison_folders(content)? {
        let meta: Meta = load(&folder.join("comparison.toml"))?;
        if meta.order == 1 {
            let text: Live = load(&folder.join(format!("{lang}.toml")))?;
            return Ok(text.slug);
        }
    }
    Err(Fault::of(content, "expected a comparison with order = 1, found none"))
}

/// The constants as Rust source.
pub fn emit(content: &Path) -> Result<String, Fault> {
    let mut pages = HashMap::new();
    let mut sites = HashMap::new();
    for lang in LANGS {
        let site: Site = load(&content.join("site").join(format!("{lang}.toml")))?;
        pages.insert(lang, page_paths(lang, &site, &main_slug(content, lang)?));
        sites.insert(lang, site);
    }
    let meta_file = content.join("site/site.toml");
    let meta: SiteMeta = load(&meta_file)?;
    let (source_rows, addresses) = sources(&meta_file, &meta.sources)?;
    let method = |lang: &str| -> Vec<&str> { sites[lang].method.sections.iter().map(|section| section.id.as_str()).collect() };
    let embedding = |lang: &str| -> Vec<&str> { sites[lang].embedding.sections.iter().map(|section| section.id.as_str()).collect() };
    for (name, de, en) in [("method", method("de"), method("en")), ("embedding", embedding("de"), embedding("en"))] {
        if de != en {
            return Err(Fault::of(&content.join("site/en.toml"), format!("{name}.sections: expected {de:?} as in de.toml, found {en:?}")));
        }
    }
    let mut out = String::from("/// The site's own texts.\npub static SITE: ByLang<SiteText> = ByLang {\n");
    for lang in LANGS {
        let file = content.join("site").join(format!("{lang}.toml"));
        let texts = Texts { file: &file, links: Links { sources: &addresses, pages: &pages[lang] } };
        out.push_str(&format!("    {lang}: {},\n", site_text(&file, &sites[lang], &texts)?));
    }
    out.push_str(&format!("}};\n\n/// Sources of the method page.\npub static METHOD_SOURCES: &[Source] = {source_rows};\n"));
    let mut comparisons = comparison_folders(content)?.iter().map(|folder| comparison(folder, &pages)).collect::<Result<Vec<_>, _>>()?;
    comparisons.sort_by_key(|(order, _)| *order);
    let literals: String = comparisons.into_iter().map(|(_, literal)| literal).collect();
    out.push_str(&format!("\n/// Every comparison, the live ones first.\npub static COMPARISONS: &[Comparison] = &[\n{literals}];\n"));
    Ok(out)
}

/// What every comparison has, and the literal of its page.
struct AnnouncedWithBody {
    slug: String,
    title: String,
    card_title: String,
    card_summary: String,
    description: String,
    body: String,
}
