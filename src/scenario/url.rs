//! The scenario as a link: `v=1` and only what differs from the defaults. A link made today opens the same scenario later;
//! keys that are not ours are kept.

use super::notice::{Notice, SetError, clamped};
use super::{Kind, Param, Scenario};

/// The version that is written.
pub const VERSION: &str = "1";

/// The key of the pinned scenario, whose value is a link's query of its own.
pub const PINNED: &str = "a";

/// Keys of the page that are no parameters of the scenario.
const OTHER_KEYS: &[&str] = &["lang", "theme", "view", "chart", "lock", "hide", PINNED];

/// A scenario read from a link.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Read {
    /// What could be read.
    pub scenario: Scenario,
    /// What could not, or not as it stood.
    pub notices: Vec<Notice>,
    /// Pairs that are not ours, to be kept.
    pub foreign: Vec<(String, String)>,
}

/// Reads the part of a link behind `?`.
pub fn read(query: &str) -> Read {
    let mut out = Read::default();
    let mut settings = Vec::new();
    let mut ours = false;
    for (key, value) in form_urlencoded::parse(query.trim_start_matches('?').as_bytes()) {
        if key == "v" {
            ours = true;
            if value != VERSION {
                out.notices.push(Notice::Version { found: value.into_owned() });
            }
        } else if let Some(param) = Param::from_key(&key) {
            settings.push((param, value.into_owned()));
        } else {
            out.foreign.push((key.into_owned(), value.into_owned()));
        }
    }
    if ours {
        // In a link that we wrote, an unknown key is a misspelling or a parameter of another version: it is named, and kept.
        let unknown = out.foreign.iter().filter(|(key, _)| !OTHER_KEYS.contains(&key.as_str()));
        out.notices.extend(unknown.map(|(key, _)| Notice::Set(SetError::UnknownKey { key: key.clone() })));
    }
    for (param, text) in &settings {
        match out.scenario.set_text(*param, text, None) {
            Ok(()) => {}
            Err(SetError::OutOfRange { value, .. } | SetError::NotWhole { value, .. }) => {
                out.notices.push(clamped(*param, value));
                // The nearest value lies in the range by construction.
                let _ = out.scenario.set(*param, Scenario::nearest(*param, value));
            }
            Err(error) => out.notices.push(Notice::Set(error)),
        }
    }
    // What equals a default is not kept, but a default may follow from a parameter that was read later: once more with all of them known,
    // and again for a default that follows from such a one.
    for _ in 0..2 {
        let known = out.scenario;
        for (param, text) in &settings {
            let mut alone = Scenario::default();
            if alone.set_text(*param, text, None).is_ok()
                && let Some(value) = alone.own(*param).or_else(|| alone.value(*param))
            {
                // It was in the range a moment ago.
                let _ = out.scenario.set(*param, value);
            }
        }
        if out.scenario == known {
            break;
        }
    }
    out
}

/// A value as links write it: the key of a choice, or the shortest number that reads back the same.
pub fn value_text(param: Param, value: f64) -> String {
    match param.row().kind {
        Kind::Choice(choices) => choices().get(value as usize).map_or_else(String::new, |choice| choice.key.to_string()),
        _ if value.abs() >= 1e6 => {
            let exponent = format!("{value:e}");
            let plain = format!("{value}");
            if exponent.len() < plain.len() { exponent } else { plain }
        }
        _ => format!("{value}"),
    }
}

/// The part of a link behind `?`; empty for the default scenario without foreign pairs.
pub fn write(scenario: &Scenario, foreign: &[(String, String)]) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    if scenario.changed().next().is_some() {
        pairs.append_pair("v", VERSION);
    }
    for (param, value) in scenario.changed() {
        pairs.append_pair(param.key(), &value_text(param, value));
    }
    for (key, value) in foreign {
        pairs.append_pair(key, value);
    }
    pairs.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_can_and_names_the_rest() {
        let read = read("v=1&params=70e9&gpus=5000000&tp=three&colour=red&gpu=zx81&micro=2.4");
        assert_eq!(read.scenario.number(Param::Params), 70e9);
        assert_eq!(read.scenario.number(Param::Gpus), 1e6);
        assert_eq!(read.scenario.own(Param::Micro), Some(2.0));
        assert_eq!(read.notices.len(), 5, "{:?}", read.notices);
        assert_eq!(write(&read.scenario, &read.foreign), "v=1&params=7e10&gpus=1e6&micro=2&colour=red");
    }

    #[test]
    fn foreign_keys_are_kept_in_silence_where_the_link_is_not_ours() {
        let read = read("utm_source=mail");
        assert!(read.notices.is_empty());
        assert_eq!(write(&read.scenario, &read.foreign), "utm_source=mail");
    }

    #[test]
    fn the_default_scenario_has_no_query() {
        assert_eq!(write(&Scenario::default(), &[]), "");
        assert_eq!(read("").scenario, Scenario::default());
    }
}
