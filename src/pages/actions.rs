//! What can be taken away: the link, the figures, paper.

use crate::report::take;
use crate::ui::state::use_state;
use leptos::prelude::*;

/// Link, CSV, Markdown, print.
#[component]
pub fn Actions() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let copied = RwSignal::new(false);
    Effect::new(move |_| {
        state.scenario.track();
        copied.set(false);
    });
    let copy = move |_| {
        copy_text(&link(state));
        copied.set(true);
    };
    let csv = move |event| save(&event, "text/csv", &state.worked.with_untracked(|w| take::csv(&w.answers)));
    let markdown = move |event| save(&event, "text/markdown", &state.worked.with_untracked(|w| take::markdown(&w.answers, lang)));
    view! {
        <nav class="actions" aria-label=m.actions>
            <span>{m.actions}": "</span>
            <button type="button" on:click=copy>{move || if copied.get() { m.act_copied } else { m.act_link }}</button>
            <a href="#content" download="crossover.csv" data-action="csv" on:click=csv>{m.act_csv}</a>
            <a href="#content" download="crossover.md" data-action="markdown" on:click=markdown>{m.act_markdown}</a>
            <button type="button" on:click=|_| print_page()>{m.act_print}</button>
        </nav>
    }
    .into_any()
}

/// The address of the page with the present scenario, whatever the throttle has written so far.
#[cfg(target_arch = "wasm32")]
fn link(state: crate::ui::State) -> String {
    let location = window().location();
    let (origin, path) = (location.origin().unwrap_or_default(), location.pathname().unwrap_or_default());
    let query = untrack(|| state.query());
    if query.is_empty() { format!("{origin}{path}") } else { format!("{origin}{path}?{query}") }
}

#[cfg(target_arch = "wasm32")]
fn copy_text(text: &str) {
    // Where the browser refuses, the address bar still has the link.
    drop(window().navigator().clipboard().write_text(text));
}

#[cfg(target_arch = "wasm32")]
fn print_page() {
    // A browser without printing ignores it.
    let _ = window().print();
}

/// Gives the followed link its content, made at this moment; the browser saves it.
#[cfg(target_arch = "wasm32")]
fn save(event: &leptos::ev::MouseEvent, kind: &str, text: &str) {
    use wasm_bindgen::JsCast;
    if let Some(link) = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) {
        let body = String::from(js_sys::encode_uri_component(text));
        // The attribute's name is valid.
        let _ = link.set_attribute("href", &format!("data:{kind};charset=utf-8,{body}"));
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn link(_: crate::ui::State) -> String {
    String::new()
}

#[cfg(not(target_arch = "wasm32"))]
fn copy_text(_: &str) {}

#[cfg(not(target_arch = "wasm32"))]
fn print_page() {}

#[cfg(not(target_arch = "wasm32"))]
fn save(_: &leptos::ev::MouseEvent, _: &str, _: &str) {}
