//! Header and footer of every page.

use super::Place;
use crate::content::site;
use crate::locale::Lang;
use crate::ui::state::use_state;
use leptos::prelude::*;

/// The page that is shown.
#[derive(Clone, Copy)]
pub struct Here(pub Memo<Place>);

/// An address from the site's root, with the scenario where the page shows one. `<base>` resolves it.
pub fn address(place: Place) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let state = use_state();
    move || {
        let query = if place.has_scenario() { state.query() } else { String::new() };
        let path = place.path();
        // An empty reference would be the present page, not the root.
        let path = if path.is_empty() { "./".to_string() } else { path };
        if query.is_empty() { path } else { format!("{path}?{query}") }
    }
}

/// The method page has its text in the page, not in the app: it has to be loaded, which the router leaves to the browser for these links.
fn relation(target: Place) -> Option<&'static str> {
    matches!(target, Place::Method(_)).then_some("external")
}

/// What a reader has chosen about brightness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the device.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The next one of the switch.
    pub const fn next(self) -> Theme {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }

    /// The key in storage and in `data-theme`; none for the device's own.
    pub const fn key(self) -> Option<&'static str> {
        match self {
            Theme::Auto => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }

    /// The theme with this key.
    pub fn from_key(key: &str) -> Theme {
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.key() == Some(key)).unwrap_or(Theme::Auto)
    }
}

/// The chosen brightness.
#[derive(Clone, Copy)]
pub struct ThemeChoice(pub RwSignal<Theme>);

/// The page's head: name, pages, languages, brightness.
#[component]
pub fn Header() -> impl IntoView {
    let state = use_state();
    let Here(here) = expect_context::<Here>();
    move || {
        let (lang, place) = (state.lang.get(), here.get());
        let m = lang.messages();
        let page = |target: Place, words: &'static str| {
            let current = (target == place).then_some("page");
            view! { <li><a href=address(target) rel=relation(target) aria-current=current>{words}</a></li> }
        };
        let language = |target: Lang| {
            let current = (target == lang).then_some("true");
            view! { <li><a href=address(place.in_lang(target)) rel=relation(place) hreflang=target.code() lang=target.code() aria-current=current>{target.name()}</a></li> }
        };
        view! {
            {(!matches!(place, Place::NotFound(_))).then(|| view! { <a class="skip" href=format!("{}#content", place.path())>{m.skip_to_content}</a> })}
            <header class="site-head">
                <a class="name" href=address(Place::Index(lang))>{site(lang).name}</a>
                <nav class="pages" aria-label=m.nav_label><ul>
                    {page(Place::Index(lang), m.nav_comparisons)}
                    {page(Place::Calculator(lang), m.nav_calculator)}
                    {page(Place::Method(lang), m.nav_method)}
                </ul></nav>
                <nav class="languages" aria-label=m.languages_label><ul>{Lang::ALL.map(language).collect_view()}</ul></nav>
                <ThemeSwitch/>
            </header>
        }
        .into_any()
    }
}

#[component]
fn ThemeSwitch() -> impl IntoView {
    let lang = use_state().lang();
    let ThemeChoice(theme) = expect_context::<ThemeChoice>();
    let words = move || {
        let m = lang.messages();
        match theme.get() {
            Theme::Auto => m.theme_auto,
            Theme::Light => m.theme_light,
            Theme::Dark => m.theme_dark,
        }
    };
    let label = move || format!("{}: {}", lang.messages().theme_label, words());
    view! {
        <button type="button" class="theme" data-theme-switch="" aria-label=label title=label on:click=move |_| theme.update(|t| *t = t.next())>
            <span aria-hidden="true">{move || match theme.get() { Theme::Auto => "◐", Theme::Light => "☼", Theme::Dark => "☾" }}</span>
        </button>
    }
    .into_any()
}

/// The page's foot.
#[component]
pub fn Footer() -> impl IntoView {
    let state = use_state();
    move || {
        let text = site(state.lang.get());
        view! {
            <footer class="site-foot">
                <p>{text.name}" · "{text.tagline}</p>
                <p>{text.privacy_note}</p>
                <p>{text.licence}</p>
            </footer>
        }
        .into_any()
    }
}
