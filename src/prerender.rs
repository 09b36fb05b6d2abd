//! Every page as HTML, made natively from the same views that run in the browser.

use crate::chart::escaped;
use crate::content::site as site_text;
use crate::head::{Tag, tags, title};
use crate::locale::Lang;
use crate::pages::Place;
use crate::pages::calculator::Calculator;
use crate::pages::comparison::ComparisonPage;
use crate::pages::embed::Embed;
use crate::pages::frame::{Footer, Header};
use crate::pages::index::Index;
use crate::pages::method::Method;
use crate::pages::root::Root;
use crate::ui::State;
use crate::ui::theme::ThemeChoice;
use leptos::prelude::*;
use std::fs;
use std::path::Path;

/// Where the shell takes the head's tags, and the page.
const HEAD: &str = "<!--head-->";
const BODY: &str = "<!--body-->";

/// Why the site could not be written.
#[derive(Debug)]
pub struct PrerenderError(String);

impl std::fmt::Display for PrerenderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PrerenderError {}

/// The HTML of a page's body, in the default scenario.
pub fn body(place: Place) -> String {
    // A second call says that there is an executor already, which is all that is needed.
    let _ = any_spawner::Executor::init_futures_executor();
    let owner = Owner::new();
    owner.with(|| {
        let lang = place.lang();
        provide_context(State::new("", lang));
        provide_context(ThemeChoice::default());
        let page = match place {
            Place::Embed(_) => return view! { <Embed/> }.to_html(),
            Place::Root => view! { <Root/> }.into_any(),
            Place::Index(lang) => view! { <Index lang/> }.into_any(),
            Place::Comparison(lang, comparison) => view! { <ComparisonPage lang comparison/> }.into_any(),
            Place::Calculator(lang) => view! { <Calculator lang/> }.into_any(),
            Place::Method(lang) => view! { <Method lang/> }.into_any(),
        };
        view! { <Header place/><main id="content" tabindex="-1">{page}</main><Footer lang/> }.to_html()
    })
}

/// The head's tags of a page. `site` is the address of the root, if it is known.
pub fn head(place: Place, site: &str) -> String {
    let mut out = format!("<title>{}</title>", escaped(&title(place)));
    for tag in tags(place, site) {
        match tag {
            Tag::Meta { attribute, name, content } => {
                out.push_str(&format!("\n<meta {attribute}=\"{name}\" content=\"{}\" data-head>", escaped(&content)))
            }
            Tag::Link { rel, hreflang, href } => {
                let language = hreflang.map_or(String::new(), |code| format!(" hreflang=\"{code}\""));
                out.push_str(&format!("\n<link rel=\"{rel}\"{language} href=\"{}\" data-head>", escaped(&href)));
            }
        }
    }
    out
}

/// A whole page from the shell.
pub fn page(shell: &str, place: Place, site: &str) -> String {
    let path = place.path();
    let depth = path.matches('/').count();
    let base = if depth == 0 { "./".to_string() } else { "../".repeat(depth) };
    shell
        .replacen("<html lang=\"en\"", &format!("<html lang=\"{}\" data-page=\"{}\"", place.lang().code(), place.kind()), 1)
        .replacen("<base href=\"./\"", &format!("<base href=\"{base}\""), 1)
        .replacen(HEAD, &head(place, site), 1)
        .replacen(BODY, &body(place), 1)
}

/// Writes every page of the site into `folder`, whose `index.html` is the shell. `site` is the address of the root, if it is known.
///
/// # Errors
/// If the shell lacks a mark, or a file cannot be read or written.
pub fn site(folder: &Path, site: &str) -> Result<usize, PrerenderError> {
    let fault = |file: &Path, what: std::io::Error| PrerenderError(format!("{}: {what}", file.display()));
    let shell_file = folder.join("index.html");
    let shell = fs::read_to_string(&shell_file).map_err(|error| fault(&shell_file, error))?;
    for mark in ["<html lang=\"en\"", "<base href=\"./\"", HEAD, BODY] {
        if !shell.contains(mark) {
            return Err(PrerenderError(format!("{}: expected `{mark}`, found none", shell_file.display())));
        }
    }
    let file = folder.join("404.html");
    fs::write(&file, not_found()).map_err(|error| fault(&file, error))?;
    let pages = Place::all();
    for place in &pages {
        let file = folder.join(place.path()).join("index.html");
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(|error| fault(parent, error))?;
        }
        fs::write(&file, page(&shell, *place, site)).map_err(|error| fault(&file, error))?;
    }
    if !site.is_empty() {
        let file = folder.join("sitemap.xml");
        fs::write(&file, sitemap(&pages, site)).map_err(|error| fault(&file, error))?;
    }
    Ok(pages.len())
}

/// The page for what is not found: in both languages, and by itself, since it is shown at any depth.
fn not_found() -> String {
    let section = |lang: Lang| {
        let text = site_text(lang);
        let (heading, words, back) = (escaped(text.not_found.title), escaped(text.not_found.lead), escaped(text.not_found_back));
        let path = Place::Index(lang).path();
        format!(
            "<section lang=\"{}\"><h1>{heading}</h1><p>{words}</p><p><a href=\"/{path}\" data-path=\"{path}\">{back}</a></p></section>\n",
            lang.code()
        )
    };
    include_str!("not_found.html")
        .replacen("<!--title-->", &escaped(&Lang::ALL.map(|lang| site_text(lang).not_found.title).join(" · ")), 1)
        .replacen("<!--sections-->", &Lang::ALL.map(section).concat(), 1)
}

fn sitemap(pages: &[Place], site: &str) -> String {
    let listed = pages.iter().filter(|place| !matches!(place, Place::Embed(_)));
    let urls: String = listed.map(|place| format!("<url><loc>{}</loc></url>\n", escaped(&format!("{site}{}", place.path())))).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n")
}
