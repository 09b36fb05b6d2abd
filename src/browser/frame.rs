//! The calculator in a frame: its page tells the host its height, and hears what the host says through the window.

use super::embedded::{Embedded, pairs, say};
use super::navigate::Mounted;
use super::set_language;
use crate::locale::Lang;
use crate::ui::State;
use crate::ui::canvas::Colours;
use leptos::ev;
use leptos::prelude::*;
use leptos_use_element_size::use_element_size;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Speaks with the host for as long as the page lives.
pub fn follow(page: Element, state: State, colours: Colours, mounted: Mounted, query: &str) {
    let tell: Rc<dyn Fn(&JsValue)> = Rc::new(post);
    let renew: Rc<dyn Fn(Lang)> = Rc::new(move |lang| {
        set_language(lang);
        mounted.renew();
    });
    let embedded = Embedded { root: page, state, colours, query: query.to_string(), claim: false, tell: tell.clone(), renew: Some(renew) };
    embedded.begin();
    tell_height(query, &tell);
    let heard = window_event_listener(ev::message, move |event| {
        let parent = window().parent().ok().flatten();
        if event.source().is_some_and(|source| parent.is_some_and(|parent| source == *parent.as_ref())) {
            embedded.hear(&event.data());
        }
    });
    on_cleanup(move || heard.remove());
    say(&tell, r#"{"source":"crossover","type":"ready"}"#);
}

/// Tells the host the page's height whenever it changes, in the words of this site and in Embedly's, which is JSON as text with the frame's
/// address as the host wrote it; a host that keeps a height of its own asks for none (`height=fixed`).
fn tell_height(query: &str, tell: &Rc<dyn Fn(&JsValue)>) {
    let Some(body) = document().body().filter(|_| pairs(query).all(|(key, value)| key != "height" || value != "fixed")) else { return };
    let size = use_element_size(body.clone());
    let src = window().location().href().unwrap_or_default();
    let told = StoredValue::new(0_i32);
    let tell = tell.clone();
    Effect::new(move |_| {
        size.height.track();
        let height = body.offset_height();
        // Only a change is told: a host that answers by resizing must not start a loop.
        if height > 0 && told.get_value() != height {
            told.set_value(height);
            say(&tell, &format!(r#"{{"source":"crossover","type":"height","height":{height}}}"#));
            // An address has no quotes and no backslashes.
            tell(&JsValue::from_str(&format!(r#"{{"context":"iframe.resize","height":{height},"src":"{src}"}}"#)));
        }
    });
}

/// Posts a message to the host; alone in its tab, the page has none.
fn post(message: &JsValue) {
    if let Some(host) = window().parent().ok().flatten().filter(|parent| *parent != window()) {
        // A host that is gone needs no answer.
        let _ = host.post_message(message, "*");
    }
}
