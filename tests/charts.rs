//! The charts of three scenarios as snapshots: a change of a picture is a change in a reviewed file.

use crossover::chart::svg_inline;
use crossover::locale::Lang;
use crossover::report::answers;
use crossover::report::charts::{Chart, chart, numbers};
use crossover::scenario::url;

#[test]
fn charts_as_data() {
    for (name, link, lang) in [
        ("default", "", Lang::De),
        ("large", "v=1&params=4e11&gpus=2048", Lang::En),
        ("office", "v=1&params=1e8&network=eth1&single=1&node=1", Lang::De),
    ] {
        let answers = answers(&url::read(link).scenario).unwrap();
        for kind in Chart::ALL {
            let spec = chart(kind, &answers, lang);
            let words = format!("{}\n{}\n{}\n{:#?}", spec.title, spec.subtitle, spec.caption, numbers(kind, &answers, None, lang).rows);
            insta::assert_snapshot!(format!("{name}-{}", kind.key()), words);
        }
    }
}

#[test]
fn one_chart_as_a_picture() {
    let answers = answers(&url::read("").scenario).unwrap();
    insta::assert_snapshot!("default-time-gpus-svg", svg_inline(&chart(Chart::TimeGpus, &answers, Lang::De), 460.0, 290.0));
}
