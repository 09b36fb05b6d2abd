//! The decision helper: five questions to the reader, one that the model answers, and the recommendation that follows.

use crate::report::decision::{Flip, Own, Question, Reason, Wishes, decide, words};
use crate::report::sentences;
use crate::ui::state::use_state;
use leptos::prelude::*;

/// Form and recommendation. What the reader has not answered follows the scenario.
#[component]
pub fn Decision() -> impl IntoView {
    let state = use_state();
    let lang = state.lang();
    let own = RwSignal::new(Own::default());
    let wishes = Memo::new(move |_| state.worked.with(|w| Wishes::suiting(&w.answers).or_own(&own.get())));
    let decision = Memo::new(move |_| state.worked.with(|w| decide(&w.answers, &wishes.get())));
    let way = Memo::new(move |_| decision.with(|d| d.way));
    let list = move |reasons: &[Reason]| reasons.iter().map(|reason| view! { <li>{reason.in_lang(lang)}</li> }).collect_view();
    let flip = move |flip: &Flip| {
        let [asked, answer, way] =
            [flip.question.label(), flip.question.choices()[flip.answer].label, flip.way.name()].map(|t| t.in_lang(lang));
        view! { <li>{format!("{asked} – {answer}: {way}")}</li> }
    };
    let question = move |question: Question| {
        let radio = move |(index, choice): (usize, &'static crate::scenario::Choice)| {
            let chosen = move || wishes.with(|w| w.of(question) == index);
            view! {
                <label class="guess">
                    <input type="radio" name=question.key() value=choice.key checked=chosen prop:checked=chosen
                        on:change=move |_| own.update(|own| own[question as usize] = Some(index))/>
                    {choice.label.in_lang(lang)}
                </label>
            }
            .into_any()
        };
        view! {
            <fieldset class="guesses">
                <legend>{question.label().in_lang(lang)}</legend>
                {question.choices().iter().enumerate().map(radio).collect_view()}
            </fieldset>
        }
        .into_any()
    };
    let [first, rest @ ..] = Question::ALL;
    view! {
        <div class="decision">
            <form>
                {question(first)}
                <div><p>{words::MEMORY.in_lang(lang)}</p><ul class="causes">{move || decision.with(|d| list(&d.memory))}</ul></div>
                {rest.map(question).collect_view()}
            </form>
            <div>
                <p class="finding" aria-live="polite" aria-atomic="true">
                    {words::ADVICE.in_lang(lang)}
                    <strong data-way=move || way.get().key() class=move || if way.get().is_centralised() { "single-word" } else { "cluster-word" }>
                        {move || way.get().name().in_lang(lang)}
                    </strong>
                </p>
                {move || decision.with(|d| {
                    let plan = d.plan.as_ref().map(|plan| format!("{}: {}", lang.messages().plan, sentences::plan(plan, lang)));
                    view! {
                        <ul class="causes">{list(&d.reasons)}{plan.map(|plan| view! { <li>{plan}</li> })}</ul>
                        <h4>{words::CHANGES.in_lang(lang)}</h4>
                        <ul class="causes">
                            {d.flips.is_empty().then(|| view! { <li>{words::STEADY.in_lang(lang)}</li> })}
                            {d.flips.iter().map(flip).collect_view()}
                        </ul>
                    }
                    .into_any()
                })}
            </div>
        </div>
    }
    .into_any()
}
