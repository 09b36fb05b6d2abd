//! The calculator: every setting, all charts, every figure opened.

use super::instrument::{Charts, Explanations, MAIN, MainSliders, Notices, PriceNote, Strip};
use crate::content::site;
use crate::locale::Lang;
use crate::report::charts::Chart;
use crate::scenario::{Group, Param, Scenario, display};
use crate::ui::control::Control;
use crate::ui::state::use_state;
use leptos::prelude::*;

/// The calculator page.
#[component]
pub fn Calculator(
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let text = site(lang);
    view! {
        <div class="intro slim">
            <h1>{text.calculator.title}</h1>
            <p class="lead">{text.calculator.lead}</p>
        </div>
        <Notices/>
        <div class="instrument">
            <div class="first"><MainSliders/></div>
            <div class="answers"><Strip/><Charts charts=&Chart::ALL/></div>
            <Settings/>
        </div>
        <Explanations/>
    }
    .into_any()
}

/// The groups of settings, closed; their headings say what is in them.
#[component]
fn Settings() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let m = lang.messages();
    let group = move |group: Group| {
        let params = Param::in_group(group).filter(|param| !MAIN.contains(param));
        let controls = params.map(|param| view! { <Control param scope="set"/> }).collect_view();
        view! {
            <details class="group" data-group=format!("{group:?}").to_lowercase()>
                <summary>
                    <span class="group-name">{group.label().in_lang(lang)}</span>
                    <span class="group-summary">{move || state.scenario.with(|s| display::summary(group, s, lang))}</span>
                </summary>
                {controls}
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
