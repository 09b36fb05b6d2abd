//! The one state of the page: a scenario; everything else follows from it.

use crate::locale::Lang;
use crate::report::{Answers, answers, answers_after};
use crate::scenario::notice::Conflict;
use crate::scenario::{Notice, Param, Scenario, url};
use leptos::prelude::*;
use std::sync::Arc;

/// The last good answers, and what stands in the way of newer ones.
#[derive(Clone, PartialEq)]
pub struct Worked {
    /// Answers of the scenario, or of the last one that had any.
    pub answers: Arc<Answers>,
    /// Contradictions of the present scenario; empty if the answers are its own.
    pub conflicts: Vec<Conflict>,
}

/// Shared by everything on the page.
#[derive(Clone, Copy)]
pub struct State {
    /// What the person asks for.
    pub scenario: RwSignal<Scenario>,
    /// What could not be taken from the link.
    pub notices: RwSignal<Vec<Notice>>,
    /// Pairs of the link that are not ours.
    pub foreign: RwSignal<Vec<(String, String)>>,
    /// The language of the page. Another language is another page: what is rendered never changes its own.
    lang: RwSignal<Lang>,
    /// The answers.
    pub worked: Memo<Worked>,
    /// Parameters that the page around an embedded one has locked.
    locked: StoredValue<Vec<Param>>,
    /// The answers of the scenario that was pinned as A. It is a pair of the link, so that it is shared and kept with it.
    pub pinned: Memo<Option<Arc<Answers>>>,
}

impl State {
    /// The state of a page in `lang` whose address ends in `query`.
    pub fn new(query: &str, lang: Lang) -> State {
        let read = url::read(query);
        let scenario = RwSignal::new(read.scenario);
        let worked =
            Memo::new(move |before: Option<&Worked>| match answers_after(&scenario.get(), before.map(|before| &*before.answers)) {
                Ok(answers) => Worked { answers: Arc::new(answers), conflicts: Vec::new() },
                Err(conflicts) => Worked { answers: before.map_or_else(default_answers, |before| before.answers.clone()), conflicts },
            });
        let foreign = RwSignal::new(read.foreign);
        let pinned_query =
            Memo::new(move |_| foreign.with(|pairs| pairs.iter().find(|(key, _)| key == url::PINNED).map(|(_, value)| value.clone())));
        // A pinned scenario that cannot be worked out is none.
        let pinned = Memo::new(move |_| answers(&url::read(&pinned_query.get()?).scenario).ok().map(Arc::new));
        State {
            scenario,
            notices: RwSignal::new(read.notices),
            foreign,
            lang: RwSignal::new(lang),
            worked,
            locked: StoredValue::new(Vec::new()),
            pinned,
        }
    }

    /// Takes over the scenario of another link.
    pub fn adopt(&self, query: &str) {
        let read = url::read(query);
        self.notices.set(read.notices);
        self.foreign.set(read.foreign);
        if self.scenario.get_untracked() != read.scenario {
            self.scenario.set(read.scenario);
        }
    }

    /// The part of a link behind `?`.
    pub fn query(&self) -> String {
        self.foreign.with(|foreign| url::write(&self.scenario.get(), foreign))
    }

    /// Pins the present scenario as A, or drops the one that was pinned.
    pub fn pin(&self, pinned: bool) {
        let query = url::write(&self.scenario.get_untracked(), &[]);
        self.foreign.update(|pairs| {
            pairs.retain(|(key, _)| key != url::PINNED);
            pairs.extend(pinned.then(|| (url::PINNED.to_string(), query)));
        });
    }

    /// The language of the page that is being rendered.
    pub fn lang(&self) -> Lang {
        self.lang.get_untracked()
    }

    /// Another page has another language; it is rendered after this call.
    pub fn speak(&self, lang: Lang) {
        self.lang.set(lang);
    }

    /// The answers.
    pub fn answers(&self) -> Arc<Answers> {
        self.worked.with(|worked| worked.answers.clone())
    }

    /// Keeps what the reader does from changing a parameter.
    pub fn lock(&self, param: Param) {
        self.locked.update_value(|locked| locked.push(param));
    }

    /// Sets a value that is known to lie in its range; nothing if the parameter is locked.
    pub fn set(&self, param: Param, value: f64) {
        if self.locked.with_value(|locked| locked.contains(&param)) {
            return;
        }
        let value = Scenario::nearest(param, value);
        self.scenario.update(|scenario| {
            // The nearest value of the range is in the range.
            let _ = scenario.set(param, value);
        });
    }
}

fn default_answers() -> Arc<Answers> {
    match answers(&Scenario::default()) {
        Ok(answers) => Arc::new(answers),
        // A test of the scenario room holds that the default scenario resolves.
        Err(conflicts) => unreachable!("the default scenario contradicts itself: {conflicts:?}"),
    }
}

/// The state of the page.
pub fn use_state() -> State {
    // The app provides it above everything that is rendered.
    expect_context::<State>()
}
