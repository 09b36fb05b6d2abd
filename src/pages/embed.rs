//! The compact calculator alone, for a frame in somebody else's page.

use super::Place;
use super::frame::address;
use super::instrument::{Charts, MainSliders, Notices, Strip};
use crate::locale::Lang;
use crate::report::charts::Chart;
use leptos::prelude::*;

/// The embedded page: no header, no footer, links in a new tab.
#[component]
pub fn Embed(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let m = lang.messages();
    view! {
        <main id="content" class="embed">
            <h1 class="sr-only">{crate::content::site(lang).embed.title}</h1>
            <Notices/>
            <div class="instrument compact">
                <div class="first"><MainSliders/></div>
                <div class="answers"><Strip/><Charts charts=&[Chart::TimeGpus, Chart::CostGpus]/></div>
            </div>
            <p class="embed-foot"><a href=address(Place::Calculator(lang)) target="_blank" rel="noopener">{m.embed_open}</a></p>
        </main>
    }
}
