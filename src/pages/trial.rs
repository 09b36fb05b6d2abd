//! "Try it", alive: a claim's chart over sliders of its own, which start at the claim's scenario. It takes the place of the prerendered chart
//! when the reader unfolds it.

use super::instrument::{Charts, MainSliders, Notices};
use crate::report::charts::Chart;
use crate::report::claims::Claim;
use crate::ui::State;
use crate::ui::state::use_state;
use leptos::context::Provider;
use leptos::html::Div;
use leptos::prelude::*;

/// A claim at one of its places: `A-row` is claim A under its row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    claim: Claim,
    chart: Chart,
    place: &'static str,
}

/// The places of claims that come alive; a myth keeps its picture, in which the reader's own answer is marked.
const PLACES: [&str; 2] = ["row", "section"];

impl Trial {
    /// Of `claim` at `place`, if it is one that comes alive.
    pub fn new(claim: Claim, place: &str) -> Option<Trial> {
        let place = PLACES.into_iter().find(|known| *known == place)?;
        Some(Trial { claim, chart: claim.chart()?, place })
    }

    /// Stable key, as in `data-island`.
    pub fn key(self) -> String {
        format!("{}-{}", self.claim.letter(), self.place)
    }

    /// The trial with this key.
    pub fn from_key(key: &str) -> Option<Trial> {
        let (letter, place) = key.split_once('-')?;
        Trial::new(Claim::from_letter(letter)?, place)
    }
}

/// Sliders, what the reader must know, and the chart; the link to the calculator beside it carries what the sliders say.
#[component]
pub fn LiveTrial(
    /// Which.
    trial: Trial,
) -> impl IntoView {
    let state = State::new(trial.claim.link(), use_state().lang());
    let frame = NodeRef::<Div>::new();
    Effect::new(move || carry_in_fold(frame, &state.query()));
    view! {
        <Provider value=state>
            <div class="trial" node_ref=frame>
                <MainSliders scope=trial.key()/>
                <Notices/>
                <Charts charts=[trial.chart]/>
            </div>
        </Provider>
    }
    .into_any()
}

/// Writes the scenario into the link that stands in the same fold.
fn carry_in_fold(frame: NodeRef<Div>, query: &str) {
    #[cfg(target_arch = "wasm32")]
    if let Some(link) =
        frame.get().and_then(|frame| frame.closest(".try").ok()?).and_then(|fold| fold.query_selector(".open-claim").ok()?)
    {
        crate::ui::save::carry(&link, query);
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (frame, query);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_found_by_its_key() {
        let trials: Vec<Trial> = Claim::ALL.iter().flat_map(|claim| PLACES.map(|place| Trial::new(*claim, place))).flatten().collect();
        assert_eq!(trials.len(), 12);
        for trial in trials {
            assert_eq!(Trial::from_key(&trial.key()), Some(trial));
        }
        assert_eq!(Trial::new(Claim::A, "myth"), None);
        assert_eq!(Trial::from_key("E-row"), None);
        assert_eq!(Trial::from_key("nothing"), None);
    }
}
