//! The tab in which the model is scaled to the reader's own runs; nothing leaves the browser.

use crate::chart::DataTable;
use crate::locale::quantity::{ANSWER_DIGITS, duration, percent};
use crate::locale::{Lang, fill, number};
use crate::model::Calibration;
use crate::report::own_run::{self, Run};
use crate::scenario::{Param, Scenario};
use crate::ui::file::read_file;
use crate::ui::state::use_state;
use crate::ui::table::Data;
use leptos::prelude::*;

/// What a fit has found.
#[derive(Clone, PartialEq)]
struct Fitted {
    calibration: Option<Calibration>,
    table: DataTable,
    faults: Vec<String>,
}

/// Runs that are listed; the factors come from all.
const LISTED: usize = 50;

fn fitted(text: &str, scenario: &Scenario, lang: Lang) -> Fitted {
    let read = own_run::read(text, scenario, lang);
    let calibration = own_run::fit(&read.runs);
    let m = lang.messages();
    let row = |run: &Run| {
        let show = |calibration| {
            let seconds = run.predicted_s(calibration);
            let off = signed(seconds / run.measured_s - 1.0, lang);
            format!("{} ({off})", duration(seconds, 3, lang))
        };
        vec![run.name.clone(), duration(run.measured_s, 3, lang), show(Calibration::NONE), show(calibration.unwrap_or(Calibration::NONE))]
    };
    let columns = [m.own_run, m.own_measured, m.own_before, m.own_after].map(String::from).to_vec();
    Fitted { calibration, table: DataTable { columns, rows: read.runs.iter().take(LISTED).map(row).collect() }, faults: read.faults }
}

/// A field for lines of GPUs and seconds, a file, and what came of it.
#[component]
pub fn OwnRunPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let text = RwSignal::new(String::new());
    let result = RwSignal::new(None::<Fitted>);
    let scale = move || {
        let found = text.with_untracked(|text| fitted(text, &state.scenario.get_untracked(), lang));
        if let Some(own) = found.calibration {
            state.set(Param::OwnComputing, rounded(own.computing));
            state.set(Param::OwnCommunication, rounded(own.communication));
        }
        result.set(Some(found));
    };
    let drop_own = move |_| {
        state.scenario.update(|s| {
            s.reset(Param::OwnComputing);
            s.reset(Param::OwnCommunication);
        });
        result.set(None);
    };
    let take_file = move |event: leptos::ev::Event| {
        read_file(&event, move |content| {
            text.set(content);
            scale();
        });
    };
    let holds = move || {
        state.worked.with(|w| own_run::present(&w.answers)).map(|own| {
            let factor = |value: f64| number::significant(value, 3, lang);
            fill(m.own_holds, &[("computing", &factor(own.computing)), ("communication", &factor(own.communication))])
        })
    };
    view! {
        <p class="finding" role="status">{move || holds().unwrap_or_else(|| m.own_none.to_string())}</p>
        <p>{m.own_intro}</p>
        <label class="own-lines">{m.own_lines}
            <textarea rows="4" spellcheck="false" placeholder="64 12.5" data-own="lines" prop:value=move || text.get() on:input:target=move |event| text.set(event.target().value())></textarea>
        </label>
        <p class="actions">
            <button type="button" data-own="fit" on:click=move |_| scale()>{m.own_fit}</button>
            <button type="button" data-own="drop" hidden=move || holds().is_none() on:click=drop_own>{m.own_drop}</button>
            <label>{m.own_file}" "<input type="file" accept=".csv,text/csv" data-own="file" on:change=take_file/></label>
        </p>
        {move || result.get().map(|found| {
            let table = (!found.table.rows.is_empty()).then(|| view! { <Data table=Signal::stored(found.table) label=m.own_run/> });
            let faults = (!found.faults.is_empty()).then(|| view! {
                <div class="notices" role="alert"><ul>{found.faults.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul></div>
            });
            let nothing = found.calibration.is_none().then(|| view! { <p class="notices" role="alert">{m.own_nothing}</p> });
            let limit = found.calibration.is_some_and(own_run::at_limit).then(|| view! { <p class="notices" role="alert">{m.own_limit}</p> });
            view! { {table} {faults} {limit} {nothing} }.into_any()
        })}
    }
    .into_any()
}

/// An error with its sign: `+3 %`.
fn signed(error: f64, lang: Lang) -> String {
    let size = percent((error.abs() * 1000.0).round() / 1000.0, ANSWER_DIGITS, lang);
    format!("{}{size}", if error < 0.0 { "−" } else { "+" })
}

/// A factor as the link carries it: four digits are more than runs can tell.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_fitted_is_shown_before_and_after() {
        let found = fitted("64 4\nnonsense", &Scenario::default(), Lang::En);
        assert!(found.calibration.is_some() && found.faults.len() == 1);
        let row = &found.table.rows[0];
        assert_eq!((row.len(), row[1].as_str()), (4, "4\u{a0}s"));
        assert!(row[3].contains("+0") || row[3].contains("−0"), "{row:?}");
    }
}
