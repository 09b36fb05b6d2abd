//! From page to page without losing the state: the router says where to, the prerendered page comes from the server, and its living parts
//! are mounted in the places that it has for them.

use super::{Program, address, each, island, marked, set_language, show};
use crate::locale::Lang;
use crate::ui::State;
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos_router::location::{BrowserUrl, LocationProvider, Url};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, DomParser, Element, HtmlElement, Response, SupportedType};

/// The address of the site's root, with its trailing slash.
pub fn root_address() -> String {
    let base = document().base_uri().ok().flatten().unwrap_or_default();
    let end = base.rfind('/').map_or(base.len(), |slash| slash + 1);
    base[..end].to_string()
}

/// What is mounted, until it is dropped.
pub type Handle = UnmountHandle<<AnyView as Render>::State>;

/// The living parts of the page that is shown.
#[derive(Clone, Copy)]
pub struct Mounted {
    program: Program,
    owner: StoredValue<Option<Owner>>,
    handles: StoredValue<Vec<Handle>, LocalStorage>,
}

impl Mounted {
    /// None yet; their owner is the present one.
    pub fn new(program: Program) -> Mounted {
        Mounted { program, owner: StoredValue::new(Owner::current()), handles: StoredValue::new_local(Vec::new()) }
    }

    /// Mounts every living part of the page.
    pub fn mount(self) {
        each(&document(), "[data-island]", |place| self.mount_at(place));
    }

    fn mount_at(self, place: HtmlElement) {
        let (Some(part), Some(owner)) = (island(&place), self.owner.get_value()) else { return };
        let view = self.program.view;
        let handle = mount_within(&owner, place, move || view(part));
        self.handles.update_value(|handles| handles.push(handle));
    }

    /// Mounts every living part anew: the language has changed.
    pub fn renew(self) {
        self.unmount();
        self.mount();
    }

    fn unmount(self) {
        self.handles.set_value(Vec::new());
    }
}

/// Mounts a view in the place of what was prerendered there, below `owner`.
pub fn mount_within(owner: &Owner, place: HtmlElement, view: impl FnOnce() -> AnyView + 'static) -> Handle {
    // Not as text: a page around that wants Trusted Types would refuse.
    place.replace_children_with_node_0();
    owner.with(|| mount_to(place, view))
}

/// Follows links within the site, back and forward.
pub fn follow(state: State, root: &str, mounted: Mounted) {
    let Ok(location) = BrowserUrl::new() else { return };
    let base = web_sys::Url::new(root).map(|url| url.pathname()).unwrap_or_default();
    location.init(Some(base.trim_end_matches('/').to_string().into()));
    let url = location.as_url().clone();
    let shown = StoredValue::new(url.read_untracked().path().to_string());
    Effect::new(move |before: Option<()>| {
        let url = url.get();
        if before.is_none() {
            return;
        }
        // A link that carries a scenario opens it; one without keeps the present one. Back and forward have adopted theirs already.
        let query = url.search();
        if !query.is_empty() && query != untrack(|| state.query()) {
            state.adopt(query);
        }
        if shown.get_value() != url.path() {
            shown.set_value(url.path().to_string());
            let location = location.clone();
            leptos::task::spawn_local(async move { go(state, mounted, &location, &url, shown).await });
        }
    });
}

/// Shows the page at `url`; where it cannot be fetched, the browser goes there by itself.
async fn go(state: State, mounted: Mounted, location: &BrowserUrl, url: &Url, shown: StoredValue<String>) {
    let address = format!("{}{}", url.origin(), url.path());
    let page = fetch(&address).await.ok();
    // Another link may have been followed while this page was on its way.
    if shown.get_value() != url.path() {
        return;
    }
    // A page whose parts this program lacks is loaded anew, with its own.
    let served = page.filter(|page| mounted.program.serves(marked(page, "data-program").as_deref()));
    let replaced = served.is_some_and(|page| {
        mounted.unmount();
        replace(&page, state).is_some()
    });
    if !replaced {
        // If the browser refuses this too, the page stays as it is.
        // What a link carried has been adopted by now; its address is not that of the window yet.
        let query = untrack(|| state.query());
        let query = if query.is_empty() { query } else { format!("?{query}") };
        let _ = window().location().set_href(&format!("{address}{query}{}", url.hash()));
        return;
    }
    mounted.mount();
    show();
    location.ready_to_complete();
    address::write_links(state);
    if let Some(content) = document().get_element_by_id("content").and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // So that the next Tab, and a screen reader, start at the new page's content.
        let _ = content.focus();
    }
}

async fn fetch(address: &str) -> Result<Document, JsValue> {
    let response: Response = JsFuture::from(window().fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from(response.status()));
    }
    let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
    DomParser::new()?.parse_from_string(&text, SupportedType::TextHtml)
}

/// Puts another page in the place of the present one; nothing if it is no page of this site.
fn replace(page: &Document, state: State) -> Option<()> {
    let to = document().document_element()?;
    let kind = marked(page, "data-page")?;
    let lang = marked(page, "lang").as_deref().and_then(Lang::from_tag)?;
    // A script that is put in as text does not run: a page that has one is the browser's to load, also on the way back to it.
    if page.body()?.query_selector("script").ok()?.is_some() {
        return None;
    }
    document().body()?.set_inner_html(&page.body()?.inner_html());
    document().set_title(&page.title());
    // The attribute's name is valid.
    let _ = to.set_attribute("data-page", &kind);
    let head = document().head()?;
    each(&document(), "[data-head]", |old: Element| old.remove());
    each(page, "[data-head]", |new: Element| {
        // A node of another document is adopted on insertion.
        let _ = head.append_child(&new);
    });
    state.speak(lang);
    set_language(lang);
    Some(())
}
