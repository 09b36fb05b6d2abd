//! Quantities with their units, at the precision that an estimate deserves.

use super::Lang;
use super::number::{fixed, round_to, significant};

/// Digits of an answer whose error is some ten per cent.
pub const ANSWER_DIGITS: usize = 2;

/// The no-break space between a number and its unit.
pub const GAP: char = '\u{a0}';

/// One step of a unit ladder: from `from` base units on, divide by `size` and write `short`.
struct Rung {
    from: f64,
    size: f64,
    short: (&'static str, &'static str),
}

const fn rung(from: f64, size: f64, de: &'static str, en: &'static str) -> Rung {
    Rung { from, size, short: (de, en) }
}

const DURATION: &[Rung] = &[
    rung(0.0, 1e-6, "µs", "µs"),
    rung(0.995e-3, 1e-3, "ms", "ms"),
    rung(0.995, 1.0, "s", "s"),
    rung(99.5, 60.0, "min", "min"),
    rung(2.0 * 3600.0, 3600.0, "h", "h"),
    rung(48.0 * 3600.0, 86_400.0, "Tage", "days"),
    rung(2.0 * 365.25 * 86_400.0, 365.25 * 86_400.0, "Jahre", "years"),
];

const BYTES: &[Rung] = &[
    rung(0.0, 1.0, "B", "B"),
    rung(1e3, 1e3, "kB", "kB"),
    rung(1e6, 1e6, "MB", "MB"),
    rung(1e9, 1e9, "GB", "GB"),
    rung(0.9995e12, 1e12, "TB", "TB"),
    rung(1e15, 1e15, "PB", "PB"),
];

const WATT_HOURS: &[Rung] = &[
    rung(0.0, 1.0, "Wh", "Wh"),
    rung(995.0, 1e3, "kWh", "kWh"),
    rung(0.995e6, 1e6, "MWh", "MWh"),
    rung(0.995e9, 1e9, "GWh", "GWh"),
    rung(0.995e12, 1e12, "TWh", "TWh"),
];

const GRAMS: &[Rung] = &[rung(0.0, 1.0, "g", "g"), rung(995.0, 1e3, "kg", "kg"), rung(0.995e6, 1e6, "t", "t")];

const GBIT: &[Rung] = &[rung(0.0, 1e-3, "Mbit/s", "Mbit/s"), rung(0.9995, 1.0, "Gbit/s", "Gbit/s"), rung(999.5, 1e3, "Tbit/s", "Tbit/s")];

const FLOPS: &[Rung] = &[
    rung(0.0, 1e6, "MFLOP", "MFLOP"),
    rung(1e9, 1e9, "GFLOP", "GFLOP"),
    rung(1e12, 1e12, "TFLOP", "TFLOP"),
    rung(1e15, 1e15, "PFLOP", "PFLOP"),
    rung(1e18, 1e18, "EFLOP", "EFLOP"),
    rung(1e21, 1e21, "ZFLOP", "ZFLOP"),
    rung(1e24, 1e24, "YFLOP", "YFLOP"),
];

/// Beyond this a unit's number is written with a magnitude word (`12 Mio. Jahre`).
const WORDS_FROM: f64 = 1e6;

fn climb(value: f64, ladder: &'static [Rung], digits: usize, lang: Lang) -> String {
    if !value.is_finite() {
        return "–".to_string();
    }
    let rounded = round_to(value, digits.max(3));
    // Every ladder begins at zero.
    let step = ladder.iter().rev().find(|r| rounded.abs() >= r.from).unwrap_or(&ladder[0]);
    let scaled = value / step.size;
    let number = if scaled.abs() >= WORDS_FROM { count(scaled, digits, lang) } else { significant(scaled, digits, lang) };
    format!("{number}{GAP}{}", unit_word(step, number == "1", lang))
}

/// The unit, in the singular for `one`.
fn unit_word(rung: &Rung, one: bool, lang: Lang) -> &'static str {
    match (lang, rung.short) {
        (Lang::De, ("Tage", _)) if one => "Tag",
        (Lang::De, ("Jahre", _)) if one => "Jahr",
        (Lang::En, (_, "days")) if one => "day",
        (Lang::En, (_, "years")) if one => "year",
        (Lang::De, (de, _)) => de,
        (Lang::En, (_, en)) => en,
    }
}

/// Seconds, in the unit a reader would use: `450 ms`, `8,1 h`, `63 Tage`.
pub fn duration(seconds: f64, digits: usize, lang: Lang) -> String {
    climb(seconds, DURATION, digits, lang)
}

/// Seconds along an axis: in the largest unit in which they are a round number, so that 1,000 days do not become 2.7 years.
pub fn tick_duration(seconds: f64, lang: Lang) -> String {
    let round = |rung: &&Rung| {
        let scaled = seconds / rung.size;
        scaled >= 0.999 && (round_to(scaled, 1) / scaled - 1.0).abs() < 1e-6
    };
    match DURATION.iter().rev().find(round) {
        Some(rung) => {
            format!("{}{GAP}{}", count(seconds / rung.size, 2, lang), unit_word(rung, (seconds / rung.size - 1.0).abs() < 1e-6, lang))
        }
        None => duration(seconds, 2, lang),
    }
}

/// Bytes in decimal units (GB = 10⁹).
pub fn bytes(bytes: f64, digits: usize, lang: Lang) -> String {
    climb(bytes, BYTES, digits, lang)
}

