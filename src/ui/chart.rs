//! A chart: title, picture, reading by pointer and keyboard, and its numbers.

use super::fold::Fold;
use super::table::Data;
use crate::chart::{ChartSpec, DataTable};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Words around a chart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChartWords {
    /// Of the fold that holds the numbers.
    pub numbers: &'static str,
    /// How the keyboard reads values.
    pub hint: &'static str,
}

/// A chart of `spec`. On the canvas in the browser, as SVG in the prerendered page.
#[component]
pub fn ChartFigure(
    /// What is shown.
    #[prop(into)]
    spec: Signal<ChartSpec>,
    /// Its numbers, a row per point of its last line.
    #[prop(into)]
    numbers: Signal<DataTable>,
    /// Stable key of the chart.
    key: &'static str,
    /// Words around it.
    words: ChartWords,
    /// Called with the value on the x-axis that the reader picked.
    on_pick: Callback<f64>,
    /// Level of the title in the page's outline.
    #[prop(default = 3)]
    level: u8,
) -> impl IntoView {
    // The row of the table that is being read.
    let reading = RwSignal::new(None::<usize>);
    let rows = move || spec.with(|s| s.series.last().map_or(0, |series| series.points.len()));
    let x_of = move |row: usize| spec.with_untracked(|s| s.series.last().and_then(|series| series.points.get(row)).map(|(x, _)| *x));
    let present = move || {
        let at = spec.with_untracked(|s| s.marks.iter().rev().find(|mark| mark.kind == crate::chart::MarkKind::Present).map(|mark| mark.x));
        at.and_then(|x| (0..rows()).find(|row| x_of(*row).is_some_and(|value| value >= x))).unwrap_or(0)
    };
    let on_key = move |event: KeyboardEvent| {
        let last = rows().saturating_sub(1);
        let at = reading.get_untracked();
        let next = match (event.key().as_str(), at) {
            ("ArrowRight", Some(row)) => (row + 1).min(last),
            ("ArrowLeft", Some(row)) => row.saturating_sub(1),
            ("ArrowRight" | "ArrowLeft", None) => present(),
            ("Home", _) => 0,
            ("End", _) => last,
            ("Enter", Some(row)) => {
                if let Some(x) = x_of(row) {
                    on_pick.run(x);
                }
                return;
            }
            ("Escape", _) => {
                reading.set(None);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        reading.set(Some(next));
    };
    let on_focus = move || {
        if reading.get_untracked().is_none() {
            reading.set(Some(present()));
        }
    };
    let read = move || {
        let row = reading.get()?;
        numbers.with(|table| {
            let cells = table.rows.get(row)?;
            let heads = &table.columns;
            Some(
                cells
                    .iter()
                    .enumerate()
                    .map(|(column, cell)| if column == 0 { format!("{}: {cell}", heads[0]) } else { format!("{} {cell}", heads[column]) })
                    .collect::<Vec<_>>()
                    .join(" · "),
            )
        })
    };
    let heading = move || {
        let title = spec.with(|s| s.title.clone());
        if level == 2 {
            view! { <h2 class="chart-title">{title}</h2> }.into_any()
        } else {
            view! { <h3 class="chart-title">{title}</h3> }.into_any()
        }
    };
    let table = ViewFn::from(move || {
        view! { <Data table=numbers label=Signal::derive(move || spec.with(|s| s.title.clone()))/> }
    });
    view! {
        <figure class="chart" data-chart=key>
            {heading}
            <p class="chart-subtitle">{move || spec.with(|s| s.subtitle.clone())}</p>
            <div class="plot" tabindex="0" role="group" aria-label=words.hint on:keydown=on_key
                on:focus=move |_| on_focus() on:blur=move |_| reading.set(None)>
                <Picture spec reading on_pick/>
            </div>
            <p class="reading" aria-live="polite">{move || read().unwrap_or_else(|| "\u{a0}".to_string())}</p>
            <figcaption>{move || spec.with(|s| s.caption.clone())}</figcaption>
            <Fold summary=words.numbers inside=table/>
        </figure>
    }
    .into_any()
}

#[cfg(target_arch = "wasm32")]
use super::canvas::Picture;

/// Size of the prerendered picture, CSS pixels; it scales with its box, which has the same proportions.
#[cfg(not(target_arch = "wasm32"))]
const SIZE: (f64, f64) = (460.0, 290.0);

/// The picture of the prerendered page.
#[cfg(not(target_arch = "wasm32"))]
#[component]
fn Picture(spec: Signal<ChartSpec>, reading: RwSignal<Option<usize>>, on_pick: Callback<f64>) -> impl IntoView {
    // Nothing reads or picks before the app runs.
    let _ = (reading, on_pick);
    let svg = move || spec.with(|s| crate::chart::svg_inline(s, SIZE.0, SIZE.1));
    view! { <div class="picture" inner_html=svg></div> }
}
