//! The calculator: every setting, all charts, every figure opened.

use super::island::{Island, Live};
use crate::content::site;
use crate::locale::Lang;
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
        <Live island=Island::Notices/>
        <div class="instrument">
            <div class="first"><Live island=Island::Sliders/></div>
            <div class="answers"><Live island=Island::Strip/><Live island=Island::ChartsAll/></div>
            <Live island=Island::Settings/>
        </div>
        <Live island=Island::Explanations/>
    }
    .into_any()
}
