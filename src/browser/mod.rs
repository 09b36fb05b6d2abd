//! What joins the living parts to the browser: mounting them in the prerendered page, the address, the stored choices.

mod address;
pub mod element;
mod embedded;
mod frame;
mod navigate;
mod storage;
mod theme;
pub mod trials;

use crate::locale::Lang;
use crate::pages::island::Island;
use crate::ui::State;
use crate::ui::canvas::Colours;
use crate::ui::theme::ThemeChoice;
use leptos::prelude::*;
use leptos_use_media_query::use_media_query;
use navigate::{Mounted, root_address};
use wasm_bindgen::JsCast;

/// A program of the site: the living parts that it carries, and its name, by which a page says which one it needs (`data-program`).
#[derive(Clone, Copy)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// What stands in the place of a part.
    pub view: fn(Island) -> AnyView,
}

impl Program {
    /// Everything.
    pub const CALCULATOR: Program = Program { name: "calculator", view: Island::view };
    /// What all other pages need.
    pub const PAGES: Program = Program { name: "pages", view: Island::light };

    /// Whether it can bring a page to life that needs the program of this name.
    fn serves(self, name: Option<&str>) -> bool {
        self.name == Program::CALCULATOR.name || name == Some(self.name)
    }
}

/// Brings the parts of the prerendered page to life. On a page of another program, which has fetched this one for its claims alone, and on
/// a page of somebody else's, it waits to be called.
pub fn start(program: Program) {
    console_error_panic_hook::set_once();
    if marked(&document(), "data-program").as_deref() != Some(program.name) {
        return;
    }
    let root = root_address();
    if let Ok(Some(base)) = document().query_selector("base") {
        // Absolute, so that it holds when another page's address replaces this one's.
        let _ = base.set_attribute("href", &root);
    }
    under_one_owner(move || run(&root, program));
}

/// Runs `what` under an owner above all parts: it lives as long as the page does, in an element that is not shown.
fn under_one_owner(what: impl FnOnce() + 'static) {
    let Some(element) = document().create_element("div").ok().and_then(|element| element.dyn_into().ok()) else { return };
    leptos::mount::mount_to(element, what).forget();
}

/// The colours of the page, for all that is below the present owner; they may change with the device.
fn provide_colours(of: web_sys::Element) -> Colours {
    let colours = Colours::of(of);
    provide_context(colours);
    let dark = use_media_query("(prefers-color-scheme: dark)");
    Effect::new(move || {
        dark.track();
        colours.changed();
    });
    colours
}

fn run(root: &str, program: Program) {
    let query = window().location().search().unwrap_or_default();
    let state = State::new(&query, page_language(&query));
    provide_context(state);
    provide_context(ThemeChoice::default());
    let Some(page) = document().document_element() else { return };
    let colours = provide_colours(page.clone());
    set_language(state.lang());
    if page_kind() == "root" {
        go_to_own_language(root);
    }
    theme::follow(colours);
    address::follow(state);
    let mounted = Mounted::new(program);
    mounted.mount();
    if page_kind() == "embed" {
        frame::follow(page, state, colours, mounted, &query);
    } else {
        navigate::follow(state, root, mounted);
    }
    show();
}

/// What the root of `page` is marked with.
fn marked(page: &web_sys::Document, attribute: &str) -> Option<String> {
    page.document_element()?.get_attribute(attribute)
}

/// The kind of the page that is shown.
fn page_kind() -> String {
    marked(&document(), "data-page").unwrap_or_default()
}

/// The language of the page; an embedded one has that of its address.
fn page_language(query: &str) -> Lang {
    let asked = || embedded::pairs(query).filter(|(key, _)| key == "lang").find_map(|(_, value)| Lang::from_tag(&value));
    if page_kind() == "embed" { asked().unwrap_or_else(written_language) } else { written_language() }
}

/// The language that the page is marked with.
fn written_language() -> Lang {
    marked(&document(), "lang").as_deref().and_then(Lang::from_tag).unwrap_or_default()
}

fn set_language(lang: Lang) {
    if let Some(element) = document().document_element() {
        // The attribute's name is valid.
        let _ = element.set_attribute("lang", lang.code());
    }
    if !["root", "embed"].contains(&page_kind().as_str()) {
        storage::remember(storage::LANG, Some(lang.code()));
    }
}

/// At the root: on to the stored language, else the browser's.
fn go_to_own_language(root: &str) {
    let stored = storage::recall(storage::LANG).and_then(|tag| Lang::from_tag(&tag));
    let browser = || window().navigator().languages().iter().filter_map(|tag| tag.as_string()).find_map(|tag| Lang::from_tag(&tag));
    let lang = stored.or_else(browser).unwrap_or_default();
    // If the browser refuses, the page still offers both languages.
    let _ = window().location().replace(&format!("{root}{}/", lang.code()));
}

/// The figures are those of the address: the page may show them. Tests and stylesheets may wait for the mark.
fn show() {
    if let Some(element) = document().document_element() {
        // The attributes' names are valid.
        let _ = element.remove_attribute("data-pending");
        let _ = element.set_attribute("data-app", "ready");
    }
}

/// Does `act` to each element that `selector`, which is valid, finds in `page`.
fn each<T: JsCast>(page: &web_sys::Document, selector: &str, act: impl Fn(T)) {
    if let Some(root) = page.document_element() {
        each_within(&root, selector, act);
    }
}

/// The same within an element.
fn each_within<T: JsCast>(element: &web_sys::Element, selector: &str, act: impl Fn(T)) {
    let Ok(found) = element.query_selector_all(selector) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into().ok()) {
            act(element);
        }
    }
}

/// The living part that `element` is the place of.
fn island(element: &web_sys::Element) -> Option<Island> {
    element.get_attribute("data-island").as_deref().and_then(Island::from_key)
}
