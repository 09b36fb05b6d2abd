//! The answers as text to take away: CSV and a Markdown table.

use super::{Answers, strip};
use crate::locale::Lang;
use crate::scenario::{Param, url};
use std::fmt::Write;

/// Version of the CSV's columns.
pub const SCHEMA: u32 = 1;

/// Both sweeps as CSV: plain numbers, seconds, US dollars, bytes; a missing value is empty. The first line says what it is.
pub fn csv(answers: &Answers) -> String {
    let mut out = format!("# crossover schema {SCHEMA} scenario {}\n", url::write(&answers.scenario, &[]));
    out.push_str("gpus,bandwidth_gbit_per_s,fits,time_s,cost_usd,energy_kwh,memory_bytes_per_gpu,tp,pp,cp,dp,micro_batch\n");
    let (gpus, gbit) = (answers.scenario.number(Param::Gpus), answers.scenario.number(Param::Bandwidth));
    let by_gpus = answers.by_gpus.points.iter().map(|(x, estimate)| (*x, gbit, estimate));
    let by_bandwidth = answers.by_bandwidth.points.iter().map(|(x, estimate)| (gpus, *x, estimate));
    for (gpus, gbit, estimate) in by_gpus.chain(by_bandwidth) {
        let Some(e) = estimate else { continue };
        let cost = e.bill.usd.map_or_else(String::new, |usd| usd.to_string());
        let plan = &e.plan;
        // Writing into a text cannot fail.
        let _ = writeln!(
            out,
            "{gpus},{gbit},{},{},{cost},{},{},{},{},{},{},{}",
            e.fits,
            e.time_s,
            e.bill.kwh,
            e.memory.total(),
            plan.tp,
            plan.pp,
            plan.cp,
            plan.dp,
            plan.micro_batch
        );
    }
    out
}

/// The answers as a Markdown table.
pub fn markdown(answers: &Answers, lang: Lang) -> String {
    let sides = strip::strip(answers, lang);
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!("| | {} | {} |\n| --- | --- | --- |\n", cell(sides[0].name), cell(sides[1].name));
    let _ = writeln!(out, "| | {} | {} |", cell(&sides[0].hardware), cell(&sides[1].hardware));
    let _ = writeln!(out, "| {} | {} | {} |", lang.messages().plan, cell(&sides[0].plan), cell(&sides[1].plan));
    for (one, many) in sides[0].figures.iter().zip(&sides[1].figures) {
        let value = |figure: &strip::Figure| {
            if figure.note.is_empty() { cell(&figure.value) } else { cell(&format!("{} ({})", figure.value, figure.note)) }
        };
        let _ = writeln!(out, "| {} | {} | {} |", one.label, value(one), value(many));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::Scenario;

    #[test]
    fn the_csv_holds_both_sweeps_in_equal_columns() {
        let answers = answers(&Scenario::default()).unwrap();
        let text = csv(&answers);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("# crossover schema 1"));
        assert_eq!(lines.len() - 2, answers.by_gpus.points.len() + answers.by_bandwidth.points.len());
        assert!(lines[1..].iter().all(|line| line.split(',').count() == 12));
    }

    #[test]
    fn the_markdown_table_has_three_columns() {
        let answers = answers(&Scenario::default()).unwrap();
        for lang in Lang::ALL {
            let text = markdown(&answers, lang);
            assert!(text.lines().count() >= 9 && text.lines().all(|line| line.matches('|').count() == 4), "{text}");
        }
    }
}
