//! What joins the app to the browser: mounting over the prerendered page, the address, the head, the stored choices.

use crate::app::App;
use crate::head::{Tag, tags, title};
use crate::locale::Lang;
use crate::pages::Place;
use crate::pages::frame::{Theme, ThemeChoice};
use crate::pages::method::Prerendered;
use crate::ui::State;
use crate::ui::canvas::Repaint;
use gloo::timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_media_query::use_media_query;
use wasm_bindgen::{JsCast, JsValue};

const THEME_KEY: &str = "crossover-theme";
const LANG_KEY: &str = "crossover-lang";

/// Milliseconds between two writes of the address: Safari refuses more than 100 in 30 s.
const WRITE_EVERY_MS: u32 = 400;

/// Replaces the prerendered page by the app, in one turn of the event loop, so that nothing jumps.
pub fn start() {
    console_error_panic_hook::set_once();
    let root = root_address();
    let base = web_sys::Url::new(&root).map(|url| url.pathname()).unwrap_or_default();
    let query = window().location().search().unwrap_or_default();
    let (x, y) = (window().scroll_x().unwrap_or(0.0), window().scroll_y().unwrap_or(0.0));
    let Some(body) = document().body() else { return };
    let text = document().query_selector(".method-text").ok().flatten().map(|element| Prerendered(element.inner_html()));
    body.set_inner_html("");
    let base = base.trim_end_matches('/').to_string();
    leptos::mount::mount_to_body(move || {
        if let Some(text) = text.clone() {
            provide_context(text);
        }
        view! { <App base=base.clone() query=query.clone()/> }
    });
    window().scroll_to_with_x_and_y(x, y);
}

/// The address of the site's root, with its trailing slash.
fn root_address() -> String {
    let base = document().base_uri().ok().flatten().unwrap_or_default();
    let end = base.rfind('/').map_or(base.len(), |slash| slash + 1);
    base[..end].to_string()
}

/// Ties the state to the browser.
pub fn connect(state: State, place: Memo<Place>) {
    if matches!(place.get_untracked(), Place::Root) {
        go_to_own_language();
    }
    write_address(state, place);
    write_head(place);
    follow_theme(place);
    Effect::new(|| {
        if let Some(element) = document().document_element() {
            // Tests and stylesheets may wait for the running app; nothing depends on it.
            let _ = element.set_attribute("data-app", "ready");
        }
    });
}

/// What was stored; nothing where the browser refuses storage, as sandboxed frames do.
fn recall(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Stores a choice, or forgets it; a browser without storage forgets at once.
fn remember(key: &str, value: Option<&str>) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

/// At the root: on to the stored language, else the browser's.
fn go_to_own_language() {
    let stored = recall(LANG_KEY).and_then(|tag| Lang::from_tag(&tag));
    let browser = || window().navigator().languages().iter().filter_map(|tag| tag.as_string()).find_map(|tag| Lang::from_tag(&tag));
    let lang = stored.or_else(browser).unwrap_or_default();
    // If the browser refuses, the page still offers both languages.
    let _ = window().location().replace(&format!("{}{}", root_address(), Place::Index(lang).path()));
}

/// State → address, throttled, only what differs from the defaults; address → state on back and forward, and on links that carry a scenario.
fn write_address(state: State, place: Memo<Place>) {
    let write = move || {
        let Some(place) = place.try_get_untracked() else { return };
        if !place.has_scenario() {
            return;
        }
        let query = untrack(|| state.query());
        let location = window().location();
        let (path, hash) = (location.pathname().unwrap_or_default(), location.hash().unwrap_or_default());
        let wanted = if query.is_empty() { String::new() } else { format!("?{query}") };
        if location.search().unwrap_or_default() != wanted
            && let Ok(history) = window().history()
        {
            let entry = history.state().unwrap_or(JsValue::NULL);
            // Frames without an address of their own refuse; the page works without.
            let _ = history.replace_state_with_url(&entry, "", Some(&format!("{path}{wanted}{hash}")));
        }
    };
    // One write waits at a time and takes the state as it is by then: a trailing throttle.
    let waiting = StoredValue::new_local(None::<Timeout>);
    let throttled = move || {
        if waiting.with_value(Option::is_none) {
            waiting.set_value(Some(Timeout::new(WRITE_EVERY_MS, move || {
                waiting.try_set_value(None);
                write();
            })));
        }
    };
    Effect::new(move |before: Option<()>| {
        state.scenario.track();
        state.foreign.track();
        place.track();
        if before.is_some() {
            throttled();
        }
    });
    let adopt = move || {
        let query = window().location().search().unwrap_or_default();
        if query.trim_start_matches('?') != untrack(|| state.query()) {
            state.adopt(&query);
        }
    };
    let back = window_event_listener(ev::popstate, move |_| adopt());
    on_cleanup(move || back.remove());
    // A followed link that carries a scenario opens it; one without keeps the present one.
    Effect::new(move |before: Option<()>| {
        place.track();
        let query = window().location().search().unwrap_or_default();
        if before.is_some() && query.len() > 1 {
            adopt();
        }
    });
}

/// Title, language and tags of the page that is shown.
fn write_head(place: Memo<Place>) {
    let root = root_address();
    Effect::new(move || {
        let place = place.get();
        let Some(head) = document().head() else { return };
        document().set_title(&title(place));
        if let Some(element) = document().document_element() {
            // The attribute's name is valid.
            let _ = element.set_attribute("lang", place.lang().code());
        }
        remember(LANG_KEY, Some(place.lang().code()));
        if let Ok(old) = head.query_selector_all("[data-head]") {
            for index in 0..old.length() {
                if let Some(element) = old.get(index).and_then(|node| node.dyn_into::<web_sys::Element>().ok()) {
                    element.remove();
                }
            }
        }
        for tag in tags(place, &root) {
            let (name, attributes) = match tag {
                Tag::Meta { attribute, name, content } => ("meta", vec![(attribute, name.to_string()), ("content", content)]),
                Tag::Link { rel, hreflang, href } => {
                    let language = hreflang.map(|code| ("hreflang", code.to_string()));
                    ("link", [("rel", rel.to_string()), ("href", href)].into_iter().chain(language).collect())
                }
            };
            let Ok(element) = document().create_element(name) else { continue };
            for (attribute, value) in attributes.into_iter().chain([("data-head", String::new())]) {
                // The attributes' names are valid.
                let _ = element.set_attribute(attribute, &value);
            }
            let _ = head.append_child(&element);
        }
    });
}

/// Brightness: the stored choice, the switch, the device; canvases draw anew when it changes.
fn follow_theme(place: Memo<Place>) {
    let ThemeChoice(theme) = expect_context::<ThemeChoice>();
    let repaint = RwSignal::new(0);
    provide_context(Repaint(repaint));
    let embedded = move || matches!(place.get_untracked(), Place::Embed(_));
    if !embedded() {
        theme.set(recall(THEME_KEY).as_deref().map_or(Theme::Auto, Theme::from_key));
    }
    let dark = use_media_query("(prefers-color-scheme: dark)");
    Effect::new(move |before: Option<()>| {
        let chosen = theme.get();
        dark.track();
        if before.is_some() && !embedded() {
            if let Some(element) = document().document_element() {
                // The attribute's name is valid.
                let _ = match chosen.key() {
                    Some(key) => element.set_attribute("data-theme", key),
                    None => element.remove_attribute("data-theme"),
                };
            }
            remember(THEME_KEY, chosen.key());
        }
        repaint.update(|count| *count += 1);
    });
}
