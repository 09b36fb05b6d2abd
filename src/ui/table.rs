//! A plain data table that keeps its semantics and scrolls on its own where it is wide.

use super::source::source_view;
use crate::chart::DataTable;
use leptos::prelude::*;

/// A table of texts; the first column heads its row, and addresses are links.
#[component]
pub fn Data(
    /// The data.
    #[prop(into)]
    table: Signal<DataTable>,
    /// Name of the table for screen readers.
    #[prop(into)]
    label: Signal<String>,
) -> impl IntoView {
    let head = move || table.with(|t| t.columns.iter().map(|c| view! { <th scope="col">{c.clone()}</th> }).collect_view());
    let cells = |row: &Vec<String>| {
        let rest = row.iter().skip(1).map(|cell| view! { <td>{source_view(cell)}</td> }).collect_view();
        view! { <tr><th scope="row">{row.first().cloned()}</th>{rest}</tr> }
    };
    let body = move || table.with(|t| t.rows.iter().map(cells).collect_view());
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label=move || label.get()>
            <table class="data"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>
        </div>
    }
    .into_any()
}
