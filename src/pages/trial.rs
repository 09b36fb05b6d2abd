//! "Try it", alive: a claim's chart and figures over sliders of its own, which start at the claim's scenario. They take the place of the
//! prerendered ones when these come into view.

use super::instrument::{Notices, pick, words};
use crate::chart::{ChartSpec, DataTable};
use crate::locale::Lang;
use crate::report::claims::Claim;
use crate::scenario::Param;
use crate::ui::State;
use crate::ui::chart::ChartFigure;
use crate::ui::control::Control;
use crate::ui::table::Data;
use leptos::context::Provider;
use leptos::prelude::*;

/// A claim at one of its places: `A-row` is claim A under its row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The claim.
    pub claim: Claim,
    /// Where it stands.
    pub place: Spot,
}

/// Where a claim stands; the same one may stand on a page several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Under a row of the table.
    Row,
    /// Under a section.
    Section,
    /// Behind a myth.
    Myth,
    /// Alone on a page, for a frame in somebody else's.
    Alone,
}

impl Spot {
    /// Every one.
    pub const ALL: [Spot; 4] = [Spot::Row, Spot::Section, Spot::Myth, Spot::Alone];

    /// Stable key.
    pub const fn key(self) -> &'static str {
        match self {
            Spot::Row => "row",
            Spot::Section => "section",
            Spot::Myth => "myth",
            Spot::Alone => "alone",
        }
    }
}

impl Trial {
    /// Stable key, as in `data-trial`.
    pub fn key(self) -> String {
        format!("{}-{}", self.claim.letter(), self.place.key())
    }

    /// The trial with this key.
    pub fn from_key(key: &str) -> Option<Trial> {
        let (letter, place) = key.split_once('-')?;
        Some(Trial { claim: Claim::from_letter(letter)?, place: Spot::ALL.into_iter().find(|spot| spot.key() == place)? })
    }
}

/// Sliders, what the reader must know, the chart, the figures, and the link that carries what the sliders say to the calculator.
#[component]
pub fn LiveTrial(
    /// Which.
    trial: Trial,
    /// The language.
    lang: Lang,
    /// The calculator's page.
    calculator: String,
) -> impl IntoView {
    let Trial { claim, place } = trial;
    let state = State::new(claim.link(), lang);
    let shown = Memo::new(move |_| state.worked.with(|worked| claim.shown(&worked.answers, lang)));
    // Every claim has a chart; one whose points have all gone shows the last that it had.
    let drawn = shown.with_untracked(|shown| shown.chart.clone()).map(|first| {
        let spec = Memo::new(move |before: Option<&ChartSpec>| {
            shown.with(|shown| shown.chart.clone()).or_else(|| before.cloned()).unwrap_or_else(|| first.clone())
        });
        // Worked out when somebody reads them.
        let numbers = Signal::derive(move || state.worked.with(|worked| shown.with(|shown| claim.numbers(shown, &worked.answers, lang))));
        view! { <ChartFigure spec numbers key="claim" words=words(lang) on_pick=pick(state, claim.x_param())/> }
    });
    let table = Signal::derive(move || shown.with(|shown| shown.table.clone()).unwrap_or_default());
    let has_table = table.with_untracked(|table| *table != DataTable::default());
    let controls = move || {
        let control = |param: &Param| view! { <Control param=*param scope=trial.key() help=false/> };
        view! { <div class="main-sliders">{claim.sliders().iter().map(control).collect_view()}</div> }
    };
    view! {
        <Provider value=state>
            <div class="trial">
                {controls()}
                <Notices/>
                {drawn}
                {has_table.then(|| view! { <Data table label=figures_label(claim, lang)/> })}
                <Link place lang calculator query=Signal::derive(move || state.query())/>
            </div>
        </Provider>
    }
    .into_any()
}

/// A claim alone in an element of somebody else's page: what the model finds, and the sliders. Its page for a frame has the same, and is
/// prerendered.
#[component]
pub fn LoneClaim(
    /// Which.
    claim: Claim,
    /// The language.
    lang: Lang,
    /// The calculator's page.
    calculator: String,
) -> impl IntoView {
    let trial = Trial { claim, place: Spot::Alone };
    view! {
        <div class="embed claim">
            <p class="finding">{claim.show(lang).map(|shown| shown.finding)}</p>
            <LiveTrial trial lang calculator/>
        </div>
    }
}

/// The way to the calculator with a claim's scenario; out of a frame in a tab of its own.
#[component]
pub fn Link(
    /// Where the claim stands.
    place: Spot,
    /// The language.
    lang: Lang,
    /// The calculator's page.
    calculator: String,
    /// The scenario, as the calculator's address takes it.
    query: Signal<String>,
) -> impl IntoView {
    let href = move || format!("{calculator}?{}", query.get());
    let m = lang.messages();
    match place {
        Spot::Alone => {
            view! { <p class="embed-foot"><a class="open-claim" href=href target="_blank" rel="noopener">{m.embed_open}</a></p> }.into_any()
        }
        _ => view! { <p><a class="open-claim" href=href>{m.claim_open}</a></p> }.into_any(),
    }
}

/// The name of the table of a claim's figures.
pub fn figures_label(claim: Claim, lang: Lang) -> String {
    format!("{}: {}", lang.messages().claim_try, claim.letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_found_by_its_key() {
        for claim in Claim::ALL {
            for place in Spot::ALL {
                let trial = Trial { claim, place };
                assert_eq!(Trial::from_key(&trial.key()), Some(trial));
            }
        }
        assert_eq!(Trial::from_key("A-somewhere"), None);
        assert_eq!(Trial::from_key("K-row"), None);
        assert_eq!(Trial::from_key("nothing"), None);
    }
}
