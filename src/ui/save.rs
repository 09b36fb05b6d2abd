//! What the browser saves, copies, prints, and which keys undo.

#[cfg(target_arch = "wasm32")]
pub use living::*;
#[cfg(not(target_arch = "wasm32"))]
pub use still::*;

#[cfg(target_arch = "wasm32")]
mod living {
    use leptos::ev::{self, MouseEvent};
    use leptos::prelude::*;
    use wasm_bindgen::JsCast;

    /// The address of the page without its query.
    pub fn link_of_page() -> String {
        let location = window().location();
        format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default())
    }

    /// Puts a text on the clipboard. Where the browser refuses, it can still be selected.
    pub fn copy_text(text: &str) {
        drop(window().navigator().clipboard().write_text(text));
    }

    /// Prints the page. A browser without printing ignores it.
    pub fn print_page() {
        let _ = window().print();
    }

    /// Milliseconds since 1970.
    pub fn now_ms() -> f64 {
        js_sys::Date::now()
    }

    /// Gives the followed link its content, made at this moment; the browser saves it.
    pub fn save(event: &MouseEvent, kind: &str, text: &str) {
        lead(event, &format!("data:{kind};charset=utf-8,{}", String::from(js_sys::encode_uri_component(text))));
    }

    /// The same with the picture of the canvas that `selector` finds.
    pub fn save_picture(event: &MouseEvent, selector: &str) {
        let canvas =
            document().query_selector(selector).ok().flatten().and_then(|found| found.dyn_into::<web_sys::HtmlCanvasElement>().ok());
        if let Some(address) = canvas.and_then(|canvas| canvas.to_data_url().ok()) {
            lead(event, &address);
        }
    }

    fn lead(event: &MouseEvent, address: &str) {
        if let Some(link) = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) {
            // The attribute's name is valid.
            let _ = link.set_attribute("href", address);
        }
    }

    /// Calls `act` on Ctrl+Z with `false`, on Ctrl+Y and Ctrl+Shift+Z with `true`, as long as the owner lives; a text field undoes its own.
    pub fn on_undo_keys(act: impl Fn(bool) + 'static) {
        let listener = window_event_listener(ev::keydown, move |event| {
            let typing = event
                .target()
                .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
                .is_some_and(|element| element.matches("input[type=text], textarea").unwrap_or(false));
            let key = event.key().to_ascii_lowercase();
            if typing || !(event.ctrl_key() || event.meta_key()) || !matches!(key.as_str(), "z" | "y") {
                return;
            }
            event.prevent_default();
            act(key == "y" || event.shift_key());
        });
        on_cleanup(move || listener.remove());
    }
}

/// Nothing saves or copies before the program runs.
#[cfg(not(target_arch = "wasm32"))]
mod still {
    #![allow(missing_docs)]
    use leptos::ev::MouseEvent;

    pub fn link_of_page() -> String {
        String::new()
    }

    pub fn copy_text(_: &str) {}

    pub fn print_page() {}

    pub fn now_ms() -> f64 {
        0.0
    }

    pub fn save(_: &MouseEvent, _: &str, _: &str) {}

    pub fn save_picture(_: &MouseEvent, _: &str) {}

    pub fn on_undo_keys(_: impl Fn(bool) + 'static) {}
}
