//! The calculator's parts, as the comparison, the calculator page and the embedded page put them together.

use crate::locale::Lang;
use crate::report::charts::{Chart, chart_beside, numbers};
use crate::report::{sentences, strip};
use crate::scenario::{Group, Param, Scenario, display, slider};
use crate::ui::State;
use crate::ui::chart::{ChartFigure, ChartWords};
use crate::ui::control::{Control, InSight};
use crate::ui::fold::is_open;
use crate::ui::state::use_state;
use leptos::context::Provider;
use leptos::prelude::*;

/// The parameters of the compact form.
pub const MAIN: [Param; 3] = [Param::Params, Param::Gpus, Param::Bandwidth];

/// The three big sliders.
#[component]
pub fn MainSliders() -> impl IntoView {
    view! { <div class="main-sliders">{MAIN.map(|param| view! { <Control param scope="main" help=false/> }).collect_view()}</div> }
}

/// What the reader must know: what of the link was not taken, what contradicts itself, what does not fit.
#[component]
pub fn Notices() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let list = move |class: &'static str, heading: Option<&'static str>, items: Vec<String>, foot: Option<&'static str>| {
        (!items.is_empty()).then(|| {
            view! {
                <div class=format!("notices {class}") role="alert">
                    {heading.map(|words| view! { <p><strong>{words}</strong></p> })}
                    <ul>{items.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                    {foot.map(|words| view! { <p>{words}</p> })}
                </div>
            }
        })
    };
    move || {
        let m = lang.messages();
        let from_link = state.notices.with(|n| n.iter().map(|notice| notice.words(lang)).collect());
        let (conflicts, remarks) = state.worked.with(|w| {
            let conflicts: Vec<String> = w.conflicts.iter().map(|conflict| conflict.words(lang)).collect();
            let remarks = if conflicts.is_empty() { sentences::remarks(&w.answers, lang) } else { Vec::new() };
            (conflicts, remarks)
        });
        view! {
            {list("from-link", Some(m.notices_title), from_link, None)}
            {list("conflicts", Some(m.conflict_title), conflicts, Some(m.last_good))}
            {list("remarks", None, remarks, None)}
        }
        .into_any()
    }
}

/// One machine and the cluster side by side.
#[component]
pub fn Strip() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let sides = Memo::new(move |_| state.worked.with(|w| strip::strip(&w.answers, lang)));
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label=lang.messages().answers>
            {move || {
                let m = lang.messages();
                sides.with(|sides| {
                    let heads = sides[0].figures.iter().map(|figure| view! { <th scope="col">{figure.label}</th> }).collect_view();
                    let row = |side: &strip::Side| {
                        let cells = side.figures.iter().map(|figure| {
                            let better = figure.better.then(|| view! { <span class="better" title=m.better><span aria-hidden="true">"\u{a0}◂"</span><span class="sr-only">{format!(" ({})", m.better)}</span></span> });
                            view! {
                                <td class:is-better=figure.better data-label=figure.label>
                                    <strong data-answer=format!("{}-{}", side.key, figure.key)>{figure.value.clone()}</strong>{better}
                                    <small>{figure.note.clone()}</small>
                                </td>
                            }
                        });
                        view! {
                            <tr class=side.key>
                                <th scope="row"><span class="side-name">{side.name}</span><small>{side.hardware.clone()}</small><small>{side.plan.clone()}</small></th>
                                {cells.collect_view()}
                            </tr>
                        }
                    };
                    view! {
                        <table class="strip">
                            <caption class="sr-only">{m.answers}</caption>
                            <thead><tr><td></td>{heads}</tr></thead>
                            <tbody>{sides.iter().map(row).collect_view()}</tbody>
                        </table>
                    }
                })
            }}
        </div>
        <p class="band-note">{move || state.worked.with(|w| w.answers.band(&w.answers.cluster).words(w.answers.scenario.gpu().name, lang))}</p>
    }
    .into_any()
}

