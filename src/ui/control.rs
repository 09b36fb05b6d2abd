//! Slider, number field and choice of a parameter.

use super::state::use_state;
use crate::catalog;
use crate::locale::Text;
use crate::locale::fill;
use crate::scenario::{Kind, Param, SetError, display, slider};
use leptos::prelude::*;

/// What a control shows of the scenario. It alone follows the scenario, one reader for each control: everything in the control follows it,
/// and stands still while another parameter moves.
#[derive(Clone, Copy, PartialEq)]
struct Face {
    moot: Option<Text>,
    value: Option<f64>,
    changed: bool,
}

/// Whether the controls below are in sight. In a closed fold they sleep: they follow the scenario again when it is opened.
#[derive(Clone, Copy)]
pub struct InSight(pub RwSignal<bool>);

/// A parameter with its label, field, and slider or list; hidden where it has no meaning.
#[component]
pub fn Control(
    /// The parameter.
    param: Param,
    /// Part of the page that the control stands in: keeps ids apart where a parameter stands twice.
    #[prop(into)]
    scope: String,
    /// Whether the help line is shown.
    #[prop(default = true)]
    help: bool,
) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let in_sight = use_context::<InSight>();
    let face = Memo::new(move |before: Option<&Face>| match (before, in_sight) {
        (Some(before), Some(InSight(open))) if !open.get() => *before,
        _ => state.scenario.with(|s| Face { moot: param.moot(s), value: s.value(param), changed: s.own(param).is_some() }),
    });
    let moot = Memo::new(move |_| face.with(|face| face.moot));
    let row = param.row();
    move || match moot.get() {
        Some(reason) => {
            let label = row.label.in_lang(lang);
            view! { <p class="moot">{fill(lang.messages().hidden_because, &[("label", label), ("reason", reason.in_lang(lang))])}</p> }
                .into_any()
        }
        None if row.kind.is_choice() => view! { <ChoiceControl param face scope=scope.clone() help/> }.into_any(),
        None => view! { <NumberControl param face scope=scope.clone() help/> }.into_any(),
    }
}

/// The reset button of a changed parameter.
#[component]
fn Reset(param: Param, face: Memo<Face>) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let changed = Memo::new(move |_| face.with(|face| face.changed));
    move || {
        let m = lang.messages();
        let label = param.row().label.in_lang(lang);
        changed.get().then(|| {
            view! {
                <button type="button" class="reset" title=m.reset aria-label=format!("{label}: {}, {}", m.changed_one, m.reset)
                    on:click=move |_| state.scenario.update(|s| s.reset(param))>
                    <span class="changed">{m.changed_one}</span><span aria-hidden="true">" ↺"</span>
                </button>
            }
        })
    }
}

