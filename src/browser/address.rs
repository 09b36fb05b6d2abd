//! State → address, throttled, only what differs from the defaults, and into every link that carries the scenario on; address → state on
//! back and forward.

use super::{each, page_kind};
use crate::ui::State;
use gloo::timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// Milliseconds between two writes of the address: Safari refuses more than 100 in 30 s.
const WRITE_EVERY_MS: u32 = 400;

/// Follows both for as long as the page lives.
pub fn follow(state: State) {
    // One write waits at a time and takes the state as it is by then: a trailing throttle.
    let waiting = StoredValue::new_local(None::<Timeout>);
    let throttled = move || {
        if waiting.with_value(Option::is_none) {
            waiting.set_value(Some(Timeout::new(WRITE_EVERY_MS, move || {
                waiting.try_set_value(None);
                write(state);
            })));
        }
    };
    write_links(state);
    Effect::new(move |before: Option<()>| {
        state.scenario.track();
        state.foreign.track();
        if before.is_some() {
            throttled();
        }
    });
    let back = window_event_listener(ev::popstate, move |_| {
        let query = window().location().search().unwrap_or_default();
        if query.trim_start_matches('?') != untrack(|| state.query()) {
            state.adopt(&query);
        }
    });
    on_cleanup(move || back.remove());
}

/// Writes the scenario into the address and the links now.
pub fn write(state: State) {
    write_links(state);
    if page_kind() == "root" {
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
}

/// Links marked `data-scenario` lead to their page with the present scenario.
pub fn write_links(state: State) {
    let query = untrack(|| state.query());
    each(&document(), "a[data-scenario]", |link: web_sys::Element| {
        let href = link.get_attribute("href").unwrap_or_default();
        let path = href.split('?').next().unwrap_or_default();
        let wanted = if query.is_empty() { path.to_string() } else { format!("{path}?{query}") };
        // The attribute's name is valid.
        let _ = link.set_attribute("href", &wanted);
    });
}
