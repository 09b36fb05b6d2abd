//! Brightness: the reader's choice, and the switch for it.

use super::state::use_state;
use leptos::prelude::*;

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

impl Default for ThemeChoice {
    fn default() -> ThemeChoice {
        ThemeChoice(RwSignal::new(Theme::Auto))
    }
}

/// The switch of brightness: as the device, light, dark.
#[component]
pub fn ThemeSwitch() -> impl IntoView {
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
