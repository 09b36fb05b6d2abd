//! Every page as HTML, made natively from the same views that run in the browser; each claim alone; the charts as pictures; the answers to
//! oEmbed.

mod claims;
mod element;
mod oembed;
mod pictures;

use crate::chart::escaped;
use crate::content::site as site_text;
use crate::head::{Tag, tags, title};
use crate::locale::Lang;
use crate::pages::Place;
use crate::pages::calculator::Calculator;
use crate::pages::comparison::ComparisonPage;
use crate::pages::embed::Embed;
use crate::pages::embedding::Embedding;
use crate::pages::frame::{Footer, Header};
use crate::pages::index::Index;
use crate::pages::method::Method;
use crate::pages::root::Root;
use crate::ui::State;
use crate::ui::theme::ThemeChoice;
use leptos::prelude::*;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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
            Place::Embedding(lang) => view! { <Embedding lang/> }.into_any(),
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
            Tag::Link { rel, kind, hreflang, href } => {
                let kind = kind.map_or(String::new(), |kind| format!(" type=\"{kind}\""));
                let language = hreflang.map_or(String::new(), |code| format!(" hreflang=\"{code}\""));
                out.push_str(&format!("\n<link rel=\"{rel}\"{kind}{language} href=\"{}\" data-head>", escaped(&href)));
            }
        }
    }
    out
}

/// The files of the calculator's program as trunk writes them, and the end of each.
const CALCULATOR: [(&str, &str); 2] = [("calculator.js", ".js"), ("calculator_bg.wasm", "_bg.wasm")];

/// Where the shell says which program brings claims to life.
const UNNAMED: &str = "data-calculator=\"calculator\"";

/// How the shell's references to the program of all other pages begin; a hash follows.
const PAGES: &str = "./pages-";

/// Names the calculator's program by its content, as trunk names the other, so that a cached file is never taken for a newer one; returns
/// how references to it begin.
fn name_calculator(folder: &Path) -> Result<String, PrerenderError> {
    let mut hasher = DefaultHasher::new();
    for (name, _) in CALCULATOR {
        let file = folder.join(name);
        fs::read(&file).map_err(|error| fault(&file, error))?.hash(&mut hasher);
    }
    let stem = format!("calculator-{:016x}", hasher.finish());
    for (name, end) in CALCULATOR {
        let file = folder.join(name);
        fs::rename(&file, folder.join(format!("{stem}{end}"))).map_err(|error| fault(&file, error))?;
    }
    Ok(format!("./{stem}"))
}

/// The shell of the calculator's page: it loads `calculator` in the place of the program of all other pages.
fn with_calculator(shell: &str, calculator: &str) -> Option<String> {
    let start = shell.find(PAGES)?;
    let hash = shell[start + PAGES.len()..].chars().take_while(char::is_ascii_hexdigit).count();
    Some(shell.replace(&shell[start..start + PAGES.len() + hash], calculator))
}

/// A whole page from the shell.
pub fn page(shell: &str, place: Place, site: &str) -> String {
    let path = place.path();
    let depth = path.matches('/').count();
    let base = if depth == 0 { "./".to_string() } else { "../".repeat(depth) };
    shell
        .replacen(
            "<html lang=\"en\"",
            &format!("<html lang=\"{}\" data-page=\"{}\" data-program=\"{}\"", place.lang().code(), place.kind(), place.program()),
            1,
        )
        .replacen("<base href=\"./\"", &format!("<base href=\"{base}\""), 1)
        .replacen(HEAD, &head(place, site), 1)
        .replacen(BODY, &body(place), 1)
}

/// Writes every page of the site, and the files that go with them, into `folder`, whose `index.html` is the shell. `site` is the address of the root, if it is known.
///
/// # Errors
/// If the shell lacks a mark, or a file cannot be read or written.
pub fn site(folder: &Path, site: &str) -> Result<usize, PrerenderError> {
    let shell_file = folder.join("index.html");
    let shell = fs::read_to_string(&shell_file).map_err(|error| fault(&shell_file, error))?;
    for mark in ["<html lang=\"en\"", UNNAMED, "<base href=\"./\"", HEAD, BODY] {
        if !shell.contains(mark) {
            return Err(PrerenderError(format!("{}: expected `{mark}`, found none", shell_file.display())));
        }
    }
    let calculator = name_calculator(folder)?;
    let shell = shell.replacen(UNNAMED, &format!("data-calculator=\"{calculator}\""), 1);
    let with_calculator = with_calculator(&shell, &calculator)
        .ok_or_else(|| PrerenderError(format!("{}: expected a reference `{PAGES}…`, found none", shell_file.display())))?;
    element::write_all(folder, &calculator)?;
    write(&folder.join("404.html"), not_found().as_bytes())?;
    pictures::write_all(folder)?;
    claims::write_all(folder, &shell, &calculator)?;
    let pages = Place::all();
    for place in &pages {
        let shell = if place.program() == "calculator" { &with_calculator } else { &shell };
        write(&folder.join(place.path()).join("index.html"), page(shell, *place, site).as_bytes())?;
    }
    if !site.is_empty() {
        write(&folder.join("sitemap.xml"), sitemap(&pages, site).as_bytes())?;
        oembed::write_all(folder, site)?;
    }
    Ok(pages.len())
}

fn fault(file: &Path, what: std::io::Error) -> PrerenderError {
    PrerenderError(format!("{}: {what}", file.display()))
}

/// Writes a file, and the folders that it lies in.
fn write(file: &Path, bytes: &[u8]) -> Result<(), PrerenderError> {
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).map_err(|error| fault(parent, error))?;
    }
    fs::write(file, bytes).map_err(|error| fault(file, error))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calculator_loads_its_own_program() {
        let loads = |stem: &str| format!("<script>import init from '{stem}.js';</script><link rel=\"preload\" href=\"{stem}_bg.wasm\">");
        let shell = loads("./pages-1a2b");
        assert_eq!(with_calculator(&shell, "./calculator-3c").as_deref(), Some(loads("./calculator-3c").as_str()));
        assert_eq!(with_calculator("<head></head>", "./calculator-3c"), None);
    }
}
