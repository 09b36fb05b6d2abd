//! The page about embedding, and the files that a site gives away: pictures, oEmbed answers, sitemap.

use crossover::chart::escaped;
use crossover::locale::Lang;
use crossover::pages::Place;
use crossover::pages::embedding::snippets;
use crossover::prerender;
use crossover::report::claims::Claim;
use crossover::report::pictures::pictures;
use crossover::scenario::presets::PRESETS;
use resvg::tiny_skia::Pixmap;
use std::fs;
use std::path::{Path, PathBuf};

const SITE: &str = "https://example.org/a/";
const SHELL: &str = "<!doctype html><html lang=\"en\" data-calculator=\"calculator\"><head><base href=\"./\"><!--head--><link rel=\"stylesheet\" href=\"./base-1a.css\"/><script type=\"module\" src=\"./pages-1a2b.js\"></script></head><body><!--body--></body></html>";

/// A site written into a folder of its own.
fn written(name: &str, site: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // From an earlier run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("index.html"), SHELL).unwrap();
    // What trunk leaves beside the shell.
    for name in ["calculator.js", "calculator_bg.wasm"] {
        fs::write(folder.join(name), name).unwrap();
    }
    prerender::site(&folder, site).unwrap();
    folder
}

#[test]
fn the_page_stands_in_both_languages_and_is_complete_without_its_script() {
    for (lang, path, name) in [(Lang::De, "de/einbetten/", "Einbetten"), (Lang::En, "en/embedding/", "Embed")] {
        let place = Place::Embedding(lang);
        assert_eq!(place.path(), path);
        let html = prerender::body(place);
        assert_eq!(html.matches("<h1").count(), 1);
        assert_eq!(html.matches("<script").count(), 1);
        assert!(html.contains("src=\"embedding.js\"") && html.contains("data-without-script"));
        for host in ["Markdown", "mdBook", "MkDocs", "Sphinx", "Docusaurus", "JupyterLab", "Notion", "Confluence"] {
            assert!(html.contains(host), "{path}: {host}");
        }
        assert!(html.contains(&format!("src=\"embed/?lang={}&theme=light&v=1", lang.code())), "{path} shows no calculator");
        for directive in ["frame-src", "script-src", "style-src-attr"] {
            assert!(html.contains(directive), "{path}: {directive}");
        }
        assert!(prerender::head(place, "").contains("href=\"embedding.css\""));
        // Every other page leads here, by a link that the running app leaves to the browser: else the script would not run.
        let other = prerender::body(Place::Calculator(lang));
        let link = other.split("<a ").find(|link| link.contains(&format!("href=\"{path}\"")) && link.contains(name)).unwrap();
        assert!(link.contains("rel=\"external\""), "{link}");
    }
}

#[test]
fn the_code_is_that_of_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/snippets");
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), snippets::ALL.len());
    for lang in Lang::ALL {
        let html = prerender::body(Place::Embedding(lang));
        for file in &files {
            let name = file.file_stem().unwrap().to_str().unwrap();
            let text = fs::read_to_string(file).unwrap();
            let after = html.split(&format!("data-snippet=\"{name}\"")).nth(1).unwrap_or_else(|| panic!("{name} is not in the page"));
            let code = after.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
            assert_eq!(code, escaped(text.trim_end()), "{name}");
        }
    }
}

#[test]
fn a_site_that_knows_its_address_answers_to_oembed_and_lists_every_page() {
    let folder = written("with-address", SITE);
    let sitemap = fs::read_to_string(folder.join("sitemap.xml")).unwrap();
    for place in Place::all().iter().filter(|place| !matches!(place, Place::Embed(_))) {
        assert!(sitemap.contains(&format!("<loc>{SITE}{}</loc>", place.path())), "{} is not in the sitemap", place.path());
        let page = fs::read_to_string(folder.join(place.path()).join("index.html")).unwrap();
        let discovery = format!("type=\"application/json+oembed\" href=\"{SITE}oembed/calculator.{}.json\"", place.lang().code());
        assert_eq!(page.contains(&discovery), matches!(place, Place::Calculator(_) | Place::Comparison(..)), "{}", place.path());
    }
    let presets = PRESETS.iter().map(|preset| (preset.key.to_string(), preset.link));
    let claims = Claim::ALL.iter().map(|claim| (claim.key(), claim.link()));
    let names: Vec<_> = std::iter::once(("calculator".to_string(), "v=1")).chain(presets).chain(claims).collect();
    assert_eq!(fs::read_dir(folder.join("oembed")).unwrap().count(), 2 * names.len(), "names are unique, and no file is without one");
    for lang in Lang::ALL {
        for (name, link) in &names {
            let text = fs::read_to_string(folder.join(format!("oembed/{name}.{}.json", lang.code()))).unwrap();
            let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&answer["type"], &answer["version"]), (&"rich".into(), &"1.0".into()));
            assert!(answer["width"].as_u64() > Some(0) && answer["height"].as_u64() > Some(0), "{name}");
            assert!(["title", "provider_name"].iter().all(|key| !answer[key].as_str().unwrap().is_empty()), "{name}");
            assert_eq!(answer["provider_url"], format!("{SITE}{}/", lang.code()));
            let html = answer["html"].as_str().unwrap();
            assert!(html.starts_with(&format!("<iframe src=\"{SITE}embed/?lang={}&theme=light&{link}\"", lang.code())), "{html}");
            assert!(html.ends_with("</iframe>") && !html.contains("YOUR-HOST"), "{html}");
        }
    }
}

