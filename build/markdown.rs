//! The little Markdown of the texts → HTML, links resolved.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::collections::HashMap;

/// Where the links of a text lead.
pub struct Links<'a> {
    /// Source key → address.
    pub sources: &'a HashMap<String, String>,
    /// Page name → path from the site's root.
    pub pages: &'a HashMap<String, String>,
}

/// HTML of `text`. `[words](source:KEY)` and `[words](page:NAME)` are resolved; an unknown one is an error that names it.
pub fn render(text: &str, links: &Links) -> Result<String, String> {
    let mut wrong = None;
    let events = Parser::new_ext(text, Options::empty()).map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let target = match dest_url.split_once(':') {
                Some(("source", key)) => links.sources.get(key),
                Some(("page", name)) => links.pages.get(name),
                _ => None,
            };
            if target.is_none() && !dest_url.starts_with("https://") {
                wrong.get_or_insert_with(|| format!("the link to `{dest_url}` leads nowhere; expected source:KEY, page:NAME or https://…"));
            }
            let dest_url = target.map_or(dest_url, |address| CowStr::from(address.clone()));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Html(found) | Event::InlineHtml(found) => {
            wrong.get_or_insert_with(|| format!("raw HTML is not allowed in a text, found `{found}`"));
            Event::Text(found)
        }
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    // The embedding page has a script of its own, the method page is long: their addresses are loaded, not routed.
    for page in ["method", "embedding"].into_iter().filter_map(|name| links.pages.get(name)) {
        out = out.replace(&format!("<a href=\"{page}\""), &format!("<a rel=\"external\" href=\"{page}\""));
    }
    match wrong {
        Some(what) => Err(what),
        None => Ok(out.trim().to_string()),
    }
}
