//! Who imports whom: a room uses only rooms below it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms and those they may use besides themselves.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("model", &[][..]),
        ("catalog", &["model"]),
        ("locale", &[]),
        ("chart", &[]),
        ("content", &["locale"]),
        ("scenario", &["catalog", "locale", "model"]),
        ("report", &["catalog", "chart", "locale", "measured", "model", "scenario"]),
        ("ui", &["catalog", "chart", "locale", "model", "report", "scenario"]),
        ("pages", &["chart", "content", "export", "measured", "model", "locale", "report", "scenario", "ui"]),
        ("head", &["content", "locale", "pages"]),
        ("browser", &["locale", "model", "pages", "report", "scenario", "ui"]),
        ("prerender", &["chart", "content", "head", "locale", "pages", "report", "scenario", "ui"]),
        ("measured", &["catalog", "model"]),
        ("export", &["locale", "model", "report", "scenario"]),
        ("cli", &["chart", "export", "locale", "measured", "model", "prerender", "report", "scenario"]),
        ("lib", &[]),
        ("main", &["cli"]),
    ])
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The rooms named in paths of a source text, tests within the file left out.
fn used(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let after = |mark: &str| {
        code.split(mark)
            .skip(1)
            .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
            .collect::<Vec<_>>()
    };
    [after("crate::"), after("crossover::")].concat().into_iter().filter(|room| !room.is_empty()).collect()
}

#[test]
fn a_room_uses_only_rooms_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    files(&root, &mut sources);
    assert!(sources.len() > 40, "found only {} files", sources.len());
    let allowed = allowed();
    let mut wrong = Vec::new();
    for file in &sources {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        let room = allowed.get(first.as_str()).unwrap_or_else(|| panic!("{}: a room that the map does not know", inside.display()));
        for other in used(&fs::read_to_string(file).unwrap()) {
            if allowed.contains_key(other.as_str()) && other != first && !room.contains(&other.as_str()) {
                wrong.push(format!("{} uses {other}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_model_knows_no_page_and_the_charts_know_no_gpu() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, words) in [
        ("../model/src", &["leptos", "web_sys", "locale", "catalog"][..]),
        ("chart", &["Gpu", "gpus", "leptos", "web_sys"]),
        ("ui", &["Place", "content::"]),
    ] {
        let mut sources = Vec::new();
        files(&root.join(room), &mut sources);
        for file in sources {
            let text = fs::read_to_string(&file).unwrap();
            let code: String =
                text.split("#[cfg(test)]").next().unwrap_or_default().lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            if file.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            for word in words {
                let whole = code
                    .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                    .any(|token| token.trim_end_matches(':') == *word || token.starts_with(&format!("{}::", word.trim_end_matches("::"))));
                assert!(!whole, "{} knows `{word}`", file.display());
            }
        }
    }
}
