//! How wide a text will be, without a font file and without asking the page.

/// A font of the chart; the family is the palette's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Font {
    /// Height of the em, CSS pixels.
    pub size: f64,
    /// Bold or regular.
    pub bold: bool,
}

impl Font {
    /// Tick labels, axis labels, labels of spans.
    pub const TICK: Font = Font { size: 12.0, bold: false };
    /// Labels of lines and marks.
    pub const LABEL: Font = Font { size: 12.0, bold: true };
    /// Distance from one line of text to the next, CSS pixels.
    pub const LINE: f64 = 15.0;
}

/// Estimated width of `text` in a sans-serif font, CSS pixels. Taken from the widths of DejaVu Sans, which is among the widest of the
/// families in use, so that the estimate errs towards too wide: a label that has room by it will not be cut.
pub fn estimate_width(text: &str, font: Font) -> f64 {
    let ems: f64 = text.chars().map(em_width).sum();
    ems * font.size * if font.bold { 1.1 } else { 1.0 }
}

/// In ems, by class of character.
fn em_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '.' | ',' | ':' | ';' | '!' | 'I' | 't' | 'f' | 'r' | '(' | ')' | '/' | '-' => 0.40,
        'm' | 'M' | 'W' | '%' | '@' | '…' | '—' => 0.98,
        'w' | '→' | '←' | '↑' | '↓' | '+' | '×' | '=' | '<' | '>' | '±' | '≈' | '~' => 0.84,
        'A'..='Z' | 'Ä' | 'Ö' | 'Ü' | '&' => 0.73,
        c if (c as u32) < 0x0250 => 0.62,
        c if (c as u32) < 0x2e80 => 0.75,
        _ => 1.05,
    }
}

/// `text` if it is at most `room` wide, else its beginning with "…"; empty if there is no room even for that.
pub(super) fn shortened(text: &str, room: f64, width: &dyn Fn(&str) -> f64) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(i, _)| i).rev();
    ends.filter(|&end| end > 0).map(|end| format!("{}…", text[..end].trim_end())).find(|cut| width(cut) <= room).unwrap_or_default()
}

/// `text` in at most `most` lines of at most `room`, broken at spaces (not at no-break spaces) so that the lines are about equally long;
/// what cannot be broken is shortened.
pub(super) fn wrapped(text: &str, room: f64, most: usize, width: &dyn Fn(&str) -> f64) -> Vec<String> {
    let fits = |lines: &Vec<String>| lines.iter().all(|line| width(line) <= room);
    let lines = (1..=most).map(|count| balanced(text, count, width)).find(fits);
    let lines = lines.unwrap_or_else(|| balanced(text, most, width));
    lines.into_iter().map(|line| shortened(&line, room, width)).filter(|line| !line.is_empty()).collect()
}

/// `text` in up to `count` lines, each filled until it reaches its share of the whole width.
fn balanced(text: &str, count: usize, width: &dyn Fn(&str) -> f64) -> Vec<String> {
    let share = width(text) / count.max(1) as f64;
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let open = lines.len() < count;
        // `lines` starts with one entry and only grows.
        let line = lines.last_mut().expect("at least one line");
        let with_word = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        let overshoot = width(&with_word) - share;
        let undershoot = share - width(line);
        if open && !line.is_empty() && overshoot > 0.0 && overshoot > undershoot {
            lines.push(word.to_owned());
        } else {
            *line = with_word;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w(text: &str) -> f64 {
        estimate_width(text, Font::TICK)
    }

    #[test]
    fn widths_are_near_those_of_a_wide_font_and_never_far_below() {
        // Measured with DejaVu Sans at 12 px.
        for (text, measured) in [("100 Tsd. $", 61.6), ("GPUs im Cluster →", 110.2), ("4096", 30.5), ("eine Maschine", 83.9)] {
            let estimate = w(text);
            assert!(estimate > 0.97 * measured && estimate < 1.2 * measured, "{text}: {estimate} against {measured}");
        }
    }

    #[test]
    fn text_is_cut_at_characters_and_broken_at_spaces() {
        assert_eq!(shortened("Übergrößenträger", 60.0, &w), "Übergrö…");
        assert_eq!(shortened("Übergrößenträger", 3.0, &w), "");
        assert_eq!(wrapped("GPUs über 1\u{a0}Gbit/s", 80.0, 2, &w), ["GPUs über", "1\u{a0}Gbit/s"]);
        assert_eq!(wrapped("passt nicht in den Speicher", 90.0, 3, &w), ["passt nicht in", "den Speicher"]);
        assert_eq!(wrapped("", 90.0, 3, &w), Vec::<String>::new());
    }
}
