//! What a reader does with the answers: undo, pin as A, take away.

use crate::locale::Lang;
use crate::report::charts::{Chart, chart_beside};
use crate::report::{cite, difference, json, take};
use crate::ui::State;
use crate::ui::history::History;
use crate::ui::save::{copy_text, link_of_page, now_ms, on_undo_keys, print_page, save, save_picture};
use crate::ui::state::use_state;
use crate::ui::table::Data;
use leptos::ev::MouseEvent;
use leptos::prelude::*;

/// Width and height of a saved chart, CSS pixels.
const SIZE: (f64, f64) = (760.0, 460.0);

/// Undo and redo, pin, link, and every format to take away.
#[component]
pub fn Actions() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let copied = RwSignal::new(false);
    Effect::new(move |_| {
        state.scenario.track();
        copied.set(false);
    });
    let copy = move |_| {
        copy_text(&link(state));
        copied.set(true);
    };
    let file = move |name: &'static str, label: &'static str, kind: &'static str, text: fn(State, Lang) -> String| {
        let on_click = move |event: MouseEvent| save(&event, kind, &text(state, lang));
        view! { <a href="#content" download=format!("crossover.{name}") data-action=name on:click=on_click>{label}</a> }
    };
    let is_pinned = move || state.pinned.with(Option::is_some);
    view! {
        <div class="actions-block">
            <nav class="actions" aria-label=m.act_edit>
                <span>{m.act_edit}": "</span>
                <Steps state/>
                <button type="button" data-action="pin" aria-pressed=move || is_pinned().to_string() on:click=move |_| state.pin(!is_pinned())>
                    {move || if is_pinned() { m.act_unpin } else { m.act_pin }}
                </button>
            </nav>
            <nav class="actions" aria-label=m.actions>
                <span>{m.actions}": "</span>
                <button type="button" on:click=copy>{move || if copied.get() { m.act_copied } else { m.act_link }}</button>
                {file("csv", m.act_csv, "text/csv", |state, _| state.worked.with_untracked(|w| take::csv(&w.answers)))}
                {file("json", m.act_json, "application/json", |state, _| state.worked.with_untracked(|w| json::json(&w.answers)))}
                {file("md", m.act_markdown, "text/markdown", |state, lang| state.worked.with_untracked(|w| take::markdown(&w.answers, lang)))}
                <button type="button" on:click=|_| print_page()>{m.act_print}</button>
            </nav>
            <nav class="actions" aria-label=m.act_charts>
                <span>{m.act_charts}": "</span>
                {Chart::ALL.map(|kind| view! { <SaveChart state kind/> }).collect_view()}
            </nav>
            <nav class="actions" aria-label=m.act_cite>
                <span>{m.act_cite}": "</span>
                {file("bib", "BibTeX", "application/x-bibtex", |state, lang| cite::bibtex(&link(state), &cite::date(now_ms()), lang))}
                {file("cff", "CFF", "text/yaml", |state, lang| cite::cff(&link(state), &cite::date(now_ms()), lang))}
            </nav>
        </div>
        <Difference/>
    }
    .into_any()
}

/// Undo and redo, by button and by keys.
#[component]
fn Steps(state: State) -> impl IntoView {
    let m = state.lang().messages();
    let history = RwSignal::new(History::new(state.scenario.get_untracked()));
    Effect::new(move |_| {
        let present = state.scenario.get();
        history.update(|history| history.note(present, now_ms()));
    });
    let go = move |step: fn(&mut History) -> Option<crate::scenario::Scenario>| {
        if let Some(scenario) = history.try_update(step).flatten() {
            state.scenario.set(scenario);
        }
    };
    on_undo_keys(move |again| go(if again { History::redo } else { History::undo }));
    view! {
        <button type="button" data-action="undo" disabled=move || !history.with(History::has_past) on:click=move |_| go(History::undo)>{m.act_undo}</button>
        <button type="button" data-action="redo" disabled=move || !history.with(History::has_future) on:click=move |_| go(History::redo)>{m.act_redo}</button>
    }
    .into_any()
}

/// A chart as SVG, and as PNG as it stands on the page.
#[component]
fn SaveChart(state: State, kind: Chart) -> impl IntoView {
    let lang = state.lang();
    let svg = move |event: MouseEvent| {
        let spec = state.worked.with_untracked(|w| chart_beside(kind, &w.answers, state.pinned.get_untracked().as_deref(), lang));
        save(&event, "image/svg+xml", &crate::chart::svg_standalone(&spec, SIZE.0, SIZE.1));
    };
    let png = move |event: MouseEvent| save_picture(&event, &format!("[data-chart={}] canvas", kind.key()));
    let name = kind.key();
    let words = kind.name(lang);
    view! {
        <span class="pair">{words}" "
            <a href="#content" download=format!("{name}.svg") data-action=format!("{name}-svg") aria-label=format!("{words}: SVG") on:click=svg>"SVG"</a>" "
            <a href="#content" download=format!("{name}.png") data-action=format!("{name}-png") aria-label=format!("{words}: PNG") on:click=png>"PNG"</a>
        </span>
    }
    .into_any()
}

/// What changes from the pinned scenario to the present one; nothing while none is pinned.
#[component]
fn Difference() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let tables = Memo::new(move |_| {
        let pinned = state.pinned.get()?;
        Some(state.worked.with(|w| [difference::settings(&pinned, &w.answers, lang), difference::answers(&pinned, &w.answers, lang)]))
    });
    move || {
        tables.get().map(|[settings, answers]| {
            let same = settings.rows.is_empty();
            view! {
                <section class="difference" aria-label=m.difference_title>
                    <h2>{m.difference_title}</h2>
                    {same.then(|| view! { <p class="aside">{m.difference_none}</p> })}
                    {(!same).then(|| view! { <Data table=Signal::stored(settings) label=m.settings/> <Data table=Signal::stored(answers) label=m.answers/> })}
                </section>
            }
            .into_any()
        })
    }
}

/// The address of the page with the present scenario, whatever the throttle has written so far.
fn link(state: State) -> String {
    let (page, query) = (link_of_page(), untrack(|| state.query()));
    if query.is_empty() { page } else { format!("{page}?{query}") }
}
