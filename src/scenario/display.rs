//! Parameters as the reader sees them: values with units, and what a group of settings amounts to.

use super::param::Unit;
use super::{Group, Kind, Param, Scenario};
use crate::locale::{Lang, number, quantity};

/// Digits of a value in a field or a heading.
const DIGITS: usize = 4;

/// The unit beside a field, where the number does not carry it; may be empty.
pub fn unit(param: Param, lang: Lang) -> &'static str {
    match (param.row().unit, lang) {
        (Unit::None, _) => "",
        (Unit::Tokens, Lang::De) => "Token",
        (Unit::Tokens, Lang::En) => "tokens",
        (Unit::GbitPerS, _) => "Gbit/s",
        (Unit::MbitPerS, _) => "Mbit/s",
        (Unit::GbytePerS, _) => "GB/s",
        (Unit::Bytes, _) => "B",
        (Unit::Bits, Lang::De) => "Bit",
        (Unit::Bits, Lang::En) => "bits",
        (Unit::TflopPerS, _) => "TFLOP/s",
        (Unit::Micros, _) => "µs",
        (Unit::Seconds, _) => "s",
        (Unit::Hours, _) => "h",
        (Unit::Years, Lang::De) => "Jahre",
        (Unit::Years, Lang::En) => "years",
        (Unit::Usd, _) => "$",
        (Unit::Watts, _) => "W",
        (Unit::UsdPerHour | Unit::UsdPerGpuHour, _) => "$/h",
        (Unit::UsdPerKwh, _) => "$/kWh",
        (Unit::GramsPerKwh, _) => "g/kWh",
    }
}

/// The number of a field, without its unit: `7 Mrd.`, `0,21`.
pub fn field(_: Param, value: f64, lang: Lang) -> String {
    if value.abs() >= 1e6 { quantity::count(value, DIGITS, lang) } else { number::significant(value, 6, lang) }
}

/// A value with its unit, or the label of a choice.
pub fn value(param: Param, value: f64, lang: Lang) -> String {
    match (param.row().kind, param.row().unit) {
        (Kind::Choice(choices), _) => {
            choices().get(value as usize).map_or_else(String::new, |choice| choice.label.in_lang(lang).to_string())
        }
        (_, Unit::GbitPerS) => quantity::bandwidth(value, 3, lang),
        _ => {
            let unit = unit(param, lang);
            let number = field(param, value, lang);
            if unit.is_empty() { number } else { format!("{number}\u{a0}{unit}") }
        }
    }
}

/// The parameters whose values stand in the heading of a closed group.
fn headline(group: Group) -> &'static [Param] {
    match group {
        Group::Model => &[Param::Params, Param::Layers, Param::Seq],
        Group::Data => &[Param::Tokens, Param::Batch],
        Group::Hardware => &[Param::Gpu, Param::PerMachine],
        Group::Network => &[Param::Bandwidth, Param::Backend],
        Group::Strategy => &[Param::Strategy, Param::Recompute],
        Group::Failures => &[Param::Mtbf],
        Group::Money => &[Param::Price, Param::Grid],
        Group::Beyond => &[Param::Sites, Param::Clients],
    }
}

/// What a group amounts to, in a few words: `7 Mrd., 32 Schichten`.
pub fn summary(group: Group, scenario: &Scenario, lang: Lang) -> String {
    let automatic = lang.messages().automatic;
    let shown = headline(group).iter().map(|&param| {
        let text = scenario.value(param).map_or_else(|| lang.messages().not_known.to_string(), |v| value(param, v, lang));
        match param {
            Param::Layers | Param::Seq | Param::PerMachine | Param::Sites | Param::Clients => format!("{text} {}", noun(param, lang)),
            Param::Recompute if text == automatic => String::new(),
            _ => text,
        }
    });
    shown.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

fn noun(param: Param, lang: Lang) -> &'static str {
    match (param, lang) {
        (Param::Layers, Lang::De) => "Schichten",
        (Param::Layers, Lang::En) => "layers",
        (Param::Seq, Lang::De) => "Token je Sequenz",
        (Param::Seq, Lang::En) => "tokens per sequence",
        (Param::Sites, Lang::De) => "Standorte",
        (Param::Sites, Lang::En) => "sites",
        (Param::Clients, Lang::De) => "Teilnehmer",
        (Param::Clients, Lang::En) => "clients",
        (_, Lang::De) => "je Maschine",
        (_, Lang::En) => "per machine",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_field_shows_reads_back_as_the_same_value() {
        let scenario = Scenario::default();
        for &param in Param::ALL.iter().filter(|param| !param.row().kind.is_choice()) {
            for lang in Lang::ALL {
                let (min, max) = param.row().kind.range();
                for shown in scenario.value(param).into_iter().chain([min, max]) {
                    let text = field(param, shown, lang);
                    let read = number::parse(&text, Some(lang)).unwrap();
                    assert!((read - shown).abs() <= 1e-3 * shown.abs(), "{}: {shown} as {text} reads {read}", param.key());
                }
            }
        }
    }

    #[test]
    fn groups_have_a_summary() {
        for group in Group::ALL {
            for lang in Lang::ALL {
                assert!(!summary(group, &Scenario::default(), lang).is_empty());
            }
        }
    }
}
