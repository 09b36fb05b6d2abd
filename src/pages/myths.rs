//! The myths: the reader commits to an answer, then sees the fact, and in the model's chart what that answer would mean. Without style sheets,
//! on paper, and where a browser lacks `:has`, everything is there to read.

use super::claim::Found;
use super::trial::Spot;
use crate::content::{Body, Comparison, Myth, Part};
use crate::locale::Lang;
use leptos::prelude::*;

/// The myths of a comparison.
#[component]
pub fn Myths(
    /// The comparison.
    comparison: &'static Comparison,
    /// Its texts.
    body: &'static Body,
    /// The language.
    lang: Lang,
) -> impl IntoView {
    let m = lang.messages();
    let myths = comparison.myths.iter().zip(body.myth_items).map(|(part, text)| view! { <One part text lang/> });
    view! {
        <section class="myths" aria-labelledby="myths-heading">
            <h2 id="myths-heading">{body.myths.heading}</h2>
            <p>{body.myths.intro}</p>
            <div class="myth-list">{myths.collect_view()}</div>
            <p class="guess-count" aria-hidden="true"><span class="counted"></span>{format!(" / {} {}", comparison.myths.len(), m.guess_count)}</p>
        </section>
    }
    .into_any()
}

#[component]
fn One(part: &'static Part, text: &'static Myth, lang: Lang) -> impl IntoView {
    let m = lang.messages();
    let right = right_answer(part.id);
    let guess = move |answer: Guess| {
        let id = format!("guess-{}-{}", part.id, answer.key());
        view! {
            <span class="guess" class:right=answer == right>
                <input type="radio" name=format!("guess-{}", part.id) id=id.clone() value=answer.key()/>
                <label for=id>{answer.words(lang)}</label>
            </span>
        }
    };
    let found = part.claims.iter().map(|letter| {
        let above = view! { <Readings text right lang/> }.into_any();
        view! { <Found letter place=Spot::Myth lang above/> }
    });
    view! {
        <article class="myth" id=part.id>
            <p class="kicker">{m.myth}</p>
            <h3>{quoted(text.title, lang)}</h3>
            <fieldset class="guesses"><legend>{m.guess_question}</legend>{Guess::ALL.map(guess).collect_view()}</fieldset>
            <div class="fact">
                <p class="kicker">{m.fact}</p>
                <div inner_html=text.fact_html></div>
                {found.collect_view()}
            </div>
        </article>
    }
    .into_any()
}

/// What the chart shows, and what it would show if the reader were right; the style sheet leaves out the answers that were not given.
#[component]
fn Readings(text: &'static Myth, right: Guess, lang: Lang) -> impl IntoView {
    let m = lang.messages();
    let reading = move |(answer, words): (Guess, &'static str)| {
        let says = if answer == right { m.guess_right } else { m.guess_wrong };
        view! {
            <li class="reading" class:right=answer == right data-answer=answer.key()>
                <strong>{answer.words(lang)}</strong>
                <em class="yours">{format!(" – {}: {says}", m.guess_yours)}</em>
                ". "{words}
            </li>
        }
    };
    view! { <div role="status"><ul class="readings">{Guess::ALL.into_iter().zip(text.readings).map(reading).collect_view()}</ul></div> }
}

/// What a reader may say of a myth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guess {
    True,
    False,
    Depends,
}

impl Guess {
    const ALL: [Guess; 3] = [Guess::True, Guess::False, Guess::Depends];

    const fn key(self) -> &'static str {
        match self {
            Guess::True => "true",
            Guess::False => "false",
            Guess::Depends => "depends",
        }
    }

    fn words(self, lang: Lang) -> &'static str {
        let m = lang.messages();
        match self {
            Guess::True => m.guess_true,
            Guess::False => m.guess_false,
            Guess::Depends => m.guess_depends,
        }
    }
}

/// What the fact says of a myth: the first one holds for large models on fast links and fails for small ones, the others are wrong.
fn right_answer(id: &str) -> Guess {
    if id == "always-faster" { Guess::Depends } else { Guess::False }
}

/// A statement in the quotation marks of its language.
fn quoted(words: &str, lang: Lang) -> String {
    match lang {
        Lang::De => format!("„{words}“"),
        Lang::En => format!("“{words}”"),
    }
}