/// Some of the four charts.
#[component]
pub fn Charts(
    /// Which.
    #[prop(into)]
    charts: Vec<Chart>,
) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let figure = move |kind: Chart| {
        let spec = Memo::new(move |_| {
            let pinned = state.pinned.get();
            state.worked.with(|w| chart_beside(kind, &w.answers, pinned.as_deref(), lang))
        });
        let table = Signal::derive(move || {
            let pinned = state.pinned.get();
            state.worked.with(|w| numbers(kind, &w.answers, pinned.as_deref(), lang))
        });
        let on_pick = pick(state, Some(kind.x_param()));
        view! { <ChartFigure spec numbers=table key=kind.key() words=words(lang) on_pick/> }
    };
    view! { <div class="charts">{charts.into_iter().map(figure).collect_view()}</div> }
}

/// Sets the parameter along the x-axis, if that is one, to what the reader picked there.
pub fn pick(state: State, param: Option<Param>) -> Callback<f64> {
    Callback::new(move |x: f64| {
        if let Some(param) = param {
            state.set(param, slider::value_at(param, slider::position(param, x)));
        }
    })
}

/// The words around every chart.
pub fn words(lang: Lang) -> ChartWords {
    let m = lang.messages();
    ChartWords { numbers: m.chart_data, hint: m.chart_focus_hint }
}

/// The price list's entry behind the money, with its date and source; or that there is none.
#[component]
pub fn PriceNote() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    move || {
        let m = lang.messages();
        state.scenario.with(|s| match (s.own(Param::Price), s.offer()) {
            (Some(_), _) => view! { <p class="aside">{m.own_value}</p> }.into_any(),
            (None, Some(offer)) => {
                let words = crate::locale::fill(m.price_note, &[("offer", offer.label), ("date", offer.date), ("source", offer.source)]);
                view! { <p class="aside">{words}</p> }.into_any()
            }
            (None, None) => view! { <p class="aside">{m.cost_unknown}</p> }.into_any(),
        })
    }
}

/// The present scenario in a sentence whose values are controls.
#[component]
pub fn LiveSentence() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let open = RwSignal::new(None::<Param>);
    let pieces = Memo::new(move |_| state.worked.with(|w| sentences::live(&w.answers, lang)));
    let piece = move |piece: &sentences::Piece| match piece.clone() {
        sentences::Piece::Words(words) => words.into_any(),
        sentences::Piece::Single(words) => view! { <strong class="single-word">{words}</strong> }.into_any(),
        sentences::Piece::Cluster(words) => view! { <strong class="cluster-word">{words}</strong> }.into_any(),
        sentences::Piece::Control(param, words) => view! {
            <button type="button" class="in-sentence" aria-expanded=move || (open.get() == Some(param)).to_string()
                on:click=move |_| open.update(|o| *o = if *o == Some(param) { None } else { Some(param) })>{words}</button>
        }
        .into_any(),
    };
    view! {
        <p class="live" aria-label=lang.messages().live_label>{move || pieces.with(|p| p.iter().map(piece).collect_view())}</p>
        {move || open.get().map(|param| view! { <div class="opened"><Control param scope="live"/></div> })}
    }
    .into_any()
}

/// The groups of settings, closed; their headings say what is in them.
#[component]
pub fn Settings() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let group = move |group: Group| {
        let params = Param::in_group(group).filter(|param| !MAIN.contains(param));
        let open = RwSignal::new(false);
        let controls = move || params.map(|param| view! { <Control param scope="set"/> }).collect_view();
        view! {
            <details class="group" data-group=format!("{group:?}").to_lowercase() on:toggle=move |event| open.set(is_open(&event))>
                <summary>
                    <span class="group-name">{group.label().in_lang(lang)}</span>
                    <span class="group-summary">{move || state.scenario.with(|s| display::summary(group, s, lang))}</span>
                </summary>
                <Provider value=InSight(open)>{controls()}</Provider>
                {(group == Group::Money).then(|| view! { <PriceNote/> })}
            </details>
        }
        .into_any()
    };
    let changed = move || state.scenario.with(|s| s.changed().next().is_some());
    view! {
        <section class="settings" aria-label=m.settings>
            {Group::ALL.map(group).collect_view()}
            <p class="reset-all" hidden=move || !changed()>
                <button type="button" on:click=move |_| { state.scenario.set(Scenario::default()); state.notices.set(Vec::new()) }>{m.reset_all}</button>
            </p>
        </section>
    }
    .into_any()
}
