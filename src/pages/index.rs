//! What this site is, and its comparisons as cards.

use super::Place;
use crate::content::{COMPARISONS, Comparison, site};
use crate::locale::Lang;
use leptos::prelude::*;

/// The index page.
#[component]
pub fn Index(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    view! {
        <div class="intro">
            <h1>{text.index.title}</h1>
            <p class="lead">{text.index.lead}</p>
        </div>
        <section aria-labelledby="live-heading">
            <h2 id="live-heading">{text.heading_live}</h2>
            <div class="cards">{COMPARISONS.iter().filter(|c| c.live).map(|c| view! { <Card comparison=c lang level=3/> }).collect_view()}</div>
        </section>
        <section aria-labelledby="announced-heading">
            <h2 id="announced-heading">{text.heading_announced}</h2>
            <p>{text.announced_note}</p>
            <div class="cards">{COMPARISONS.iter().filter(|c| !c.live).map(|c| view! { <Card comparison=c lang level=3/> }).collect_view()}</div>
        </section>
    }
    .into_any()
}

/// A comparison as a card: a link if it lives, marked as to come if not.
#[component]
pub fn Card(
    /// The comparison.
    comparison: &'static Comparison,
    /// The language.
    lang: Lang,
    /// Level of the card's heading.
    level: u8,
) -> impl IntoView {
    let text = comparison.text.get(lang);
    let m = lang.messages();
    let title = if comparison.live {
        view! { <a href=Place::Comparison(lang, comparison).reference() data-scenario="">{text.card_title}</a> }.into_any()
    } else {
        text.card_title.into_any()
    };
    let heading = if level == 2 { view! { <h2>{title}</h2> }.into_any() } else { view! { <h3>{title}</h3> }.into_any() };
    view! {
        <article class="card" class:live=comparison.live>
            {heading}
            <p>{text.card_summary}</p>
            <p class="mark">{if comparison.live { m.live_now } else { m.announced }}</p>
        </article>
    }
    .into_any()
}
