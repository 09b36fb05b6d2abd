//! What is computed, with equations and sources; what is not.

use super::Place;
use super::validation::Validation;
use crate::content::{Source, site};
use crate::locale::Lang;
use leptos::prelude::*;

/// The method page.
#[component]
pub fn Method(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    let m = lang.messages();
    let path = Place::Method(lang).path();
    view! {
        <div class="intro">
            <h1>{text.method.title}</h1>
            <p class="lead">{text.method.lead}</p>
        </div>
        <div class="with-contents">
            <nav class="contents" aria-label=m.contents>
                <h2>{m.contents}</h2>
                <ol>{text.method_sections.iter().map(|s| view! { <li><a href=format!("{path}#{}", s.id)>{s.title}</a></li> }).collect_view()}<li><a href=format!("{path}#validation")>{m.valid_title}</a></li></ol>
            </nav>
            <Text lang/>
        </div>
    }
    .into_any()
}

/// The sections.
#[component]
fn Text(lang: Lang) -> impl IntoView {
    let section = |s: &crate::content::MethodSection| view! { <section id=s.id><h2>{s.title}</h2><div inner_html=s.html></div></section> };
    view! {
        <div class="prose method-text">
            {site(lang).method_sections.iter().map(section).collect_view()}
            <Validation lang/>
            <section id="sources"><h2>{lang.messages().sources}</h2><Sources sources=crate::content::METHOD_SOURCES/></section>
        </div>
    }
}

/// A list of sources that a reader can open.
#[component]
pub fn Sources(
    /// The sources.
    sources: &'static [Source],
) -> impl IntoView {
    let item = |source: &Source| view! { <li id=format!("source-{}", source.id)><a href=source.url rel="noopener">{source.title}</a></li> };
    view! { <ol class="sources">{sources.iter().map(item).collect_view()}</ol> }
}
