//! What a person asks for: the parameter table, the scenario, its link, and its way to the model.

pub mod choices;
mod derive;
pub mod display;
pub mod notice;
pub mod param;
pub mod presets;
pub mod resolve;
mod shape;
pub mod slider;
mod table;
pub mod url;

pub use notice::{Notice, SetError};
pub use param::{Choice, Group, Kind, Row, Unit};
pub use resolve::Setup;
pub use table::Param;

use crate::catalog;
use crate::locale::{Lang, number};
use param::Default as RowDefault;

/// A value for each parameter that the person has set; all others follow their default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    own: [Option<f64>; Param::ALL.len()],
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario { own: [None; Param::ALL.len()] }
    }
}

impl Scenario {
    /// What the person has set, if anything.
    pub fn own(&self, param: Param) -> Option<f64> {
        self.own[param as usize]
    }

    /// What holds: the own value, else the default; `None` if that is left to the model or not known.
    pub fn value(&self, param: Param) -> Option<f64> {
        self.own(param).or_else(|| self.default_of(param))
    }

    /// What holds while the parameter is not set.
    pub fn default_of(&self, param: Param) -> Option<f64> {
        match param.row().default {
            RowDefault::Fixed(value) => Some(value),
            RowDefault::Key(key) => self.index_of(param, key).map(|index| index as f64),
            RowDefault::From(derive) => Some(derive(self)),
            RowDefault::Open(derive) => derive(self),
        }
    }

    /// What holds, for a parameter that always has a value; the smallest of its range for one that has none.
    pub fn number(&self, param: Param) -> f64 {
        self.value(param).unwrap_or(param.row().kind.range().0)
    }

    /// The index of what holds in the list of a choice.
    pub fn choice_index(&self, param: Param) -> usize {
        self.number(param) as usize
    }

