//! What `crossover estimate` prints.

use crate::locale::Lang;
use crate::report::{Answers, sentences, strip};
use std::fmt::Write;

/// The answers for people: the live sentence, then the strip as a table.
pub fn text(answers: &Answers, lang: Lang) -> String {
    let words = |piece: sentences::Piece| match piece {
        sentences::Piece::Words(text)
        | sentences::Piece::Control(_, text)
        | sentences::Piece::Single(text)
        | sentences::Piece::Cluster(text) => text,
    };
    let mut out: String = sentences::live(answers, lang).into_iter().map(words).collect();
    out.push('\n');
    for side in strip::strip(answers, lang) {
        let _ = write!(out, "\n{} · {} · {}", side.name, side.hardware, side.plan);
        for figure in &side.figures {
            let note = if figure.note.is_empty() { String::new() } else { format!("  ({})", figure.note) };
            let _ = write!(out, "\n  {:<18} {}{note}", figure.label, figure.value);
        }
        out.push('\n');
    }
    out.trim_end().to_string()
}