/// Energy from kilowatt-hours.
pub fn energy(kwh: f64, digits: usize, lang: Lang) -> String {
    climb(kwh * 1e3, WATT_HOURS, digits, lang)
}

/// Mass of CO₂-equivalents from kilograms.
pub fn carbon(kg: f64, digits: usize, lang: Lang) -> String {
    climb(kg * 1e3, GRAMS, digits, lang)
}

/// Bandwidth from Gbit/s.
pub fn bandwidth(gbit_per_s: f64, digits: usize, lang: Lang) -> String {
    climb(gbit_per_s, GBIT, digits, lang)
}

/// Floating-point operations.
pub fn flop(flop: f64, digits: usize, lang: Lang) -> String {
    climb(flop, FLOPS, digits, lang)
}

/// A count with a magnitude word from a million on: `7 Mrd.`, `7 billion`, `4.096`.
pub fn count(value: f64, digits: usize, lang: Lang) -> String {
    let words: [(f64, &str, &str); 4] =
        [(1e15, "Brd.", "quadrillion"), (1e12, "Bio.", "trillion"), (1e9, "Mrd.", "billion"), (1e6, "Mio.", "million")];
    if !value.is_finite() {
        return "–".to_string();
    }
    let rounded = round_to(value, digits);
    match words.iter().find(|(size, ..)| rounded.abs() >= *size) {
        Some((size, de, en)) => format!("{}{GAP}{}", significant(rounded / size, digits, lang), if lang == Lang::De { de } else { en }),
        None => significant(rounded, digits, lang),
    }
}

/// How many there are of what is counted one by one: every digit below a million, `16.384`.
pub fn whole(value: f64, lang: Lang) -> String {
    if value.abs() < 1e6 { fixed(value, 0, lang) } else { count(value, 4, lang) }
}

/// US dollars: `33.000 $` in German, `$33,000` in English; cents below ten dollars; magnitude words from a million on.
pub fn dollars(usd: f64, digits: usize, lang: Lang) -> String {
    let rounded = round_to(usd, digits);
    let number = if rounded.abs() >= 1e6 {
        count(rounded, digits, lang)
    } else if rounded.abs() < 10.0 && rounded != 0.0 {
        if rounded.abs() < 0.01 { significant(rounded, digits, lang) } else { fixed(rounded, 2, lang) }
    } else {
        significant(rounded, digits, lang)
    };
    match lang {
        Lang::De => format!("{number}{GAP}$"),
        Lang::En => format!("${number}"),
    }
}

/// A share as a percentage: `41 %` in German, `41%` in English.
pub fn percent(share: f64, digits: usize, lang: Lang) -> String {
    let number = significant(share * 100.0, digits, lang);
    match lang {
        Lang::De => format!("{number}{GAP}%"),
        Lang::En => format!("{number}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: String) -> String {
        text.replace(GAP, " ")
    }

    #[test]
    fn durations_read_like_speech() {
        for (seconds, de, en) in [
            (0.45, "450 ms", "450 ms"),
            (1.84, "1,8 s", "1.8 s"),
            (5400.0, "90 min", "90 min"),
            (29_160.0, "8,1 h", "8.1 h"),
            (86_400.0 * 63.2, "63 Tage", "63 days"),
            (86_400.0 * 365.25 * 4.04, "4 Jahre", "4 years"),
            (86_400.0 * 365.25 * 3.2e9, "3,2 Mrd. Jahre", "3.2 billion years"),
            (f64::INFINITY, "–", "–"),
        ] {
            assert_eq!(plain(duration(seconds, 2, Lang::De)), de);
            assert_eq!(plain(duration(seconds, 2, Lang::En)), en);
        }
    }

    #[test]
    fn ticks_of_time_stay_round() {
        for (seconds, text) in [
            (86_400.0, "1 Tag"),
            (864_000.0, "10 Tage"),
            (86_400_000.0, "1.000 Tage"),
            (3600.0 * 6.0, "6 h"),
            (365.25 * 86_400.0, "1 Jahr"),
            (0.1, "100 ms"),
        ] {
            assert_eq!(plain(tick_duration(seconds, Lang::De)), text);
        }
    }

    #[test]
    fn money_bytes_and_bandwidth() {
        assert_eq!(plain(dollars(33_180.0, 2, Lang::De)), "33.000 $");
        assert_eq!(plain(dollars(33_180.0, 2, Lang::En)), "$33,000");
        assert_eq!(plain(dollars(2.95, 3, Lang::En)), "$2.95");
        assert_eq!(plain(dollars(1.24e6, 2, Lang::De)), "1,2 Mio. $");
        assert_eq!(plain(dollars(0.0, 2, Lang::En)), "$0");
        assert_eq!(plain(bytes(61.4e9, 2, Lang::En)), "61 GB");
        assert_eq!(plain(bandwidth(0.01, 3, Lang::En)), "10 Mbit/s");
        assert_eq!(plain(bandwidth(1600.0, 3, Lang::De)), "1,6 Tbit/s");
        assert_eq!(plain(count(7e9, 3, Lang::De)), "7 Mrd.");
        assert_eq!(plain(whole(65_536.0, Lang::De)), "65.536");
        assert_eq!(plain(whole(1_048_576.0, Lang::De)), "1,049 Mio.");
        assert_eq!(plain(count(999_999.0, 2, Lang::En)), "1 million");
        assert_eq!(plain(percent(0.411, 2, Lang::De)), "41 %");
    }
}
