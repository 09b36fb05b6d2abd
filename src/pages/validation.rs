//! How right the calculator is: the validation run, made while the page is prerendered, never typed.

use crate::chart::escaped;
use crate::locale::Lang;
use crate::locale::number::significant;
use crate::measured::fit::is_fitted;
use crate::measured::row;
use crate::measured::score::Score;
use crate::measured::validate::{Predicted, committed, predict, report};
use leptos::prelude::*;

const STEPS: &str = include_str!("../../data/measured/steps.csv");
const PEERS: &str = include_str!("../../data/measured/peers.csv");

/// Side of a panel, and the room around its plot.
const SIDE: f64 = 220.0;
const MARGIN: f64 = 26.0;

/// Points of a panel that can be pointed at: the worst ones. The others are drawn without words.
const NAMED: usize = 40;

/// Fewest rows of a panel.
const FEWEST: usize = 4;

fn percent(share: f64, lang: Lang) -> String {
    significant((share * 1000.0).round() / 10.0, 2, lang)
}

/// The section.
#[component]
pub fn Validation(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let m = lang.messages();
    // The file is part of the build; a test holds that it can be read.
    let measured = row::read(STEPS).unwrap_or_default();
    let (predicted, _) = predict(&measured.rows, committed);
    let test: Vec<Predicted> = predicted.iter().filter(|one| !is_fitted(one.row)).cloned().collect();
    let (all, judged) = (report(&predicted, 0), report(&test, 0));
    let row = |name: &str, score: &Score, judged: Option<&Score>| {
        let cells = [
            score.n.to_string(),
            percent(score.mape, lang),
            percent(score.median, lang),
            percent(score.p90, lang),
            judged.map_or_else(|| "–".to_string(), |judged| format!("{} ({})", percent(judged.mape, lang), judged.n)),
            percent(score.bias, lang),
            percent(score.coverage80, lang),
            score.memory_mape.map_or_else(|| "–".to_string(), |mape| percent(mape, lang)),
            score.regret_mean.map_or_else(|| "–".to_string(), |mean| format!("{} ({})", percent(mean, lang), score.regret_groups)),
        ];
        view! { <tr><th scope="row">{name.to_string()}</th>{cells.map(|cell| view! { <td>{cell}</td> }).collect_view()}</tr> }
    };
    let rows = all.sources.iter().map(|(source, score)| row(source, score, judged.sources.get(source))).collect_view();
    let heads = [
        m.valid_source,
        m.valid_rows,
        m.valid_mape,
        m.valid_median,
        m.valid_p90,
        m.valid_test,
        m.valid_bias,
        m.valid_band,
        m.memory_per_gpu,
        m.valid_regret,
    ];
    let panels = all.sources.iter().filter(|(_, score)| score.n >= FEWEST).map(|(source, score)| {
        let own: Vec<&Predicted> = predicted.iter().filter(|one| one.row.source == *source).collect();
        let caption = format!("{source}: {} · {} %", score.n, percent(score.mape, lang));
        view! { <figure class="panel"><div inner_html=panel(&own, &caption, lang)></div><figcaption>{caption}</figcaption></figure> }
    });
    let peers = PEERS.lines().skip(1).filter_map(|line| {
        let record = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).records().next()?.ok()?;
        let cell = |at: usize| record.get(at).unwrap_or_default().to_string();
        let error = percent(cell(2).parse().unwrap_or(0.0), lang);
        Some(view! { <tr><th scope="row">{cell(0)}</th><td>{cell(1)}</td><td>{error}</td><td><a href=cell(3) rel="noopener">{cell(3).trim_start_matches("https://").to_string()}</a></td></tr> })
    });
    let own_peer = |source: &str| {
        all.sources.get(source).map(|score| {
            let regret = score.regret_mean.map_or_else(|| "–".to_string(), |mean| percent(mean, lang));
            view! { <tr class="own"><th scope="row">"Crossover"</th><td>{format!("{source} ({}: {regret} %)", m.valid_regret)}</td><td>{percent(score.mape, lang)}</td><td></td></tr> }
        })
    };
    view! {
        <section id="validation" class="validation">
            <h2>{m.valid_title}</h2>
            <p>{crate::locale::fill(m.valid_intro, &[("rows", &all.all.n.to_string()), ("sources", &all.sources.len().to_string()), ("mape", &percent(all.all.mape, lang)), ("median", &percent(all.all.median, lang)), ("test", &percent(judged.all.mape, lang)), ("tested", &judged.all.n.to_string())])}</p>
            <div class="scroll" tabindex="0" role="region" aria-label=m.valid_title>
                <table class="data"><thead><tr>{heads.map(|words| view! { <th scope="col">{words}</th> }).collect_view()}</tr></thead><tbody>{rows}{row(m.valid_all, &all.all, Some(&judged.all))}</tbody></table>
            </div>
            <h3>{m.valid_scatter}</h3>
            <p>{m.valid_scatter_intro}</p>
            <div class="panels">{panels.collect_view()}</div>
            <h3>{m.valid_spread}</h3>
            <div inner_html=spread(&predicted, lang)></div>
            <h3>{m.valid_peers}</h3>
            <p>{m.valid_peers_intro}</p>
            <div class="scroll" tabindex="0" role="region" aria-label=m.valid_peers>
                <table class="data"><thead><tr>{[m.valid_tool, m.valid_rows, m.valid_mape, m.column_source].map(|words| view! { <th scope="col">{words}</th> }).collect_view()}</tr></thead><tbody>{own_peer("vtrain-single")}{own_peer("vtrain-multi")}{peers.collect_view()}</tbody></table>
            </div>
        </section>
    }
    .into_any()
}

