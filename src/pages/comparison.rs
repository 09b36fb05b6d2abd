//! A comparison, from the question to the sources.

use super::Place;
use super::claim::TryIt;
use super::index::Card;
use super::island::{Island, Live};
use super::method::Sources;
use super::myths::Myths;
use super::trial::Spot;
use crate::content::{Body, COMPARISONS, Comparison};
use crate::locale::Lang;
use crate::report::decision::words;
use leptos::prelude::*;

/// The page of a live comparison.
#[component]
pub fn ComparisonPage(
    /// The language.
    lang: Lang,
    /// The comparison.
    comparison: &'static Comparison,
) -> impl IntoView {
    let text = comparison.text.get(lang);
    // Only live comparisons have an address; the build holds that they have a body.
    let body = text.body.as_ref()?;
    Some(view! {
        <Head body title=text.title/>
        <Table comparison body lang/>
        <Instrument lang body/>
        <Sections comparison body lang/>
        <Myths comparison body lang/>
        <Verdict body lang/>
        <section class="related" aria-labelledby="related-heading">
            <h2 id="related-heading">{body.related.heading}</h2>
            <p>{body.related.intro}</p>
            <div class="cards">{COMPARISONS.iter().filter(|other| other.id != comparison.id).map(|other| view! { <Card comparison=other lang level=3/> }).collect_view()}</div>
        </section>
        <section class="sources-part" aria-labelledby="sources-heading">
            <h2 id="sources-heading">{body.sources_heading}</h2>
            <div inner_html=body.accuracy_html></div>
            <div inner_html=body.sources_html></div>
            <details><summary>{lang.messages().sources}</summary><Sources sources=comparison.sources/></details>
        </section>
    })
}

/// The title with the words of each side in its colour.
fn coloured(title: &'static str, body: &'static Body) -> Vec<AnyView> {
    let mut marks = [
        (title.find(body.title_distributed), body.title_distributed, "cluster-word"),
        (title.find(body.title_centralised), body.title_centralised, "single-word"),
    ];
    marks.sort_by_key(|(at, ..)| *at);
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, words, class) in marks {
        let Some(at) = at.filter(|at| *at >= from) else { continue };
        parts.push(title[from..at].into_any());
        parts.push(view! { <span class=class>{words}</span> }.into_any());
        from = at + words.len();
    }
    parts.push(title[from..].into_any());
    parts
}

#[component]
fn Head(body: &'static Body, title: &'static str) -> impl IntoView {
    view! {
        <div class="intro comparison-head">
            <p class="kicker">{body.kicker}</p>
            <h1>{coloured(title, body)}</h1>
            <p class="lead">{body.lead}</p>
            <Live island=Island::Sentence/>
        </div>
        <div class="definitions">
            <section class="cluster"><h2>{body.distributed.title}</h2><p>{body.distributed.text}</p></section>
            <section class="single"><h2>{body.centralised.title}</h2><p>{body.centralised.text}</p></section>
        </div>
    }
    .into_any()
}

#[component]
fn Table(comparison: &'static Comparison, body: &'static Body, lang: Lang) -> impl IntoView {
    let [distributed, centralised] = body.table_columns;
    let row = move |(part, row): (&crate::content::Part, &'static crate::content::TableRow)| {
        view! {
            <tr id=format!("row-{}", part.id)>
                <th scope="row">{row.label}</th>
                <td class="cluster" data-label=distributed>{row.distributed}</td>
                <td class="single" data-label=centralised>{row.centralised}</td>
            </tr>
            {(!part.claims.is_empty()).then(|| view! {
                <tr class="try-row"><td></td><td colspan="2">{part.claims.iter().map(|letter| view! { <TryIt letter place=Spot::Row lang/> }).collect_view()}</td></tr>
            })}
        }
        .into_any()
    };
    view! {
        <section class="overview" aria-labelledby="table-heading">
            <h2 id="table-heading">{body.table_heading}</h2>
            <table class="comparison">
                <caption class="sr-only">{body.table_caption}</caption>
                <thead><tr><td></td><th scope="col" class="cluster-word">{distributed}</th><th scope="col" class="single-word">{centralised}</th></tr></thead>
                <tbody>{comparison.rows.iter().zip(body.rows).map(row).collect_view()}</tbody>
            </table>
        </section>
    }
    .into_any()
}

#[component]
fn Instrument(lang: Lang, body: &'static Body) -> impl IntoView {
    view! {
        <section class="calculator-part" aria-labelledby="calculator-heading">
            <h2 id="calculator-heading">{body.calculator.heading}</h2>
            <p>{body.calculator.intro}</p>
            <Live island=Island::Notices/>
            <div class="instrument compact">
                <div class="first">
                    <Live island=Island::Sliders/>
                    <p><a class="all-settings" href=Place::Calculator(lang).reference() data-scenario="">{body.all_settings}</a></p>
                    <Live island=Island::PriceNote/>
                </div>
                <div class="answers"><Live island=Island::Strip/><Live island=Island::ChartsByGpus/></div>
            </div>
        </section>
    }
    .into_any()
}

/// Which chart stands beside a section, where one bears on it.
fn beside(id: &str) -> Option<Island> {
    match id {
        "time" => Some(Island::ChartTimeBandwidth),
        "cost" => Some(Island::ChartCostBandwidth),
        _ => None,
    }
}

#[component]
fn Sections(comparison: &'static Comparison, body: &'static Body, lang: Lang) -> impl IntoView {
    let section = |(part, text): (&'static crate::content::Part, &'static crate::content::Titled)| {
        let chart = beside(part.id);
        view! {
            <section id=part.id class="topic" class:with-chart=chart.is_some()>
                <div class="prose"><h2>{text.title}</h2><div><div inner_html=text.text></div>{part.claims.iter().map(|letter| view! { <TryIt letter place=Spot::Section lang/> }).collect_view()}</div></div>
                {chart.map(|island| view! { <Live island/> })}
            </section>
        }
        .into_any()
    };
    view! { <div class="topics">{comparison.sections.iter().zip(body.sections).map(section).collect_view()}</div> }
}

#[component]
fn Verdict(body: &'static Body, lang: Lang) -> impl IntoView {
    view! {
        <section class="verdict" aria-labelledby="verdict-heading">
            <h2 id="verdict-heading">{body.verdict_heading}</h2>
            <div class="definitions">
                <section class="cluster"><h3>{body.distributed.title}</h3><div inner_html=body.verdict_distributed_html></div></section>
                <section class="single"><h3>{body.centralised.title}</h3><div inner_html=body.verdict_centralised_html></div></section>
            </div>
            <div class="prose" inner_html=body.verdict_closing_html></div>
            <h3 id="decision">{words::HEADING.in_lang(lang)}</h3>
            <p>{words::INTRO.in_lang(lang)}</p>
            <Live island=Island::Decision/>
        </section>
    }
    .into_any()
}
