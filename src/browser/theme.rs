//! Brightness: the stored choice, the switch, the device; canvases draw anew when it changes.

use super::{page_kind, storage};
use crate::ui::canvas::Colours;
use crate::ui::theme::{Theme, ThemeChoice};
use leptos::prelude::*;

/// Follows the first two for as long as the page lives; the colours follow the third by themselves.
pub fn follow(colours: Colours) {
    let ThemeChoice(theme) = expect_context::<ThemeChoice>();
    let embedded = page_kind() == "embed";
    if !embedded {
        theme.set(storage::recall(storage::THEME).as_deref().map_or(Theme::Auto, Theme::from_key));
    }
    Effect::new(move |before: Option<()>| {
        let chosen = theme.get();
        if before.is_some() && !embedded {
            if let Some(element) = document().document_element() {
                // The attribute's name is valid.
                let _ = match chosen.key() {
                    Some(key) => element.set_attribute("data-theme", key),
                    None => element.remove_attribute("data-theme"),
                };
            }
            storage::remember(storage::THEME, chosen.key());
        }
        colours.changed();
    });
}
