//! What differs between a scenario that was pinned as A and the present one, B: the settings, and the answers.

use super::{Answers, strip};
use crate::chart::DataTable;
use crate::locale::quantity::ANSWER_DIGITS;
use crate::locale::{Lang, number};
use crate::model::Estimate;
use crate::scenario::{Param, display};

/// The settings that differ: their label, A's value, B's value.
pub fn settings(a: &Answers, b: &Answers, lang: Lang) -> DataTable {
    let m = lang.messages();
    let shown = |answers: &Answers, param: Param| {
        answers.scenario.value(param).map_or_else(|| m.automatic.to_string(), |value| display::value(param, value, lang))
    };
    let differ = Param::ALL.iter().copied().filter(|param| a.scenario.value(*param) != b.scenario.value(*param));
    let rows = differ.map(|param| vec![param.row().label.in_lang(lang).to_string(), shown(a, param), shown(b, param)]).collect();
    DataTable { columns: vec![m.settings.to_string(), m.column_a.to_string(), m.column_b.to_string()], rows }
}

/// The answers side by side: the figure, A's, B's, and how many times A's B's is.
pub fn answers(a: &Answers, b: &Answers, lang: Lang) -> DataTable {
    let m = lang.messages();
    let (strip_a, strip_b) = (strip::strip(a, lang), strip::strip(b, lang));
    let rows = strip_a.iter().zip(&strip_b).flat_map(|(side_a, side_b)| {
        let pair = if side_a.key == "single" { (&a.single, &b.single) } else { (&a.cluster, &b.cluster) };
        side_a.figures.iter().zip(&side_b.figures).map(move |(one, other)| {
            let ratio = factor(one.key, pair.0, pair.1)
                .map_or_else(String::new, |ratio| format!("{}×", number::significant(ratio, ANSWER_DIGITS, lang)));
            vec![format!("{}: {}", side_a.name, one.label), one.value.clone(), other.value.clone(), ratio]
        })
    });
    DataTable { columns: [m.answers, m.column_a, m.column_b, m.column_factor].map(String::from).to_vec(), rows: rows.collect() }
}

/// B's figure over A's; nothing where one of them has none.
fn factor(key: &str, a: &Estimate, b: &Estimate) -> Option<f64> {
    let of = |e: &Estimate| match key {
        "memory" => Some(e.memory.total()),
        _ if !e.fits => None,
        "time" => Some(e.time_s).filter(|_| e.uptime.progresses),
        "cost" => e.bill.usd,
        "mfu" => Some(e.mfu),
        "energy" => Some(e.bill.kwh),
        _ => None,
    };
    Some(of(b)? / of(a)?).filter(|ratio| ratio.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers as work_out;
    use crate::scenario::Scenario;

    #[test]
    fn only_what_differs_is_listed_and_the_factor_is_b_over_a() {
        let a = work_out(&Scenario::default()).unwrap();
        let mut scenario = Scenario::default();
        scenario.set(Param::Tokens, 2.0 * scenario.number(Param::Tokens)).unwrap();
        let b = work_out(&scenario).unwrap();
        let changed = settings(&a, &b, Lang::En);
        assert_eq!(changed.rows.len(), 1, "{changed:?}");
        let figures = answers(&a, &b, Lang::En);
        assert_eq!(figures.rows.len(), 12);
        // Twice the tokens take twice as long.
        assert_eq!(figures.rows[0][3], "2×");
        assert_eq!(settings(&a, &a, Lang::De).rows.len(), 0);
    }
}
