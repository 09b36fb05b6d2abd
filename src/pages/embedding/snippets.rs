//! The code that a host takes: the very files of `examples/snippets/`, which the examples hold to the letter and `make test-embed` builds.
//! What they say by way of example are the marked places: the page's script (`public/embedding.js`) writes the reader's choices there.

use super::Place;
use crate::content::site;
use crate::locale::Lang;

/// The site's address.
pub const HOST: &str = "https://YOUR-HOST";
/// The scenario.
pub const SCENARIO: &str = "v=1&params=7e9&gpus=64";
/// Title of the frame and words of the link.
pub const TITLE: &str = "Calculator: one machine or a cluster";
/// The picture that stands in an element until the calculator does, where [`SCENARIO`] is shown: the chart of the default scenario, which it is.
pub const PICTURE: &str = r#"<img src="https://YOUR-HOST/charts/time-gpus.en.svg" alt="Time to train, by number of GPUs" width="100%" loading="lazy" referrerpolicy="no-referrer"/>"#;
/// Height in pixels of the whole calculator at the width of a page.
pub const HEIGHT: u32 = 980;
/// Language and theme in an address.
pub const FRAME_STATE: &str = "lang=en&theme=light";
/// Language and theme of an element.
pub const ELEMENT_STATE: &str = "lang=\"en\" theme=\"host\"";
/// The calculator's page.
pub const CALCULATOR: &str = "en/calculator/";

/// A file of `examples/snippets/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// Its name, without `.txt`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! snippets {
    ($($constant:ident = $name:literal),* $(,)?) => {
        $(#[doc = concat!("`examples/snippets/", $name, ".txt`")]
        pub const $constant: Snippet = Snippet { name: $name, text: include_str!(concat!("../../../examples/snippets/", $name, ".txt")) };)*

        /// Every file.
        pub const ALL: &[Snippet] = &[$($constant),*];
    };
}

snippets! {
    IFRAME = "iframe",
    COMPONENT = "component",
    SPHINX_IFRAME = "sphinx-iframe",
    SPHINX_COMPONENT = "sphinx-component",
    DOCUSAURUS_IFRAME = "docusaurus-iframe",
    DOCUSAURUS_COMPONENT = "docusaurus-component",
    DOCUSAURUS_CONFIG = "docusaurus-config",
    JUPYTER_IFRAME = "jupyter-iframe",
    JUPYTER_COMPONENT = "jupyter-component",
    ADDRESS = "address",
}

/// The title of an embedded calculator in `lang`, as `public/embed.js` has it.
pub const fn title(lang: Lang) -> &'static str {
    match lang {
        Lang::De => "Rechner: eine Maschine oder ein Cluster",
        Lang::En => TITLE,
    }
}

/// The frame as HTML; `root` is the site's address with its trailing slash, or empty for a page of the site itself.
pub fn frame(root: &str, lang: Lang, scenario: &str) -> String {
    IFRAME
        .text
        .trim_end()
        .replace(&format!("{HOST}/"), root)
        .replace(FRAME_STATE, &FRAME_STATE.replace("lang=en", &format!("lang={}", lang.code())))
        .replace(SCENARIO, scenario)
        .replace(TITLE, title(lang))
}

/// A picture with its words, leading to its scenario, as Markdown.
pub fn picture(lang: Lang, path: &str, alternative: &str, query: &str) -> String {
    let words: String = alternative.chars().flat_map(|c| matches!(c, '[' | ']' | '\\').then_some('\\').into_iter().chain([c])).collect();
    format!("[![{words}]({HOST}/{path})]({HOST}/{}/{}/?{query})", lang.code(), site(lang).calculator_slug)
}

/// The path of the calculator's page.
pub fn calculator(lang: Lang) -> String {
    Place::Calculator(lang).path()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::report::charts::{Chart, chart};
    use crate::report::pictures::pictures;
    use crate::scenario::url;

    #[test]
    fn every_marked_place_stands_in_the_files_and_in_the_script() {
        let script = include_str!("../../../public/embedding.js");
        let height = HEIGHT.to_string();
        for mark in [HOST, SCENARIO, TITLE, PICTURE, FRAME_STATE, ELEMENT_STATE, CALCULATOR, &height] {
            assert!(ALL.iter().any(|snippet| snippet.text.contains(mark)), "{mark} in no snippet");
            assert!(script.contains(mark), "{mark} not in the script");
        }
    }

    #[test]
    fn the_picture_is_that_of_the_scenario() {
        let picture = pictures(Lang::En).into_iter().find(|picture| picture.name == Chart::TimeGpus.key()).unwrap();
        assert!(PICTURE.contains(&format!("{HOST}/{}", picture.path(Lang::En, "svg"))));
        assert!(PICTURE.contains(&format!("alt=\"{}\"", Lang::En.messages().chart_time_by_gpus)));
        let shown = chart(Chart::TimeGpus, &answers(&url::read(SCENARIO).scenario).unwrap(), Lang::En);
        assert_eq!((shown.title, shown.series), (picture.chart.title, picture.chart.series));
    }

    #[test]
    fn the_frame_has_the_address_the_language_and_the_scenario() {
        let html = frame("https://example.org/a/", Lang::De, "v=1&gpus=8");
        assert!(html.contains("src=\"https://example.org/a/embed/?lang=de&theme=light&v=1&gpus=8\""), "{html}");
        assert!(html.contains("title=\"Rechner: eine Maschine oder ein Cluster\""), "{html}");
        assert!(frame("", Lang::En, SCENARIO).contains("src=\"embed/?lang=en"));
    }

    #[test]
    fn titles_are_those_of_the_element() {
        let element = include_str!("../../../public/embed.js");
        assert!(Lang::ALL.iter().all(|lang| element.contains(&format!("{}: '{}'", lang.code(), title(*lang)))));
    }

    #[test]
    fn words_of_a_picture_cannot_end_its_link() {
        assert!(
            picture(Lang::En, "x.svg", "a [b] c", "v=1")
                .starts_with("[![a \\[b\\] c](https://YOUR-HOST/x.svg)](https://YOUR-HOST/en/calculator/?v=1)")
        );
    }
}
