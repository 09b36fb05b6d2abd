//! What the browser keeps between visits: two choices, nothing else.

use leptos::prelude::*;

/// The chosen brightness.
pub const THEME: &str = "crossover-theme";

/// The language of the last page.
pub const LANG: &str = "crossover-lang";

/// What was stored; nothing where the browser refuses storage, as sandboxed frames do.
pub fn recall(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Stores a choice, or forgets it; a browser without storage forgets at once.
pub fn remember(key: &str, value: Option<&str>) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}
