//! Numbers as people write them, read and shown: `1.234,5` in German, `1,234.5` in English, `7e9`, `7B`, `300 Mrd.` anywhere.

use super::Lang;

/// Why a text is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Nothing but white space.
    Empty,
    /// The text, which is not a number that we can read.
    NotANumber(String),
}

/// Reads a finite number. `lang` decides what a lone `.` or `,` before three digits means and whether *billion* is 10⁹ or 10¹²;
/// `None` reads as links and command lines do, which is the English way.
pub fn parse(text: &str, lang: Option<Lang>) -> Result<f64, NumberError> {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '\'' | '’' | '\u{202f}' | '\u{a0}')).collect();
    if squeezed.is_empty() {
        return Err(NumberError::Empty);
    }
    let wrong = || NumberError::NotANumber(text.trim().to_string());
    let number_len = number_length(&squeezed);
    let (digits, suffix) = squeezed.split_at(number_len);
    let factor = magnitude(suffix, lang).ok_or_else(wrong)?;
    let plain = separators_removed(digits, lang).ok_or_else(wrong)?;
    let value = platform::read(&plain).ok_or_else(wrong)?;
    let value = value * factor;
    if value.is_finite() { Ok(value) } else { Err(wrong()) }
}

/// The length in bytes of the leading number, an exponent included when digits follow its `e`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && matches!(bytes[end], b'0'..=b'9' | b'.' | b',' | b'+' | b'-') {
        // A sign belongs only to the front.
        if matches!(bytes[end], b'+' | b'-') && end > 0 {
            break;
        }
        end += 1;
    }
    if end > 0 && end < bytes.len() && matches!(bytes[end], b'e' | b'E') {
        let mut exponent = end + 1;
        if exponent < bytes.len() && matches!(bytes[exponent], b'+' | b'-') {
            exponent += 1;
        }
        let first = exponent;
        while exponent < bytes.len() && bytes[exponent].is_ascii_digit() {
            exponent += 1;
        }
        if exponent > first {
            return exponent;
        }
    }
    end
}

/// The factor of a suffix: `k`, `M`, `Mio.`, `B`, `Mrd.`, `T`, `Bio.`, `%` … `None` for a suffix that is none.
fn magnitude(suffix: &str, lang: Option<Lang>) -> Option<f64> {
    let word = suffix.trim_end_matches('.').to_ascii_lowercase();
    let german = lang == Some(Lang::De);
    Some(match word.as_str() {
        "" => 1.0,
        "%" => 1e-2,
        "k" | "tsd" | "tausend" | "thousand" => 1e3,
        "m" | "mio" | "mn" | "million" | "millionen" | "millions" => 1e6,
        "b" | "bn" | "g" | "mrd" | "mia" | "milliarde" | "milliarden" => 1e9,
        "billion" | "billions" if !german => 1e9,
        "t" | "tn" | "bio" | "billion" | "billionen" => 1e12,
        "trillion" | "trillions" if !german => 1e12,
        "brd" | "quadrillion" => 1e15,
        _ => return None,
    })
}

/// The number with `.` as decimal separator and without group separators.
fn separators_removed(digits: &str, lang: Option<Lang>) -> Option<String> {
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    if !mantissa.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let (group, decimal) = match (mantissa.rfind('.'), mantissa.rfind(',')) {
        (Some(dot), Some(comma)) if dot > comma => (',', '.'),
        (Some(_), Some(_)) => ('.', ','),
        (Some(_), None) if lang == Some(Lang::De) && grouped(mantissa, '.') => ('.', ','),
        (Some(_), None) if mantissa.matches('.').count() > 1 && grouped(mantissa, '.') => ('.', ','),
        (None, Some(_)) if lang != Some(Lang::De) && grouped(mantissa, ',') => (',', '.'),
        (None, Some(_)) if mantissa.matches(',').count() > 1 && grouped(mantissa, ',') => (',', '.'),
        (Some(_), None) => (',', '.'),
        (None, Some(_)) => ('.', ','),
        (None, None) => (',', '.'),
    };
    let whole = mantissa.split(decimal).next().unwrap_or_default();
    if mantissa.matches(decimal).count() > 1 || (whole.contains(group) && !grouped(whole, group)) {
        return None;
    }
    Some(format!("{}{exponent}", mantissa.replace(group, "").replace(decimal, ".")))
}

/// Whether `text` is written in groups of three digits between `separator`s.
fn grouped(text: &str, separator: char) -> bool {
    let mut groups = text.trim_start_matches(['+', '-']).split(separator);
    let first = groups.next().unwrap_or_default();
    let head = (1..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_digit());
    head && groups.all(|g| g.len() == 3 && g.bytes().all(|b| b.is_ascii_digit()))
}

/// `value` with exactly `decimals` digits behind the separator, in groups of three.
pub fn fixed(value: f64, decimals: usize, lang: Lang) -> String {
    // Not a number and the infinities never reach a reader.
    if !value.is_finite() {
        return "–".to_string();
    }
    platform::fixed(value, decimals.min(12), lang)
}

/// `value` rounded to `digits` significant digits, without trailing zeros behind the separator.
pub fn significant(value: f64, digits: usize, lang: Lang) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0, lang);
    }
    let rounded = round_to(value, digits);
    let magnitude = rounded.abs().log10().floor() as i32;
    let mut decimals = (digits as i32 - 1 - magnitude).clamp(0, 12) as usize;
    while decimals > 0 {
        let shifted = rounded * 10f64.powi(decimals as i32 - 1);
        if (shifted - shifted.round()).abs() > 1e-6 {
            break;
        }
        decimals -= 1;
    }
    fixed(rounded, decimals, lang)
}