    /// The key of what holds in the list of a choice; empty for a parameter that is none.
    pub fn choice_key(&self, param: Param) -> &'static str {
        match param.row().kind {
            Kind::Choice(choices) => choices().get(self.choice_index(param)).map_or("", |choice| choice.key),
            _ => "",
        }
    }

    fn index_of(&self, param: Param, key: &str) -> Option<usize> {
        match param.row().kind {
            Kind::Choice(choices) => choices().iter().position(|choice| choice.key.eq_ignore_ascii_case(key)),
            _ => None,
        }
    }

    /// Sets a value. Out of range, not whole or not finite: an error that names what was expected, and nothing changes.
    pub fn set(&mut self, param: Param, value: f64) -> Result<(), SetError> {
        let row = param.row();
        let (min, max) = row.kind.range();
        if !(value >= min && value <= max) {
            return Err(SetError::OutOfRange { param, value });
        }
        if matches!(row.kind, Kind::Whole { .. } | Kind::Choice(_)) && value.fract() != 0.0 {
            return Err(SetError::NotWhole { param, value });
        }
        self.own[param as usize] = None;
        // Only what differs from the default is kept: links stay short, and a mark says "changed" only where it is true.
        self.own[param as usize] = (self.default_of(param) != Some(value)).then_some(value);
        Ok(())
    }

    /// Back to the default.
    pub fn reset(&mut self, param: Param) {
        self.own[param as usize] = None;
    }

    /// Sets a parameter from text: a number as people write it in `lang`, or the key of a choice. Empty puts an open parameter back to its default.
    pub fn set_text(&mut self, param: Param, text: &str, lang: Option<Lang>) -> Result<(), SetError> {
        let row = param.row();
        if let Kind::Choice(_) = row.kind {
            let index = self.index_of(param, text.trim()).ok_or_else(|| SetError::NotAChoice { param, found: text.trim().to_string() })?;
            return self.set(param, index as f64);
        }
        if text.trim().is_empty() && matches!(row.default, RowDefault::Open(_)) {
            self.reset(param);
            return Ok(());
        }
        let value = number::parse(text, lang).map_err(|error| match error {
            number::NumberError::Empty => SetError::Empty { param },
            number::NumberError::NotANumber(found) => SetError::NotANumber { param, found },
        })?;
        self.set(param, value)
    }

    /// Sets a parameter by key and text, as links and command lines do.
    pub fn set_key(&mut self, key: &str, text: &str) -> Result<Param, SetError> {
        let param = Param::from_key(key).ok_or_else(|| SetError::UnknownKey { key: key.to_string() })?;
        self.set_text(param, text, None).map(|()| param)
    }

    /// The value nearest to `value` that the parameter can take.
    pub fn nearest(param: Param, value: f64) -> f64 {
        let (min, max) = param.row().kind.range();
        let inside = if value.is_nan() { min } else { value.clamp(min, max) };
        if matches!(param.row().kind, Kind::Whole { .. } | Kind::Choice(_)) { inside.round() } else { inside }
    }

    /// The parameters that the person has set, in the order of the table.
    pub fn changed(&self) -> impl Iterator<Item = (Param, f64)> {
        Param::ALL.iter().filter_map(|&param| self.own(param).map(|value| (param, value)))
    }

    /// The GPU.
    pub fn gpu(&self) -> &'static catalog::Gpu {
        derive::gpu_row(self)
    }

    /// The network.
    pub fn network(&self) -> &'static catalog::Network {
        derive::network_row(self)
    }

    /// The price list's entry, if one is known.
    pub fn offer(&self) -> Option<&'static catalog::Price> {
        derive::offer_row(self)
    }

    /// The purchase price's entry, if one is known for the GPU.
    pub fn purchase(&self) -> Option<&'static catalog::Purchase> {
        derive::purchase_row(self)
    }

    /// The published model whose widths are taken, if one is.
    pub fn published_shape(&self) -> Option<&'static catalog::Shape> {
        shape::published(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_kept() {
        let mut s = Scenario::default();
        s.set(Param::Gpus, 128.0).unwrap();
        assert_eq!(s.changed().count(), 1);
        s.set(Param::Gpus, 64.0).unwrap();
        assert_eq!(s, Scenario::default());
    }

    #[test]
    fn bad_values_change_nothing_and_say_what_was_expected() {
        let mut s = Scenario::default();
        for (key, text) in [
            ("gpus", "0"),
            ("gpus", "1.5"),
            ("gpus", "many"),
            ("gpus", ""),
            ("params", "1e99"),
            ("gpu", "z80"),
            ("colour", "red"),
            ("pue", "nan"),
        ] {
            assert!(s.set_key(key, text).is_err(), "{key}={text}");
        }
        assert_eq!(s, Scenario::default());
    }

    #[test]
    fn keys_are_unique_and_every_default_lies_in_its_range() {
        let s = Scenario::default();
        for (index, &param) in Param::ALL.iter().enumerate() {
            assert_eq!(Param::from_key(param.key()), Some(param), "{}", param.key());
            assert_eq!(param as usize, index);
            let (min, max) = param.row().kind.range();
            assert!(min < max, "{}", param.key());
            if let Some(value) = s.default_of(param) {
                assert!(value >= min && value <= max, "{}: {value}", param.key());
            }
        }
    }

    #[test]
    fn a_published_shape_brings_its_widths() {
        let mut s = Scenario::default();
        s.set_key("shape", "llama3-70b").unwrap();
        assert_eq!(s.number(Param::Layers), 80.0);
        assert_eq!(s.number(Param::KvHeads), 8.0);
        assert!((s.number(Param::Params) / 70.55e9 - 1.0).abs() < 0.01);
    }

    #[test]
    fn data_times_epochs() {
        let mut s = Scenario::default();
        s.set_key("data", "100 Mrd.").unwrap();
        s.set_key("epochs", "3").unwrap();
        assert_eq!(s.number(Param::Tokens), 300e9);
        assert!(Param::Epochs.moot(&s).is_none());
        assert!(Param::Epochs.moot(&Scenario::default()).is_some());
    }
}
