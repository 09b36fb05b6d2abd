//! What the element in somebody else's page fetches first (`embed/element.json`): the program's name, the calculator's addresses, and the
//! style sheets, made to hold within a shadow root.

use super::{PrerenderError, write};
use crate::locale::Lang;
use crate::pages::Place;
use std::collections::BTreeMap;
use std::path::Path;

/// The site's style sheets, in their order.
const STYLES: [&str; 6] = [
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/layout.css"),
    include_str!("../../style/controls.css"),
    include_str!("../../style/chart.css"),
    include_str!("../../style/print.css"),
];

/// Nothing of the page around comes in, and the width that counts is that of the element. Where that has none of its own it is as wide as
/// this says.
const FIRST: &str =
    ".root { all: initial; direction: ltr; display: block; width: 100%; container-type: inline-size; contain-intrinsic-width: 40rem; }";

/// A `rem` of the site, CSS pixels. In somebody else's page it would be theirs.
const REM: f64 = 16.0;

#[derive(serde::Serialize)]
struct Element<'a> {
    program: &'a str,
    links: BTreeMap<&'static str, String>,
    style: String,
}

/// Writes the file; `program` is the address of the calculator's program without its ending, from the site's root.
pub fn write_all(folder: &Path, program: &str) -> Result<(), PrerenderError> {
    let links = Lang::ALL.map(|lang| (lang.code(), Place::Calculator(lang).path())).into();
    let style = std::iter::once(FIRST).chain(STYLES).map(within).collect();
    let json = serde_json::to_vec(&Element { program, links, style }).map_err(|error| PrerenderError(error.to_string()))?;
    write(&folder.join("embed/element.json"), &json)
}

/// A style sheet of a page as one for a shadow root: what it says of the page it says of the element with the class `root`, what it says of
/// the window's width of that element's.
fn within(css: &str) -> String {
    let css = css.replace("@media (max-width", "@container (max-width").replace(":root", ".root");
    let css = of_element(&of_element(&css, "html", ".root"), "body", ".body");
    let mut out = String::with_capacity(css.len());
    let mut rest = css.as_str();
    while let Some(at) = rest.find("rem") {
        let before = &rest[..at];
        let start = before.rfind(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(0, |last| last + 1);
        match before[start..].parse::<f64>() {
            Ok(length) => out.push_str(&format!("{}{}px", &before[..start], length * REM)),
            Err(_) => out.push_str(&rest[..at + 3]),
        }
        rest = &rest[at + 3..];
    }
    out + rest
}

/// `css` with the selector `class` for that of the element `name`.
fn of_element(css: &str, name: &str, class: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '#');
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(name) {
        let end = at + name.len();
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let alone = !before.is_some_and(word) && !rest[end..].starts_with(word);
        out.push_str(&rest[..at]);
        out.push_str(if alone { class } else { name });
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_sheet_moves_into_an_element() {
        assert_eq!(
            within(":root { --step: 1.5rem; } html[data-x] body, html .b { margin: -.25rem; }"),
            ".root { --step: 24px; } .root[data-x] .body, .root .b { margin: -4px; }"
        );
        assert_eq!(within("@media (max-width: 40rem) { tbody { top: 0 } }"), "@container (max-width: 640px) { tbody { top: 0 } }");
        assert_eq!(
            within("@media print { .remark::before { content: \"remain\" } }"),
            "@media print { .remark::before { content: \"remain\" } }"
        );
    }

    #[test]
    fn nothing_in_the_element_looks_at_the_page_around() {
        for css in STYLES.map(within) {
            let code: String =
                css.split("/*").enumerate().map(|(at, part)| if at == 0 { part } else { part.split_once("*/").unwrap().1 }).collect();
            for word in [":root", "html"] {
                let found = code.match_indices(word).filter(|(at, _)| !code[..*at].ends_with(char::is_alphabetic));
                let lines: Vec<&str> = found.map(|(at, _)| code[..at + word.len()].lines().last().unwrap_or_default()).collect();
                assert!(lines.is_empty(), "{word}: {lines:?}");
            }
            let rem = code.match_indices("rem").any(|(at, _)| code[..at].ends_with(|c: char| c.is_ascii_digit()));
            assert!(!rem && !code.contains("@media (max-width") && !code.contains("@media (min-width"), "{code}");
        }
    }
}
