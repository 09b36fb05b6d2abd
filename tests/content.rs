//! The texts are complete in both languages, and every link of every prerendered page leads somewhere.

use crossover::content::{COMPARISONS, SITE};
use crossover::locale::Lang;
use crossover::pages::Place;
use crossover::prerender;
use crossover::report::pictures::pictures;
use std::collections::HashSet;

fn attribute<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let mark = format!(" {name}=\"");
    html.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn both_languages_have_the_same_parts() {
    let live: Vec<_> = COMPARISONS.iter().filter(|c| c.live).collect();
    assert_eq!((live.len(), COMPARISONS.len()), (1, 6));
    for comparison in COMPARISONS {
        for lang in Lang::ALL {
            let text = comparison.text.get(lang);
            assert!(text.description.chars().count() <= 155, "{} {}", comparison.id, lang.code());
            assert_eq!(text.body.is_some(), comparison.live);
            if let Some(body) = &text.body {
                assert_eq!((body.rows.len(), body.sections.len(), body.myth_items.len()), (8, 6, 5));
                assert_eq!((comparison.rows.len(), comparison.sections.len(), comparison.myths.len()), (8, 6, 5));
            }
        }
        assert_ne!(comparison.text.de.card_summary, comparison.text.en.card_summary);
    }
    let ids = |lang| SITE.get(lang).method_sections.iter().map(|s| s.id).collect::<Vec<_>>();
    assert_eq!(ids(Lang::De), ids(Lang::En));
}

#[test]
fn every_link_resolves() {
    let pages = Place::all().iter().map(Place::path).collect::<Vec<_>>();
    let files = Lang::ALL
        .into_iter()
        .flat_map(|lang| pictures(lang).into_iter().flat_map(move |one| ["svg", "png"].map(|end| one.path(lang, end))));
    let paths: HashSet<String> = pages.into_iter().chain(files).collect();
    for place in Place::all() {
        let html = prerender::body(place);
        let links = attribute(&html, "href");
        assert!(!links.is_empty(), "{}", place.path());
        let anchors: HashSet<&str> = attribute(&html, "id").into_iter().collect();
        for link in links {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
            let path = path.split('?').next().unwrap_or_default();
            assert!(paths.contains(path.trim_start_matches("./")), "{}: {link}", place.path());
            if let Some(anchor) = anchor {
                assert!(anchors.contains(anchor), "{}: {link}", place.path());
            }
        }
    }
}

#[test]
fn pages_can_be_read_without_javascript() {
    for place in Place::all().into_iter().filter(|place| matches!(place, Place::Comparison(..))) {
        let html = prerender::body(place);
        let count = |mark: &str| html.matches(mark).count();
        assert_eq!(count("<h1"), 1);
        assert_eq!(count("<tr id=\"row-"), 8);
        assert_eq!(count("class=\"myth\""), 5);
        assert!(count("<svg") >= 4, "{}", count("<svg"));
        assert!(!html.contains("NaN") && !html.contains("undefined"));
    }
}

#[test]
fn every_page_says_what_it_is() {
    for place in Place::all() {
        let head = prerender::head(place, "https://example.org/a/");
        assert_eq!(head.matches("<title>").count(), 1);
        assert_eq!(head.matches("name=\"description\"").count(), 1);
        let embedded = matches!(place, Place::Embed(_));
        assert_eq!(head.matches("rel=\"canonical\"").count(), usize::from(!embedded));
        assert_eq!(head.matches("hreflang=").count(), if embedded { 0 } else { 3 });
        assert!(head.contains("og:title") && head.contains("og:description") && head.contains("og:locale"));
    }
}
