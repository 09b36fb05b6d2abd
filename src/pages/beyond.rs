//! The tab of what lies beside the comparison: six findings, each with its table.

use crate::report::beyond::{Shown, Subject};
use crate::ui::fold::Fold;
use crate::ui::state::use_state;
use crate::ui::table::Data;
use leptos::prelude::*;

/// The tab.
#[component]
pub fn BeyondPanel() -> impl IntoView {
    Subject::ALL.map(|subject| view! { <Finding subject/> }).collect_view()
}

/// A subject: what its figures say, and the figures in a fold.
#[component]
fn Finding(
    /// What it is about.
    subject: Subject,
) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let title = subject.title().in_lang(lang);
    let shown = Memo::new(move |_| state.worked.with(|w| subject.show(&w.answers, lang)));
    let table = Signal::derive(move || shown.with(|shown: &Shown| shown.table.clone()));
    let inside = ViewFn::from(move || view! { <Data table label=title/> });
    view! {
        <section class="side beyond">
            <h3>{title}</h3>
            <p class="finding">{move || shown.with(|shown| shown.finding.clone())}</p>
            <Fold summary=lang.messages().chart_data inside/>
        </section>
    }
    .into_any()
}