/// `value` rounded to `digits` significant digits.
pub fn round_to(value: f64, digits: usize) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let magnitude = value.abs().log10().floor() as i32;
    let shift = digits as i32 - 1 - magnitude;
    // Powers of ten beyond ±22 are not exact; dividing keeps whole numbers whole.
    if shift >= 0 {
        let factor = 10f64.powi(shift);
        (value * factor).round() / factor
    } else {
        let factor = 10f64.powi(-shift);
        (value / factor).round() * factor
    }
}

#[cfg(target_arch = "wasm32")]
mod platform {
    use super::Lang;
    use js_sys::{Function, Intl, Object, Reflect};
    use std::cell::RefCell;
    use std::collections::HashMap;
    use wasm_bindgen::JsValue;

    thread_local! {
        static FORMATS: RefCell<HashMap<(Lang, usize), Function>> = RefCell::default();
    }

    /// The browser's own reader of plain decimal numbers: ours would bring ten kilobytes of tables along.
    pub fn read(plain: &str) -> Option<f64> {
        let value = js_sys::Number::parse_float(plain);
        (!value.is_nan()).then_some(value)
    }

    /// The browser's own formatter, one per language and number of digits.
    pub fn fixed(value: f64, decimals: usize, lang: Lang) -> String {
        FORMATS.with_borrow_mut(|formats| {
            let format = formats.entry((lang, decimals)).or_insert_with(|| {
                let options = Object::new();
                for key in ["minimumFractionDigits", "maximumFractionDigits"] {
                    // Setting a field of a fresh plain object cannot fail.
                    let _ = Reflect::set(&options, &key.into(), &JsValue::from_f64(decimals as f64));
                }
                let _ = Reflect::set(&options, &"useGrouping".into(), &JsValue::TRUE);
                let locales = js_sys::Array::of1(&JsValue::from_str(lang.code()));
                Intl::NumberFormat::new(&locales, &options).format()
            });
            let text = format.call1(&JsValue::NULL, &JsValue::from_f64(value)).ok().and_then(|t| t.as_string());
            text.map(|t| t.replace('-', "−")).unwrap_or_else(|| "–".to_string())
        })
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod platform {
    use super::Lang;

    /// A plain decimal number.
    pub fn read(plain: &str) -> Option<f64> {
        plain.parse().ok()
    }

    /// What `Intl.NumberFormat` writes for our two languages, for prerendering, the command line and the tests.
    pub fn fixed(value: f64, decimals: usize, lang: Lang) -> String {
        let (group, decimal) = match lang {
            Lang::De => ('.', ','),
            Lang::En => (',', '.'),
        };
        let plain = format!("{:.decimals$}", value.abs());
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let mut text = String::with_capacity(plain.len() + plain.len() / 3 + 3);
        if value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
            text.push('−');
        }
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push(group);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(decimal);
            text.push_str(fraction);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, lang, expected) in [
            ("7e9", None, 7e9),
            ("7B", None, 7e9),
            ("7b", Some(Lang::De), 7e9),
            ("300 Mrd.", None, 300e9),
            ("300 Mrd", Some(Lang::En), 300e9),
            ("1.234,5", Some(Lang::De), 1234.5),
            ("1,234.5", Some(Lang::En), 1234.5),
            ("1.234", Some(Lang::De), 1234.0),
            ("1.234", Some(Lang::En), 1.234),
            ("1,5", Some(Lang::De), 1.5),
            ("1.5", Some(Lang::De), 1.5),
            ("1,5", None, 1.5),
            ("2,5 Mio.", Some(Lang::De), 2.5e6),
            ("1 Billion", Some(Lang::De), 1e12),
            ("1 billion", Some(Lang::En), 1e9),
            ("10 Bio.", Some(Lang::De), 1e13),
            ("1.000.000", None, 1e6),
            ("1 000 000", None, 1e6),
            ("-3", None, -3.0),
            ("1.5e-3", None, 1.5e-3),
            ("15 %", None, 0.15),
        ] {
            assert_eq!(parse(text, lang), Ok(expected), "{text} in {lang:?}");
        }
    }

    #[test]
    fn refuses_what_is_no_number() {
        assert_eq!(parse("  ", None), Err(NumberError::Empty));
        for text in ["seven", "7x", "1.2.3", "1,2,3.4", "--1", "1e999", "nan", "inf", "e5", ".", "1-2"] {
            assert_eq!(parse(text, None), Err(NumberError::NotANumber(text.to_string())), "{text}");
        }
    }

    #[test]
    fn shows_groups_and_significant_digits() {
        assert_eq!(fixed(1234567.891, 1, Lang::De), "1.234.567,9");
        assert_eq!(fixed(-1234.5, 2, Lang::En), "−1,234.50");
        assert_eq!(fixed(-0.001, 1, Lang::En), "0.0");
        assert_eq!(significant(33_180.0, 2, Lang::En), "33,000");
        assert_eq!(significant(8.13, 2, Lang::De), "8,1");
        assert_eq!(significant(8.0, 2, Lang::De), "8");
        assert_eq!(significant(0.012345, 3, Lang::En), "0.0123");
        assert_eq!(significant(99.96, 2, Lang::En), "100");
        assert_eq!(significant(f64::NAN, 2, Lang::En), "–");
        assert_eq!(significant(0.0, 2, Lang::En), "0");
    }
}
