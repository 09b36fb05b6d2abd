//! Where a figure comes from, as a reader can open it.

use leptos::prelude::*;

/// The address in a source text, if it has one.
fn link(source: &str) -> Option<String> {
    let start = source.find("https://")?;
    let rest = &source[start..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ')' | ';')).unwrap_or(rest.len());
    Some(rest[..end].to_string())
}

/// A source: a link where there is an address, the words where there is none.
pub fn source_view(source: &str) -> AnyView {
    match link(source) {
        Some(address) => {
            let shown =
                if source.starts_with("https://") { address.trim_start_matches("https://").to_string() } else { source.to_string() };
            view! { <a href=address rel="noopener">{shown}</a> }.into_any()
        }
        None => source.to_string().into_any(),
    }
}
