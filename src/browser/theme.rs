//! Brightness: the stored choice, the switch, the device; canvases draw anew when it changes.

use super::{page_kind, storage};
use crate::ui::canvas::Repaint;
use crate::ui::theme::{Theme, ThemeChoice};
use leptos::prelude::*;
use leptos_use_media_query::use_media_query;

/// Follows all three for as long as the page lives.
pub fn follow() {
    let ThemeChoice(theme) = expect_context::<ThemeChoice>();
    let Repaint(repaint) = expect_context::<Repaint>();
    let embedded = page_kind() == "embed";
    if !embedded {
        theme.set(storage::recall(storage::THEME).as_deref().map_or(Theme::Auto, Theme::from_key));
    }
    let dark = use_media_query("(prefers-color-scheme: dark)");
    Effect::new(move |before: Option<()>| {
        let chosen = theme.get();
        dark.track();
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
        repaint.update(|count| *count += 1);
    });
}
