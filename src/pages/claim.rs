//! "Try it": a claim's finding, chart and figures, unfolded where the sentence stands, or alone in a frame. Made by the model while the page is
//! built, so that it can be read without JavaScript; in the browser chart and figures come alive when they come into view ([`super::trial`]),
//! and the scenario opens in the calculator.

use super::Place;
use super::trial::{Link, Spot, Trial, figures_label};
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
    place: Spot,
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
    place: Spot,
    /// The language.
    lang: Lang,
    /// Stands above the chart.
    #[prop(optional, into)]
    above: Option<AnyView>,
) -> impl IntoView {
    inside(Claim::from_letter(letter)?, place, lang, above)
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
            {inside(claim, Spot::Alone, lang, None)}
        </main>
    }
}

/// Finding, what stands above the chart, chart, figures, link. From the chart on, the living claim takes their place.
fn inside(claim: Claim, place: Spot, lang: Lang, above: Option<AnyView>) -> Option<impl IntoView> {
    let shown = claim.show(lang)?;
    let chart = shown.chart.map(|mut spec| {
        // The same chart may stand on the page twice; its inner ids may not.
        spec.id = format!("{}-{}", claim.key(), place.key());
        view! {
            <figure class="chart"><figcaption><strong>{spec.title.clone()}</strong><span class="subtitle">{spec.subtitle.clone()}</span></figcaption><div class="picture" inner_html=svg_inline(&spec, SIZE.0, SIZE.1)></div></figure>
        }
    });
    let table = shown.table.map(|table| view! { <Data table=Signal::stored(table) label=figures_label(claim, lang)/> });
    Some(view! {
        <p class="finding">{shown.finding}</p>
        {above}
        <div data-trial=Trial { claim, place }.key()>
            {chart}
            {table}
            <Link place lang calculator=Place::Calculator(lang).reference() query=Signal::stored(claim.link().to_string())/>
        </div>
    })
}
