//! The tabs under the charts: how the answer comes about.

use crate::chart::{BarSpec, Side};
use crate::locale::Lang;
use crate::model::Estimate;
use crate::report::{arithmetic, bars, map, needed, plans, recovery, sentences};
use crate::scenario::{Group, Param};
use crate::ui::bar::Bar;
use crate::ui::source::source_view;
use crate::ui::state::use_state;
use crate::ui::table::Data;
use crate::ui::tabs::{Tab, Tabs};
use leptos::prelude::*;
use std::time::Duration;

/// The tabs under the charts.
#[component]
pub fn Explanations() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let tab = |key, label, panel| Tab { key, label, panel };
    let tabs = vec![
        tab("step", m.tab_step, ViewFn::from(|| view! { <StepPanel/> })),
        tab("memory", m.tab_memory, ViewFn::from(|| view! { <MemoryPanel/> })),
        tab("map", m.tab_map, ViewFn::from(|| view! { <MapPanel/> })),
        tab("plans", m.tab_plans, ViewFn::from(|| view! { <PlansPanel/> })),
        tab("failures", m.tab_failures, ViewFn::from(|| view! { <FailuresPanel/> })),
        tab("needed", m.tab_needed, ViewFn::from(|| view! { <NeededPanel/> })),
        tab("beyond", Group::Beyond.label().in_lang(lang), ViewFn::from(|| view! { <super::beyond::BeyondPanel/> })),
        tab("own", m.tab_own, ViewFn::from(|| view! { <super::own_run::OwnRunPanel/> })),
        tab("launch", m.tab_launch, ViewFn::from(|| view! { <super::launch::LaunchPanel/> })),
        tab("arithmetic", m.tab_arithmetic, ViewFn::from(|| view! { <ArithmeticPanel/> })),
    ];
    view! { <section class="explanations" aria-label=m.tabs_label><Tabs tabs label=m.tabs_label/></section> }
}

/// Makes a bar of a side's estimate.
type BarOf = fn(&'static str, Side, &Estimate, Lang) -> BarSpec;

/// The cluster and the one machine, each with a bar that `bar` makes of it and with what stands `below` it. `ids` keep the two apart.
fn sides(ids: [&'static str; 2], bar: BarOf, below: impl Fn(bool) -> AnyView) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let side = |cluster: bool| {
        let spec = Memo::new(move |_| {
            state.worked.with(|w| match cluster {
                true => bar(ids[0], Side::First, &w.answers.cluster, lang),
                false => bar(ids[1], Side::Second, &w.answers.single, lang),
            })
        });
        view! {
            <section class=if cluster { "side cluster" } else { "side single" }>
                <h3>{if cluster { m.cluster } else { m.single }}</h3>
                <p class="finding">{move || spec.with(|b| b.title.clone())}</p>
                <Bar spec numbers=m.chart_data/>
                {below(cluster)}
            </section>
        }
        .into_any()
    };
    view! { {side(true)} {side(false)} }
}

#[component]
fn StepPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let causes = move |cluster: bool| {
        let list = move || state.worked.with(|w| sentences::causes(if cluster { &w.answers.cluster } else { &w.answers.single }, lang));
        view! {
            <h4>{lang.messages().cause_title}</h4>
            <ul class="causes">{move || list().into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
        }
        .into_any()
    };
    sides(["step-cluster", "step-single"], bars::step, causes)
}

#[component]
fn MemoryPanel() -> impl IntoView {
    sides(["memory-cluster", "memory-single"], bars::memory, |_| ().into_any())
}

#[component]
fn ArithmeticPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    move || {
        let m = lang.messages();
        let terms = state.worked.with(|w| arithmetic::terms(&w.answers, lang));
        let row = |term: arithmetic::Term| {
            let [one_values, many_values] = term.values;
            let [one, many] = term.results;
            let same = one_values == many_values && one == many;
            let worked = |class: &'static str, values: String, result: String| view! { <p class=format!("worked {class}")><span>{values}</span>" = "<strong>{result}</strong></p> };
            let lines = if same {
                worked("both", many_values, many).into_any()
            } else {
                view! { {worked("cluster", many_values, many)} {worked("single", one_values, one)} }.into_any()
            };
            view! {
                <details class="term">
                    <summary><span>{term.name}</span><code>{term.equation}</code></summary>
                    {lines}
                    <p class="source">{m.column_source}": "{source_view(term.source)}</p>
                </details>
            }
        };
        view! {
            <p class="finding">{m.arithmetic_intro}</p>
            <p class="key-line"><span class="cluster-word">{m.cluster}</span>" · "<span class="single-word">{m.single}</span></p>
            <div class="terms">{terms.into_iter().map(row).collect_view()}</div>
        }
        .into_any()
    }
}

