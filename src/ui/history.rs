//! Undo and redo of the scenario.

use crate::scenario::{Param, Scenario};

/// Moves of one slider within this many milliseconds of each other are one step.
const GESTURE_MS: f64 = 1000.0;

/// Steps that are kept.
const MOST_STEPS: usize = 200;

/// What was asked before, and after.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    past: Vec<Scenario>,
    present: Scenario,
    future: Vec<Scenario>,
    /// The parameter that is being moved, and when it was last.
    gesture: Option<(Param, f64)>,
}

impl History {
    /// A history that starts at `present`.
    pub fn new(present: Scenario) -> History {
        History { past: Vec::new(), present, future: Vec::new(), gesture: None }
    }

    /// Notes that the scenario is `next` at `now_ms`. What [`History::undo`] and [`History::redo`] gave back is no new step.
    pub fn note(&mut self, next: Scenario, now_ms: f64) {
        if next == self.present {
            return;
        }
        let mut changed = Param::ALL.iter().copied().filter(|param| next.own(*param) != self.present.own(*param));
        let only = changed.next().filter(|_| changed.next().is_none());
        let goes_on = self.gesture.is_some_and(|(param, at)| Some(param) == only && now_ms - at < GESTURE_MS);
        if !goes_on {
            self.past.push(self.present);
            let surplus = self.past.len().saturating_sub(MOST_STEPS);
            self.past.drain(..surplus);
        }
        self.future.clear();
        self.present = next;
        self.gesture = only.map(|param| (param, now_ms));
    }

    /// The scenario before the last step.
    pub fn undo(&mut self) -> Option<Scenario> {
        let before = self.past.pop()?;
        self.future.push(std::mem::replace(&mut self.present, before));
        self.gesture = None;
        Some(before)
    }

    /// The scenario that the last [`History::undo`] left.
    pub fn redo(&mut self) -> Option<Scenario> {
        let next = self.future.pop()?;
        self.past.push(std::mem::replace(&mut self.present, next));
        self.gesture = None;
        Some(next)
    }

    /// Whether there is a step to undo.
    pub fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step to do again.
    pub fn has_future(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(Param, f64)]) -> Scenario {
        let mut scenario = Scenario::default();
        for (param, value) in pairs {
            scenario.set(*param, *value).unwrap();
        }
        scenario
    }

    #[test]
    fn a_drag_is_one_step_and_two_sliders_are_two() {
        let mut history = History::new(Scenario::default());
        for (step, gpus) in [128.0, 256.0, 512.0].into_iter().enumerate() {
            history.note(with(&[(Param::Gpus, gpus)]), 100.0 * step as f64);
        }
        let both = with(&[(Param::Gpus, 512.0), (Param::Params, 70e9)]);
        history.note(both, 400.0);
        assert_eq!(history.undo(), Some(with(&[(Param::Gpus, 512.0)])));
        assert_eq!(history.undo(), Some(Scenario::default()));
        assert_eq!(history.undo(), None);
        assert_eq!(history.redo(), Some(with(&[(Param::Gpus, 512.0)])));
        assert_eq!(history.redo(), Some(both));
        assert!(!history.has_future() && history.has_past());
    }

    #[test]
    fn later_moves_of_the_same_slider_are_another_step_and_end_the_future() {
        let mut history = History::new(Scenario::default());
        history.note(with(&[(Param::Gpus, 128.0)]), 0.0);
        history.note(with(&[(Param::Gpus, 256.0)]), 2000.0);
        let undone = history.undo().unwrap();
        // The page sets it, and its notice comes back here.
        history.note(undone, 2100.0);
        assert!(history.has_future());
        history.note(with(&[(Param::Gpus, 1024.0)]), 2200.0);
        assert!(!history.has_future());
        assert_eq!(history.undo(), Some(with(&[(Param::Gpus, 128.0)])));
    }
}
