//! The pictures as reviewed files: a change of a chart's look is a change of a snapshot.

mod chart_specimens;

use chart_specimens as specimens;
use crossover::chart::{svg_inline, svg_standalone};

#[test]
fn charts_in_the_page() {
    for spec in specimens::all() {
        insta::assert_snapshot!(format!("{}-inline-420", spec.id), svg_inline(&spec, 420.0, 260.0));
    }
}

#[test]
fn a_chart_on_a_phone() {
    let spec = specimens::does_not_fit();
    insta::assert_snapshot!("does-not-fit-inline-320", svg_inline(&spec, 320.0, 198.0));
}

#[test]
fn a_chart_as_a_file() {
    let spec = specimens::does_not_fit();
    let svg = svg_standalone(&spec, 640.0, 397.0);
    assert_eq!(svg, svg_standalone(&spec, 640.0, 397.0), "drawn twice, the same");
    insta::assert_snapshot!("does-not-fit-standalone-640", svg);
}
