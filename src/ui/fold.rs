//! A fold whose content is made when it is first opened: what nobody looks at costs nothing while a slider moves.

use leptos::ev;
use leptos::prelude::*;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::JsCast;

/// A fold. The prerendered page has its content from the start.
#[component]
pub fn Fold(
    /// What stands on it.
    summary: &'static str,
    /// What is in it.
    inside: ViewFn,
) -> impl IntoView {
    let opened = RwSignal::new(cfg!(not(target_arch = "wasm32")));
    view! { <details on:toggle=move |event| opened.set(is_open(&event))><summary>{summary}</summary>{move || opened.get().then(|| inside.run())}</details> }.into_any()
}

/// Whether the fold whose state this event tells of is open.
pub fn is_open(event: &ev::Event) -> bool {
    #[cfg(target_arch = "wasm32")]
    return event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()).is_some_and(|fold| fold.has_attribute("open"));
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = event;
        false
    }
}