#[component]
fn NumberControl(param: Param, face: Memo<Face>, scope: String, help: bool) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let row = param.row();
    // What the reader is typing; while it is wrong it stays, and the last good value holds.
    let typed = RwSignal::new(None::<String>);
    let error = RwSignal::new(None::<SetError>);
    let value = Memo::new(move |_| face.with(|face| face.value));
    let shown = move || typed.get().unwrap_or_else(|| value.get().map_or_else(String::new, |v| display::field(param, v, lang)));
    let on_text = move |text: String| {
        let mut next = state.scenario.get_untracked();
        match next.set_text(param, &text, Some(lang)) {
            Ok(()) => {
                error.set(None);
                if next != state.scenario.get_untracked() {
                    state.scenario.set(next);
                }
            }
            Err(problem) => error.set(Some(problem)),
        }
        typed.set(Some(text));
    };
    let on_blur = move || {
        if error.with_untracked(Option::is_none) {
            typed.set(None);
        }
    };
    let on_slide = move |position: String| {
        if let Ok(position) = position.parse() {
            typed.set(None);
            error.set(None);
            state.set(param, slider::value_at(param, position));
        }
    };
    let valuetext = move || value.get().map_or_else(|| lang.messages().automatic.to_string(), |v| display::value(param, v, lang));
    let id = format!("{scope}-{}", row.key);
    let (field_id, help_id, error_id) = (id.clone(), format!("{id}-help"), format!("{id}-error"));
    let described = format!("{help_id} {error_id}");
    let last = slider::last(param);
    let (min, max) = row.kind.range();
    let [min_text, max_text] = [min, max].map(|v| display::value(param, v, lang));
    let has_slider = !matches!(row.default, crate::scenario::param::Default::Open(_)) || param == Param::Price;
    view! {
        <div class="control" data-param=row.key class:changed=move || face.with(|face| face.changed)>
            <div class="control-head">
                <label for=field_id.clone()>{row.label.in_lang(lang)}</label>
                <Reset param face/>
                <span class="field">
                    <input type="text" inputmode="decimal" autocomplete="off" spellcheck="false" id=field_id data-key=row.key
                        aria-describedby=described aria-invalid=move || error.with(Option::is_some).then_some("true")
                        placeholder=lang.messages().automatic
                        prop:value=shown value=shown
                        on:input:target=move |event| on_text(event.target().value())
                        on:blur=move |_| on_blur()/>
                    <span class="unit">{display::unit(param, lang)}</span>
                </span>
            </div>
            {has_slider.then(|| view! {
                <input type="range" min="0" max=last step="1" data-key=row.key
                    aria-label=fill(lang.messages().slider_of, &[("label", row.label.in_lang(lang))])
                    aria-valuetext=valuetext
                    style=("--at", move || format!("{}%", value.get().map_or(0.0, |v| 100.0 * f64::from(slider::position(param, v)) / f64::from(last.max(1)))))
                    value=move || value.get_untracked().map_or(0, |v| slider::position(param, v))
                    prop:value=move || value.get().map_or(0, |v| slider::position(param, v)).to_string()
                    on:input:target=move |event| on_slide(event.target().value())/>
                <div class="ends" aria-hidden="true"><span>{min_text}</span><span>{max_text}</span></div>
            })}
            <p class="help" id=help_id hidden=!help>{row.help.in_lang(lang)}</p>
            <p class="error" id=error_id role="alert">{move || error.get().map(|problem| problem.words(lang))}</p>
        </div>
    }
    .into_any()
}

/// The entries of a list that make sense for the scenario: offers of the chosen GPU only.
fn offered(param: Param, index: usize, gpu: &str) -> bool {
    param != Param::Offer || catalog::PRICES.get(index).is_some_and(|price| price.gpu == gpu)
}

#[component]
fn ChoiceControl(param: Param, face: Memo<Face>, scope: String, help: bool) -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let row = param.row();
    let id = format!("{scope}-{}", row.key);
    let help_id = format!("{id}-help");
    let value = Memo::new(move |_| face.with(|face| face.value));
    // Only the list of offers depends on it.
    let gpu = Memo::new(move |_| if param == Param::Offer { state.scenario.with(|s| s.gpu().id) } else { "" });
    let options = move || {
        let Kind::Choice(choices) = row.kind else { return Vec::new() };
        let (gpu, chosen) = (gpu.get(), value.get());
        let entries = choices().iter().enumerate().filter(|(index, _)| offered(param, *index, gpu) || chosen == Some(*index as f64));
        let options = entries.map(|(index, choice)| {
            let chosen = chosen == Some(index as f64);
            view! { <option value=index.to_string() selected=chosen prop:selected=chosen>{choice.label.in_lang(lang)}</option> }.into_any()
        });
        let none = chosen
            .is_none()
            .then(|| view! { <option value="" selected=true prop:selected=true>{lang.messages().not_known}</option> }.into_any());
        none.into_iter().chain(options).collect::<Vec<_>>()
    };
    let on_change = move |text: String| {
        if let Ok(index) = text.parse::<u32>() {
            state.set(param, f64::from(index));
        }
    };
    view! {
        <div class="control" data-param=row.key class:changed=move || face.with(|face| face.changed)>
            <div class="control-head">
                <label for=id.clone()>{row.label.in_lang(lang)}</label>
                <Reset param face/>
            </div>
            <select id=id data-key=row.key aria-describedby=help_id.clone()
                on:change:target=move |event| on_change(event.target().value())>
                {options}
            </select>
            <p class="help" id=help_id hidden=!help>{row.help.in_lang(lang)}</p>
        </div>
    }
    .into_any()
}
