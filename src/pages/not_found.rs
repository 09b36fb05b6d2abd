//! Nothing is there.

use super::Place;
use super::frame::address;
use crate::content::site;
use crate::locale::Lang;
use leptos::prelude::*;

/// The page for addresses without one.
#[component]
pub fn NotFound(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    view! {
        <div class="intro">
            <h1>{text.not_found.title}</h1>
            <p class="lead">{text.not_found.lead}</p>
            <p><a href=address(Place::Index(lang))>{text.not_found_back}</a></p>
        </div>
    }
}
