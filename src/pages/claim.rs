//! "Try it": a claim's finding, chart and figures, unfolded where the sentence stands. Made by the model while the page is built, so that it
//! can be read without JavaScript; the scenario opens in the calculator.

use super::Place;
use crate::chart::svg_inline;
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
    let m = lang.messages();
    let claim = Claim::from_letter(letter)?;
    let shown = claim.show(lang)?;
    let chart = shown.chart.map(|mut spec| {
        // The same chart may stand on the page twice; its inner ids may not.
        spec.id = format!("claim-{}-{place}", letter.to_lowercase());
        view! {
            <figure class="chart"><figcaption><strong>{spec.title.clone()}</strong><span class="subtitle">{spec.subtitle.clone()}</span></figcaption>{above}<div class="picture" inner_html=svg_inline(&spec, SIZE.0, SIZE.1)></div></figure>
        }
    });
    let table = shown.table.map(|table| {
        let label = format!("{}: {}", m.claim_try, letter);
        view! { <Data table=Signal::stored(table) label/> }
    });
    let address = format!("{}?{}", Place::Calculator(lang).reference(), shown.query);
    Some(view! {
        <p class="finding">{shown.finding}</p>
        {chart}
        {table}
        <p><a href=address>{m.claim_open}</a></p>
    })
}
