//! Tabs as the ARIA practices describe them: arrow keys move, Home and End jump, one tab stop.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// A tab: key, label, panel.
pub struct Tab {
    /// Stable key; ids are `tab-KEY` and `panel-KEY`.
    pub key: &'static str,
    /// What stands on it.
    pub label: &'static str,
    /// What it opens. Rendered only while open.
    pub panel: ViewFn,
}

/// A strip of tabs and the open panel.
#[component]
pub fn Tabs(
    /// The tabs; the first is open.
    tabs: Vec<Tab>,
    /// Name of the strip.
    label: &'static str,
) -> impl IntoView {
    let open = RwSignal::new(0_usize);
    let count = tabs.len();
    let keys: Vec<&'static str> = tabs.iter().map(|tab| tab.key).collect();
    let on_key = {
        let keys = keys.clone();
        move |event: KeyboardEvent| {
            let at = open.get_untracked();
            let next = match event.key().as_str() {
                "ArrowRight" => (at + 1) % count,
                "ArrowLeft" => (at + count - 1) % count,
                "Home" => 0,
                "End" => count - 1,
                _ => return,
            };
            event.prevent_default();
            open.set(next);
            focus(&format!("tab-{}", keys[next]));
        }
    };
    let buttons = tabs
        .iter()
        .enumerate()
        .map(|(index, tab)| {
            let (key, label) = (tab.key, tab.label);
            view! {
                <button type="button" role="tab" id=format!("tab-{key}") aria-controls=format!("panel-{key}")
                    aria-selected=move || (open.get() == index).to_string() tabindex=move || if open.get() == index { "0" } else { "-1" }
                    on:click=move |_| open.set(index)>{label}</button>
            }
        })
        .collect_view();
    let panels = tabs
        .into_iter()
        .enumerate()
        .map(|(index, tab)| {
            let panel = tab.panel;
            view! {
                <div role="tabpanel" id=format!("panel-{}", tab.key) aria-labelledby=format!("tab-{}", tab.key) tabindex="0" hidden=move || open.get() != index>
                    {move || (open.get() == index).then(|| panel.run())}
                </div>
            }
        })
        .collect_view();
    view! {
        <div class="tabs">
            <div role="tablist" aria-label=label on:keydown=on_key>{buttons}</div>
            {panels}
        </div>
    }
    .into_any()
}

#[cfg(target_arch = "wasm32")]
fn focus(id: &str) {
    use wasm_bindgen::JsCast;
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        // An element that has left the page meanwhile needs no focus.
        let _ = element.focus();
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn focus(_: &str) {}