/// The best plans; each can be taken.
#[component]
fn PlansPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let rows = Memo::new(move |_| state.worked.with(|w| plans::rows(&plans::best(&w.answers.setup), lang)));
    let row = move |row: &plans::Row| {
        let plan = row.plan;
        let take = move |_| state.scenario.update(|scenario| *scenario = plans::take(scenario, &plan));
        view! {
            <tr>
                <th scope="row">{row.name.clone()}</th><td>{row.step.clone()}</td><td>{row.time.clone()}</td><td>{row.memory.clone()}</td><td>{row.why.clone()}</td>
                <td><button type="button" class="take" aria-label=format!("{}: {}", row.name, m.plan_take) on:click=take>{m.plan_take}</button></td>
            </tr>
        }
    };
    let heads = [m.column_plan, m.column_step, m.time, m.memory_per_gpu, m.column_why].map(|words| view! { <th scope="col">{words}</th> });
    view! {
        <p class="finding">{move || if rows.with(Vec::is_empty) { m.plans_none } else { m.plans_intro }}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=m.tab_plans hidden=move || rows.with(Vec::is_empty)>
            <table class="data plans"><thead><tr>{heads.collect_view()}<td></td></tr></thead><tbody>{move || rows.with(|rows| rows.iter().map(row).collect_view())}</tbody></table>
        </div>
    }
    .into_any()
}

#[component]
fn FailuresPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let table = Signal::derive(move || state.worked.with(|w| needed::failures(&w.answers.by_gpus, lang)));
    let ways = Memo::new(move |_| state.worked.with(|w| recovery::show(&w.answers, lang)));
    let after = Signal::derive(move || ways.with(|(_, table)| table.clone()));
    view! {
        <p class="finding">{m.failures_intro}</p>
        <Data table label=m.tab_failures/>
        <p class="finding" data-recovery="">{move || ways.with(|(finding, _)| finding.clone())}</p>
        <Data table=after label=Param::Recovery.row().label.in_lang(lang)/>
    }
    .into_any()
}

#[component]
fn NeededPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let table = Signal::derive(move || {
        state.worked.with(|w| {
            let answers = &w.answers;
            needed::table(&answers.setup, &answers.by_bandwidth, lang)
        })
    });
    view! { <p class="finding">{m.needed_intro}</p><Data table label=m.tab_needed/> }.into_any()
}

/// Pause after the last change before the map, which asks about a hundred clusters, is worked out again.
const MAP_PAUSE: Duration = Duration::from_millis(150);

/// Who wins at which number of GPUs and which bandwidth; the cell of the present scenario is marked, each can be taken.
#[component]
fn MapPanel() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let cells = RwSignal::new(Vec::<Vec<map::Cell>>::new());
    let waiting = StoredValue::new_local(None::<TimeoutHandle>);
    let cancel = move || {
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move |before: Option<()>| {
        let answers = state.answers();
        cancel();
        if before.is_none() {
            cells.set(map::map(&answers));
            return;
        }
        // Where the browser grants no timer, the map stays as it was.
        let later = set_timeout_with_handle(
            move || {
                let _ = cells.try_set(map::map(&answers));
            },
            MAP_PAUSE,
        );
        waiting.set_value(later.ok());
    });
    on_cleanup(cancel);
    let near = |a: f64, b: f64, all: &[f64]| all.iter().all(|other| (a / b).ln().abs() <= (other / b).ln().abs() + 1e-9);
    let row = move |row: &Vec<map::Cell>| {
        let (gpus, gbit) = state.scenario.with_untracked(|s| (s.number(Param::Gpus), s.number(Param::Bandwidth)));
        let cell = |cell: &map::Cell| {
            let cell = *cell;
            let words = map::words(&cell, lang);
            let side = match cell.gain {
                None => "unfit",
                Some(gain) if gain > 1.0 => "cluster",
                Some(_) => "single",
            };
            let strength = cell.gain.map_or(0.0, |gain| (gain.ln().abs() / 3.0).clamp(0.12, 1.0));
            let here = near(f64::from(cell.gpus), gpus, &map::GPUS.map(f64::from)) && near(cell.gbit, gbit, &map::GBITS);
            let place = format!("{} GPUs, {}: {words}", cell.gpus, crate::locale::quantity::bandwidth(cell.gbit, 2, lang));
            let take = move |_| {
                state.set(Param::Gpus, f64::from(cell.gpus));
                state.set(Param::Bandwidth, cell.gbit);
            };
            view! { <td class=side class:here=here style=format!("--strength:{strength:.2}")><button type="button" aria-label=place aria-current=here.then_some("true") on:click=take>{words}</button></td> }
        };
        let gbit = row.first().map_or(0.0, |cell| cell.gbit);
        view! { <tr><th scope="row">{crate::locale::quantity::bandwidth(gbit, 2, lang)}</th>{row.iter().map(cell).collect_view()}</tr> }
    };
    let heads = map::GPUS.map(|gpus| view! { <th scope="col">{crate::locale::number::fixed(f64::from(gpus), 0, lang)}</th> });
    view! {
        <p class="finding">{move || cells.with(|cells| if cells.is_empty() { m.map_waiting.to_string() } else { map::title(cells, lang) })}</p>
        <p>{m.map_intro}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=m.tab_map>
            <table class="map"><thead><tr><th scope="col">{m.map_corner}" \\ GPUs"</th>{heads.collect_view()}</tr></thead><tbody>{move || cells.with(|cells| cells.iter().map(row).collect_view())}</tbody></table>
        </div>
    }
    .into_any()
}
