//! The compact calculator alone, for a frame in somebody else's page.

use super::Place;
use super::island::{Island, Live};
use crate::content::site;
use crate::locale::Lang;
use leptos::prelude::*;

/// The embedded page: no header, no footer, links in a new tab. Its few words stand there in every language; the stylesheet shows those of
/// the page's language, which the address names.
#[component]
pub fn Embed() -> impl IntoView {
    let title = |lang: Lang| view! { <span lang=lang.code()>{site(lang).embed.title}</span> };
    let foot = |lang: Lang| {
        view! { <a href=Place::Calculator(lang).reference() data-scenario="" lang=lang.code() target="_blank" rel="noopener">{lang.messages().embed_open}</a> }
    };
    view! {
        <main id="content" class="embed">
            <h1 class="sr-only by-language">{Lang::ALL.map(title).collect_view()}</h1>
            <Live island=Island::Notices/>
            <div class="instrument compact">
                <div class="first"><Live island=Island::Sliders/></div>
                <div class="answers"><Live island=Island::Strip/><Live island=Island::ChartsAll/></div>
            </div>
            <p class="embed-foot by-language">{Lang::ALL.map(foot).collect_view()}</p>
        </main>
    }
}
