//! The promises of a layout, tried on many sizes and specs; and that nothing hangs or panics on the way to SVG.

use proptest::prelude::*;

use super::*;

fn axis(bounds: Bounds, values: &[f64]) -> Axis {
    Axis::new("Zahl der GPUs im Cluster", bounds, values, |v| format!("{v:.0} Tsd. $"))
}

fn spec(x: Bounds, y: Bounds, series: Vec<Series>) -> ChartSpec {
    ChartSpec {
        id: "a".into(),
        title: "Titel".into(),
        subtitle: "Untertitel".into(),
        caption: "Beschreibung".into(),
        x: axis(x, &power_of_two_ticks(x, 8)),
        y: axis(y, &ticks(y, 8)),
        series,
        marks: vec![],
        spans: vec![],
    }
}

fn line(label: &str, points: Vec<(f64, Option<f64>)>) -> Series {
    let band = points.iter().map(|&(x, y)| (x, y.map(|y| (y * 0.8, y * 1.2))));
    Series { side: Side::First, label: label.into(), dashed: label.len().is_multiple_of(2), band: band.collect(), points }
}

fn check(spec: &ChartSpec, width: f64, height: f64) -> Layout {
    let placed = layout(spec, width, height, &estimate_width);
    let picture = Rect { left: 0.0, top: 0.0, right: placed.width, bottom: placed.height };
    assert!(picture.holds(&placed.plot), "{:?}", placed.plot);
    assert!(placed.plot.width() >= 30.0 && placed.plot.height() >= 20.0, "{:?}", placed.plot);
    for (i, label) in placed.labels.iter().enumerate() {
        assert!(picture.grown(1e-6).holds(&label.area), "{label:?} leaves {picture:?}");
        for other in &placed.labels[i + 1..] {
            assert!(!label.area.overlaps(&other.area.grown(-1e-6)), "{label:?} over {other:?}");
        }
    }
    let edge = placed.plot.grown(1e-6);
    let drawn = placed.series.iter().flat_map(|s| s.runs.iter().chain(&s.bands)).flatten();
    for &(x, y) in drawn {
        assert!(edge.holds(&Rect { left: x, top: y, right: x, bottom: y }), "({x}, {y})");
    }
    placed
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-3.0..7.0_f64).prop_map(|e| 10f64.powf(e)),
        1 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, -1e308, 1e-320, f64::MAX, f64::MIN_POSITIVE,
        ]),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        "9",
        "Cluster",
        "eine Maschine",
        "GPUs über 1 Gbit/s",
        "Donaudampfschifffahrtsgesellschaft mit Anhängern",
        "<&\"'>",
        "\u{0}\n",
    ])
    .prop_map(String::from)
}

prop_compose! {
    fn any_series()(
        label in text(),
        side in prop::sample::select(vec![Side::First, Side::Second, Side::Neutral]),
        points in prop::collection::vec((value(), prop::option::weighted(0.9, value())), 0..12),
    ) -> Series {
        Series { side, ..line(&label, points) }
    }
}

