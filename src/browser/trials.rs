//! Claims that have come into view. The calculator's program carries them; on another program's page it is fetched for them alone, so that
//! they share nothing with the rest of the page but its language and its colours.

use super::navigate::{Handle, mount_within};
use super::{provide_colours, under_one_owner, written_language};
use crate::pages::trial::{LiveTrial, Trial};
use crate::ui::canvas::Colours;
use leptos::prelude::*;
use std::cell::RefCell;
use web_sys::HtmlElement;

/// All that live, below one owner.
struct Trials {
    owner: Owner,
    colours: Colours,
    shown: Vec<(HtmlElement, Handle)>,
}

thread_local! {
    static TRIALS: RefCell<Option<Trials>> = const { RefCell::new(None) };
}

/// Makes the owner of all that will live.
fn prepare() {
    under_one_owner(|| {
        let Some(page) = document().document_element() else { return };
        let colours = provide_colours(page);
        TRIALS.set(Owner::current().map(|owner| Trials { owner, colours, shown: Vec::new() }));
    });
}

/// Brings the claim to life that `place` is the prerendered place of; one that is unknown stays as it is.
pub fn live(place: HtmlElement) {
    let Some(trial) = place.get_attribute("data-trial").as_deref().and_then(Trial::from_key) else { return };
    let link = place.query_selector("a.open-claim").ok().flatten().and_then(|link| link.get_attribute("href")).unwrap_or_default();
    let calculator = link.split('?').next().unwrap_or_default().to_string();
    // The language of the page, which an address may ask for anew, is that of the text around.
    let lang = written_language();
    // It is alive: nobody need look for it again. The attribute's name is valid.
    let _ = place.remove_attribute("data-trial");
    if TRIALS.with_borrow(Option::is_none) {
        prepare();
    }
    TRIALS.with_borrow_mut(|trials| {
        let Some(trials) = trials else { return };
        let handle = mount_within(&trials.owner, place.clone(), move || view! { <LiveTrial trial lang calculator/> }.into_any());
        trials.shown.push((place, handle));
    });
}

/// The page has changed, or its colours: what has gone with it is dropped, the rest drawn anew.
pub fn changed() {
    let colours = TRIALS.with_borrow_mut(|trials| {
        let trials = trials.as_mut()?;
        trials.shown.retain(|(place, _)| place.is_connected());
        Some(trials.colours)
    });
    if let Some(colours) = colours {
        colours.changed();
    }
}
