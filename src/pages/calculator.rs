//! The calculator: every setting, all charts, every figure opened.

use super::Place;
use super::island::{Island, Live};
use crate::content::site;
use crate::locale::Lang;
use crate::scenario::presets::PRESETS;
use leptos::prelude::*;

/// The calculator page.
#[component]
pub fn Calculator(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    view! {
        <div class="intro slim">
            <h1>{text.calculator.title}</h1>
            <p class="lead">{text.calculator.lead}</p>
        </div>
        <nav class="presets" aria-label=lang.messages().presets>
            <span>{lang.messages().presets}": "</span>
            <ul>{PRESETS.iter().map(|preset| view! { <li><a href=format!("{}?{}", Place::Calculator(lang).reference(), preset.link)>{preset.label.in_lang(lang)}</a></li> }).collect_view()}</ul>
        </nav>
        <Live island=Island::Notices/>
        <div class="instrument">
            <div class="first"><Live island=Island::Sliders/></div>
            <div class="answers"><Live island=Island::Strip/><Live island=Island::ChartsAll/></div>
            <Live island=Island::Settings/>
        </div>
        <Live island=Island::Actions/>
        <Live island=Island::Explanations/>
    }
    .into_any()
}
