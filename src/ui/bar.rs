//! A stacked bar in HTML: its parts with labels below it, so that no part is told by colour alone.

use super::fold::Fold;
use super::table::Data;
use crate::chart::{BarSpec, Fill, Side};
use leptos::prelude::*;

fn class(side: Side, fill: Fill) -> String {
    let side = match side {
        Side::First => "first",
        Side::Second => "second",
        Side::Neutral => "neutral",
    };
    match fill {
        Fill::Solid => format!("part {side}"),
        Fill::Hatched => format!("part {side} hatched"),
        Fill::Shade(shade) => format!("part {side} shade-{shade}"),
    }
}

/// The bar, its key and its numbers.
#[component]
pub fn Bar(
    /// What is shown.
    #[prop(into)]
    spec: Signal<BarSpec>,
    /// Words of the fold that holds the numbers.
    numbers: &'static str,
) -> impl IntoView {
    let parts = move || {
        let spec = spec.get();
        let shares = spec.shares();
        let parts = spec.segments.iter().zip(shares).map(|(segment, (_, length))| {
            view! { <span class=class(segment.side, segment.fill) style=format!("width:{:.3}%", length * 100.0) title=format!("{} {}", segment.label, segment.value_label)></span> }
        });
        let limit = spec.capacity_share().map(|at| view! { <span class="limit" style=format!("left:{:.3}%", at * 100.0)></span> });
        (parts.collect_view(), limit)
    };
    let key = move || {
        let item = |segment: &crate::chart::Segment| {
            view! { <li><span class=class(segment.side, segment.fill) aria-hidden="true"></span>{segment.label.clone()}" "<strong>{segment.value_label.clone()}</strong></li> }
        };
        spec.with(|s| s.segments.iter().map(item).collect_view())
    };
    let limit_label = move || {
        spec.with(|s| s.capacity.as_ref().map(|c| view! { <p class="limit-label" style=format!("--at:{:.3}%", s.capacity_share().unwrap_or(1.0) * 100.0)>{c.label.clone()}</p> }))
    };
    let table = ViewFn::from(move || {
        view! { <Data table=Signal::derive(move || spec.with(|s| s.table.clone())) label=Signal::derive(move || spec.with(|s| s.title.clone()))/> }
    });
    view! {
        <figure class="bar" data-bar=move || spec.with(|s| s.id.clone())>
            <div class="stack" role="img" aria-label=move || spec.with(|s| s.caption.clone())>{parts}</div>
            {limit_label}
            <ul class="key">{key}</ul>
            {move || spec.with(|s| (!s.subtitle.is_empty()).then(|| view! { <p class="aside">{s.subtitle.clone()}</p> }))}
            <Fold summary=numbers inside=table/>
        </figure>
    }
    .into_any()
}