#[test]
fn a_site_without_an_address_has_no_oembed() {
    let folder = written("without-address", "");
    assert!(!folder.join("oembed").exists() && !folder.join("sitemap.xml").exists());
    let page = fs::read_to_string(folder.join("en/calculator/index.html")).unwrap();
    assert!(!page.contains("oembed"));
    assert!(folder.join("charts/time-gpus.de.svg").exists(), "pictures need no address");
}

#[test]
fn every_claim_has_a_page_of_its_own_with_the_program_that_it_needs() {
    let folder = written("claims", "");
    for lang in Lang::ALL {
        for claim in Claim::ALL {
            let page = fs::read_to_string(folder.join(claim.path(lang)).join("index.html")).unwrap();
            assert!(page.contains("href=\"./base-1a.css\"") && page.contains("<base href=\"../../../\">"), "{page}");
            assert!(
                page.contains("data-calculator=\"./calculator-") && page.contains(&format!("data-trial=\"{}-alone\"", claim.letter())),
                "{page}"
            );
            assert!(!page.contains("pages-1a2b") && page.contains(&escaped(&claim.show(lang).unwrap().finding)), "{page}");
            let chooser = prerender::body(Place::Embedding(lang));
            let option =
                chooser.split("<option").find(|option| option.contains(&format!("value=\"claim {}\"", claim.letter().to_lowercase())));
            let picture = folder.join(format!("charts/{}.{}.svg", claim.key(), lang.code()));
            assert_eq!(option.unwrap().contains(&format!("data-picture=\"{}\"", claim.key())), picture.exists(), "{}", claim.key());
        }
    }
}

/// Width and height in a PNG file's head.
fn dimensions(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn every_picture_is_written_as_svg_and_png_with_its_words_in_the_page() {
    let folder = written("pictures", "");
    for lang in Lang::ALL {
        let page = prerender::body(Place::Embedding(lang));
        for picture in pictures(lang) {
            let svg = fs::read_to_string(folder.join(picture.path(lang, "svg"))).unwrap();
            let png = fs::read(folder.join(picture.path(lang, "png"))).unwrap();
            assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("<title"), "{}", picture.name);
            let view: Vec<f64> =
                svg.split("viewBox=\"").nth(1).unwrap().split('"').next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
            let (wide, high) = dimensions(&png);
            assert_eq!((f64::from(wide), f64::from(high)), ((2.0 * view[2]).round(), (2.0 * view[3]).round()), "{}", picture.name);
            assert!(view[2] > 640.0 && view[3] > 400.0 && png.len() < 200_000, "{}: {} bytes", picture.name, png.len());
            assert!(letters(&png) > 300, "{}: the title is not drawn", picture.name);
            for extension in ["svg", "png"] {
                assert!(page.contains(&format!("href=\"{}\"", picture.path(lang, extension))), "{}", picture.name);
            }
            assert!(page.contains(&format!("alt=\"{}\"", escaped(&picture.alternative()))), "{}", picture.alternative());
        }
    }
}

/// Dark pixels where the title stands: none if its font was not found.
fn letters(png: &[u8]) -> usize {
    let picture = Pixmap::decode_png(png).unwrap();
    let band = picture.pixels().iter().skip(24 * picture.width() as usize).take(44 * picture.width() as usize);
    band.filter(|pixel| pixel.red() < 80 && pixel.green() < 80).count()
}
