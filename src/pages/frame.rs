//! Header and footer of every page.

use super::Place;
use super::island::{Island, Live};
use crate::content::site;
use crate::locale::Lang;
use leptos::prelude::*;

/// The page's head: name, pages, languages, brightness.
#[component]
pub fn Header(
    /// The page.
    place: Place,
) -> impl IntoView {
    let lang = place.lang();
    let m = lang.messages();
    let page = |target: Place, words: &'static str| {
        let current = (target == place).then_some("page");
        view! { <li><a href=target.reference() rel=target.rel() data-scenario="" aria-current=current>{words}</a></li> }
    };
    let language = |target: Lang| {
        let current = (target == lang).then_some("true");
        let other = place.in_lang(target);
        let scenario = other.has_scenario().then_some("");
        view! { <li><a href=other.reference() rel=other.rel() data-scenario=scenario hreflang=target.code() lang=target.code() aria-current=current>{target.name()}</a></li> }
    };
    view! {
        <a class="skip" href=format!("{}#content", place.path())>{m.skip_to_content}</a>
        <header class="site-head">
            <a class="name" href=Place::Index(lang).reference() data-scenario="">{site(lang).name}</a>
            <nav class="pages" aria-label=m.nav_label><ul>
                {page(Place::Index(lang), m.nav_comparisons)}
                {page(Place::Calculator(lang), m.nav_calculator)}
                {page(Place::Method(lang), m.nav_method)}
                {page(Place::Embedding(lang), site(lang).embedding.nav)}
            </ul></nav>
            <nav class="languages" aria-label=m.languages_label><ul>{Lang::ALL.map(language).collect_view()}</ul></nav>
            <Live island=Island::ThemeSwitch/>
        </header>
    }
    .into_any()
}

/// The page's foot.
#[component]
pub fn Footer(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    view! {
        <footer class="site-foot">
            <p>{text.name}" · "{text.tagline}</p>
            <p>{text.privacy_note}</p>
            <p>{text.licence}</p>
        </footer>
    }
    .into_any()
}