/// Predicted over measured seconds on log axes; the line is where both are equal, the stripe ±20 %.
fn panel(rows: &[&Predicted], caption: &str, lang: Lang) -> String {
    let m = lang.messages();
    let values = || rows.iter().flat_map(|one| [one.row.step_seconds, one.step_s]);
    let (low, high) = (values().fold(f64::INFINITY, f64::min).ln() - 0.15, values().fold(0.0, f64::max).ln() + 0.15);
    let plot = SIDE - MARGIN;
    let x = |seconds: f64| MARGIN + (seconds.ln() - low) / (high - low) * plot;
    let y = |seconds: f64| plot - (seconds.ln() - low) / (high - low) * plot;
    let mut order: Vec<&&Predicted> = rows.iter().collect();
    order.sort_by(|a, b| b.ratio().ln().abs().total_cmp(&a.ratio().ln().abs()));
    let (named, others) = order.split_at(order.len().min(NAMED));
    let dots: String = others.iter().map(|one| format!("M{:.1} {:.1}h0", x(one.row.step_seconds), y(one.step_s))).collect();
    let circle = |one: &&Predicted| {
        let model = one.row.model.as_deref().unwrap_or_default();
        let words = format!(
            "{model} · {} × {} · {} {} s · {} {} s",
            one.row.num_gpus,
            one.row.gpu,
            m.valid_measured,
            significant(one.row.step_seconds, 3, lang),
            m.valid_predicted,
            significant(one.step_s, 3, lang)
        );
        format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\" tabindex=\"0\"><title>{}</title></circle>",
            x(one.row.step_seconds),
            y(one.step_s),
            escaped(&words)
        )
    };
    let circles: String = named.iter().map(|one| circle(one)).collect();
    let (from, to) = (low.exp(), high.exp());
    let band = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        x(from),
        y(from * 1.2),
        x(to),
        y(to * 1.2),
        x(to),
        y(to / 1.2),
        x(from),
        y(from / 1.2)
    );
    let ticks: String = [from * 1.16, to / 1.16]
        .iter()
        .map(|seconds| {
            let label = format!("{} s", significant(*seconds, 2, lang));
            format!(
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
                x(*seconds).clamp(MARGIN + 12.0, SIDE - 14.0),
                SIDE - 8.0
            )
        })
        .collect();
    format!(
        "<svg viewBox=\"0 0 {SIDE} {SIDE}\" role=\"group\" aria-label=\"{}\"><clipPath id=\"c{:x}\"><rect x=\"{MARGIN}\" y=\"0\" width=\"{plot}\" height=\"{plot}\"/></clipPath><g clip-path=\"url(#c{:x})\"><path class=\"stripe\" d=\"{band}\"/><path class=\"equal\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><path class=\"dots\" d=\"{dots}\"/>{circles}</g>{ticks}<rect class=\"edge\" x=\"{MARGIN}\" y=\"0.5\" width=\"{plot}\" height=\"{plot}\"/></svg>",
        escaped(caption),
        crate::measured::fit::hash(caption),
        crate::measured::fit::hash(caption),
        x(from),
        y(from),
        x(to),
        y(to)
    )
}

/// Steps of the spread, percent; the outermost ones hold all beyond.
const EDGES: [f64; 12] = [-40.0, -30.0, -20.0, -15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0, 30.0];

/// How many runs are off by how much, as bars.
fn spread(predicted: &[Predicted], lang: Lang) -> String {
    let mut counts = [0_u32; EDGES.len() + 1];
    for one in predicted {
        let percent = (one.ratio() - 1.0) * 100.0;
        counts[EDGES.iter().take_while(|edge| percent >= **edge).count()] += 1;
    }
    let most = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let label = |at: usize| match at {
        0 => format!("< {} %", significant(EDGES[0], 2, lang)),
        at if at == EDGES.len() => format!("≥ {} %", significant(EDGES[at - 1], 2, lang)),
        at => format!("{} … {} %", significant(EDGES[at - 1], 2, lang), significant(EDGES[at], 2, lang)),
    };
    let bar = |(at, count): (usize, &u32)| {
        let width = f64::from(*count) / most * 100.0;
        format!("<tr><th scope=\"row\">{}</th><td><span class=\"length\" style=\"width:{width:.1}%\"></span> {count}</td></tr>", label(at))
    };
    format!("<table class=\"spread\"><tbody>{}</tbody></table>", counts.iter().enumerate().map(bar).collect::<String>())
}