prop_compose! {
    fn any_spec()(
        series in prop::collection::vec(any_series(), 0..5),
        scale in prop::sample::select(vec![(Scale::Log, Scale::Log), (Scale::Linear, Scale::Log), (Scale::Linear, Scale::Linear)]),
        marks in prop::collection::vec((any::<bool>(), value(), value(), text()), 0..4),
        spans in prop::collection::vec((value(), value(), text()), 0..3),
        labels in (text(), text()),
    ) -> ChartSpec {
        let xs = series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
        let ys = series.iter().flat_map(|s| s.points.iter().filter_map(|p| p.1));
        let x = Bounds::covering(scale.0, xs).or(Bounds::new(scale.0, 1.0, 9.0).ok()).unwrap();
        let y = Bounds::covering(scale.1, ys).or(Bounds::new(scale.1, 1.0, 9.0).ok()).unwrap();
        let mut spec = spec(x, y, series);
        (spec.x.label, spec.y.label) = labels;
        spec.marks = marks
            .into_iter()
            .map(|(crossover, x, y, label)| Mark {
                kind: if crossover { MarkKind::Crossover } else { MarkKind::Present },
                x,
                y,
                side: Side::First,
                label,
            })
            .collect();
        spec.spans = spans.into_iter().map(|(from, to, label)| Span { from, to, label }).collect();
        spec
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn labels_never_overlap_nor_leave_the_picture(spec in any_spec(), width in 200.0..2000.0_f64, share in 0.2..1.2_f64) {
        check(&spec, width, width * share);
        let svg = svg_standalone(&spec, width, width * share);
        prop_assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf,"));
    }
}

#[test]
fn common_charts_keep_all_their_line_labels_at_every_width() {
    let x = Bounds::log(1.0, 4096.0).unwrap();
    let y = Bounds::log(1.0, 500.0).unwrap();
    let over = |f: fn(f64) -> f64| (0..=12).map(|e| 2f64.powi(e)).map(|n| (n, Some(f(n)))).collect();
    let mut spec = spec(x, y, vec![line("eine Maschine", over(|_| 62.0)), line("Cluster", over(|n| 500.0 / n + 61.0))]);
    spec.marks = vec![Mark { kind: MarkKind::Crossover, x: 9.0, y: 62.0, side: Side::Neutral, label: "ab 9 GPUs".into() }];
    for width in (240..=2000).step_by(7) {
        let placed = check(&spec, f64::from(width), f64::from(width) * 0.62);
        let count = |role| placed.labels.iter().filter(|label| label.role == role).count();
        assert_eq!((count(LabelRole::Line), count(LabelRole::Crossover)), (2, 1), "{width}");
        assert!(count(LabelRole::XTick) >= 2 && count(LabelRole::YTick) >= 2, "{width}");
    }
}

#[test]
fn sizes_that_are_none_are_brought_to_some() {
    let bounds = Bounds::linear(0.0, 1.0).unwrap();
    let spec = spec(bounds, bounds, vec![line("a", vec![(0.5, Some(0.5))]), line("b", vec![])]);
    for size in [f64::NAN, f64::INFINITY, -5.0, 0.0, 200.0, 1e9] {
        check(&spec, size, size);
    }
    let with_nonsense = layout(&spec, 400.0, 300.0, &|_, _| f64::NAN);
    assert_eq!(with_nonsense, layout(&spec, 400.0, 300.0, &estimate_width));
}

#[test]
fn gaps_break_the_line_and_the_pointer_reads_it_back() {
    let bounds = Bounds::log(1.0, 100.0).unwrap();
    let points = vec![(1.0, Some(1.0)), (5.0, None), (10.0, Some(10.0)), (50.0, Some(-1.0)), (100.0, Some(100.0))];
    let placed = check(&spec(bounds, bounds, vec![line("a", points)]), 400.0, 300.0);
    assert_eq!(placed.series[0].runs.len(), 3);
    let middle = placed.px_at(10.0).unwrap();
    assert!((placed.x_at(middle) - 10.0).abs() < 1e-9);
    assert!((placed.y_at(placed.py_at(10.0).unwrap()) - 10.0).abs() < 1e-9);
    assert_eq!((placed.x_at(-50.0), placed.x_at(1e9), placed.px_at(0.0)), (1.0, 100.0, None));
}

#[test]
fn texts_are_escaped_and_ids_differ_by_chart() {
    let bounds = Bounds::linear(0.0, 1.0).unwrap();
    let mut spec = spec(bounds, bounds, vec![line("A & B <\"c\">", vec![(0.0, Some(0.1)), (1.0, Some(0.9))])]);
    spec.title = "fill=\"#C0DE05\" & <b>".into();
    spec.id = "time \"1\"".into();
    for svg in [svg_inline(&spec, 640.0, 400.0), svg_standalone(&spec, 640.0, 400.0)] {
        assert!(svg.contains("A &amp; B &lt;&quot;c&quot;&gt;"));
        assert!(svg.contains("fill=&quot;#C0DE05&quot; &amp; &lt;b&gt;</title>"));
        assert!(svg.contains("id=\"time--1--title\""));
    }
}

#[test]
fn every_colour_is_the_themes() {
    let bounds = Bounds::linear(0.0, 1.0).unwrap();
    let mut spec = spec(bounds, bounds, vec![line("a", vec![(0.0, Some(0.1)), (1.0, Some(0.9))])]);
    spec.spans = vec![Span { from: 0.2, to: 0.6, label: "voll".into() }];
    let inline = svg_inline(&spec, 640.0, 400.0);
    let coloured = inline.matches("fill=\"").count() + inline.matches("stroke=\"").count() - inline.matches("\"none\"").count();
    assert_eq!(inline.matches("=\"var(--").count(), coloured);
    assert!(inline.contains("var(--distributed,#2f4fd0)") && !inline.contains("<style") && !inline.contains(" style="));
    let standalone = svg_standalone(&spec, 640.0, 400.0);
    assert!(standalone.contains("prefers-color-scheme:dark") && !standalone.contains("C0DE") && !standalone.contains(" width=\"640"));
    assert!(standalone.contains("class=\"s-distributed\" stroke=\"#2f4fd0\""));
    assert!(svg_fixed(&spec, 640.0, 400.0, &DARK).contains("stroke=\"#93a7ff\""));
}
