//! "Try it": a claim's finding, chart and figures, unfolded where the sentence stands, or alone in a frame. Made by the model while the page is
//! built, so that it can be read without JavaScript; in the browser the chart comes alive when it is unfolded ([`super::trial`]), and the
//! scenario opens in the calculator.

use super::Place;
use super::trial::Trial;
use crate::chart::svg_inline;
use crate::content::site;
use crate::locale::Lang;
use crate::report::claims::Claim;
use crate::ui::table::Data;
use leptos::prelude::*;

/// Width and height of a claim's chart, CSS pixels.
const SIZE: (f64, f64) = (560.0, 320.0);

/// A claim, folded. `place` tells apart the places where the same claim stands.
#[component]
pub fn TryIt(
    /// The letter.
    letter: &'static str,
    /// Where it stands.
    place: &'static str,
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let inside = view! { <Found letter place lang/> };
    view! { <details class="try" data-claim=letter><summary>{lang.messages().claim_try}</summary>{inside}</details> }
}

/// What the model finds of a claim: the sentence, what a reader should look for if there is something, the chart, the figures.
#[component]
pub fn Found(
    /// The letter.
    letter: &'static str,
    /// Where it stands.
    place: &'static str,
    /// The language.
    lang: Lang,
    /// Stands above the chart.
    #[prop(optional, into)]
    above: Option<AnyView>,
) -> impl IntoView {
    let claim = Claim::from_letter(letter)?;
    Some(view! {
        {inside(claim, place, lang, above)?}
        <p><a class="open-claim" href=calculator(claim, lang)>{lang.messages().claim_open}</a></p>
    })
}

/// A claim alone, for a frame in somebody else's page.
#[component]
pub fn EmbeddedClaim(
    /// Which.
    claim: Claim,
    /// The language.
    lang: Lang,
) -> impl IntoView {
    view! {
        <main id="content" class="embed claim">
            <h1 class="sr-only">{site(lang).embed.title}</h1>
            {inside(claim, "alone", lang, None)}
            <p class="embed-foot"><a href=calculator(claim, lang) target="_blank" rel="noopener">{lang.messages().embed_open}</a></p>
        </main>
    }
}

fn calculator(claim: Claim, lang: Lang) -> String {
    format!("{}?{}", Place::Calculator(lang).reference(), claim.link())
}

/// Finding, chart with what stands above it, figures.
fn inside(claim: Claim, place: &str, lang: Lang, above: Option<AnyView>) -> Option<impl IntoView> {
    let shown = claim.show(lang)?;
    let chart = shown.chart.map(|mut spec| {
        // The same chart may stand on the page twice; its inner ids may not.
        spec.id = format!("{}-{place}", claim.key());
        let figure = view! {
            <figure class="chart"><figcaption><strong>{spec.title.clone()}</strong><span class="subtitle">{spec.subtitle.clone()}</span></figcaption>{above}<div class="picture" inner_html=svg_inline(&spec, SIZE.0, SIZE.1)></div></figure>
        };
        match Trial::new(claim, place) {
            Some(trial) => view! { <div class="island" data-island=trial.key()>{figure}</div> }.into_any(),
            None => figure.into_any(),
        }
    });
    let table = shown.table.map(|table| {
        let label = format!("{}: {}", lang.messages().claim_try, claim.letter());
        view! { <Data table=Signal::stored(table) label/> }
    });
    Some(view! {
        <p class="finding">{shown.finding}</p>
        {chart}
        {table}
    })
}
