//! The root: offers both languages; the running app goes on to the reader's own.

use super::Place;
use crate::content::site;
use crate::locale::Lang;
use leptos::prelude::*;

/// Offers the languages.
#[component]
pub fn Root() -> impl IntoView {
    let offer = |lang: Lang| {
        let text = site(lang);
        view! {
            <li lang=lang.code()>
                <a href=Place::Index(lang).path() hreflang=lang.code()>{lang.name()}</a>
                <p>{text.tagline}</p>
            </li>
        }
    };
    view! {
        <div class="intro root">
            <h1>{site(Lang::De).name}</h1>
            <p class="lead">{Lang::ALL.map(|lang| view! { <span lang=lang.code()>{site(lang).root.lead}</span>" " }).collect_view()}</p>
            <ul class="offers">{Lang::ALL.map(offer).collect_view()}</ul>
        </div>
    }
}
