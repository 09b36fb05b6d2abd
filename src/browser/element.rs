//! The calculator in an element of somebody else's page: without a frame, an address, a router or storage; all of one page in one program.

use super::embedded::{Embedded, pairs};
use super::navigate::{Handle, mount_within};
use super::provide_colours;
use crate::locale::Lang;
use crate::pages::compact::compact;
use crate::pages::island::Island;
use crate::pages::trial::{Link, LoneClaim, Spot};
use crate::report::claims::Claim;
use crate::ui::State;
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

/// A calculator or a claim in an element, until it is freed.
pub struct Embedding {
    embedded: Embedded,
    shown: Option<Handle>,
    owner: Owner,
}

impl Embedding {
    /// Does what the page around asks for: the messages are those to a frame, but for the language, which is another address.
    pub fn hear(&self, message: &JsValue) {
        self.embedded.hear(message);
    }
}

impl Drop for Embedding {
    fn drop(&mut self) {
        // What is shown goes before what it reads.
        self.shown = None;
        self.owner.cleanup();
    }
}

/// Puts into `root` what `query` asks for, as a frame's address would. `calculator` is the address of the calculator's page, `tell` is
/// called with what is to be said to the page around.
pub fn embed(root: HtmlElement, query: &str, calculator: String, tell: js_sys::Function) -> Embedding {
    let asked = |name: &str| pairs(query).find_map(|(key, value)| (key == name).then(|| value.into_owned()));
    let lang = asked("lang").as_deref().and_then(Lang::from_tag).unwrap_or_default();
    let claim = asked("view").filter(|view| view == "claim").and_then(|_| Claim::from_letter(&asked("claim")?.to_uppercase()));
    // The attribute's name is valid.
    let _ = root.set_attribute("lang", lang.code());
    // A second call says that there is one already, which is all that is needed.
    let _ = any_spawner::Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let embedded = owner.with(|| {
        let state = State::new(query, lang);
        provide_context(state);
        let tell: Rc<dyn Fn(&JsValue)> = Rc::new(move |message| {
            // A listener's exception is its own.
            let _ = tell.call1(&JsValue::NULL, message);
        });
        let colours = provide_colours(root.clone().into());
        Embedded { root: root.clone().into(), state, colours, query: query.to_string(), claim: claim.is_some(), tell, renew: None }
    });
    let state = embedded.state;
    let shown = mount_within(&owner, root, move || {
        let view = match claim {
            Some(claim) => view! { <LoneClaim claim lang calculator/> }.into_any(),
            None => whole(lang, calculator, state).into_any(),
        };
        view! { <div class="body">{view}</div> }.into_any()
    });
    owner.with(|| embedded.begin());
    Embedding { embedded, shown: Some(shown), owner }
}

/// The calculator, and the way to the one with every setting.
fn whole(lang: Lang, calculator: String, state: State) -> impl IntoView {
    view! {
        <div class="embed">
            {compact(Island::view)}
            <Link place=Spot::Alone lang calculator query=Signal::derive(move || state.query())/>
        </div>
    }
}
