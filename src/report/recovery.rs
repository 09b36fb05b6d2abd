//! What the cluster does after a failure: useful time by the closed form, and as played event by event.

use super::Answers;
use crate::chart::DataTable;
use crate::locale::quantity::percent;
use crate::locale::{Lang, Text, fill};
use crate::model::failures::{Outcome, Recovery, course, simulate};
use crate::model::reliability::uptime;
use crate::scenario::{Kind, Param};
use serde_json::{Value, json};

/// Runs that are played for each way, fewer where they are full of failures; and the seed: the same answer each time.
const TRIALS: (f64, f64) = (2.0, 20.0);
const ALL_FAILURES: f64 = 40_000.0;
const SEED: u64 = 2024;

/// Relative difference above which the closed form is said not to hold.
const APART: f64 = 0.02;

const COLUMN: Text = t("Nach einem Ausfall", "After a failure");
const CLOSED: Text = t("Nutzbare Zeit, Formel", "Useful time, formula");
const PLAYED: Text = t("simuliert", "simulated");
const SPREAD: Text = t("Standardfehler", "standard error");
const FAILED: Text = t("kommt nicht voran", "makes no progress");
const FINDING: Text = t(
    "Mit „{way}“ sind nach {trials} simulierten Läufen {played} der Zeit von Nutzen (Formel: {closed}).",
    "With “{way}”, {played} of the time is of use over {trials} simulated runs (formula: {closed}).",
);
const BEYOND: Text = t(
    "Die Formel gilt hier nicht mehr: Zeiten und Kosten oben folgen ihr, die Simulation ist näher daran.",
    "The formula no longer holds here: times and costs above follow it, the simulation is closer.",
);

const fn t(de: &'static str, en: &'static str) -> Text {
    Text { de, en }
}

/// One way of going on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Key of the choice.
    pub key: &'static str,
    /// Its name.
    pub name: Text,
    /// Useful share of the time by the closed form, 0 to 1; `None` where the run gets nowhere.
    pub closed: Option<f64>,
    /// The same, played.
    pub played: Outcome,
    /// Runs played.
    pub trials: u32,
}

impl Way {
    /// Whether the closed form says what the simulation does. That of a restart is exact.
    pub fn agrees(&self) -> bool {
        if self.key != "elastic" {
            return true;
        }
        let closed = self.closed.unwrap_or(0.0);
        (closed - self.played.goodput).abs() <= APART * self.played.goodput + 4.0 * self.played.goodput_error
    }
}

/// Every way, on the present cluster with its plan.
pub fn ways(answers: &Answers) -> Vec<Way> {
    let Kind::Choice(choices) = Param::Recovery.row().kind else { return Vec::new() };
    let e = &answers.cluster;
    let run_s = e.steps * e.step.total();
    let machines = e.cluster.machines();
    let way = |choice: &crate::scenario::Choice| {
        let reliability = answers.scenario.reliability_with(choice.key);
        let uptime = uptime(answers.setup.job.params, run_s, f64::from(e.cluster.gpus), f64::from(machines), &reliability);
        let course = course(run_s, machines, &uptime, &reliability);
        let failures = course.run_s / uptime.goodput / uptime.mtbf_s;
        let trials = (ALL_FAILURES / failures).clamp(TRIALS.0, TRIALS.1) as u32;
        let closed = uptime.progresses.then_some(uptime.goodput);
        Way { key: choice.key, name: choice.label, closed, played: simulate(course, trials, SEED), trials }
    };
    choices().iter().map(way).collect()
}

/// The present way's finding, and all ways side by side.
pub fn show(answers: &Answers, lang: Lang) -> (String, DataTable) {
    let ways = ways(answers);
    let share = |value: f64| percent(value, 3, lang);
    let closed = |way: &Way| way.closed.map_or_else(|| FAILED.in_lang(lang).to_string(), share);
    let key = answers.scenario.choice_key(Param::Recovery);
    let present = ways.iter().find(|way| way.key == key);
    let finding = present.map_or_else(String::new, |way| {
        let places = [
            ("way", way.name.in_lang(lang).to_string()),
            ("trials", way.trials.to_string()),
            ("played", share(way.played.goodput)),
            ("closed", closed(way)),
        ];
        let words = fill(FINDING.in_lang(lang), &places.each_ref().map(|(name, value)| (*name, value.as_str())));
        if way.agrees() { words } else { format!("{words} {}", BEYOND.in_lang(lang)) }
    });
    let row = |way: &Way| vec![way.name.in_lang(lang).to_string(), closed(way), share(way.played.goodput), share(way.played.goodput_error)];
    let columns = [COLUMN, CLOSED, PLAYED, SPREAD].map(|words| words.in_lang(lang).to_string()).to_vec();
    (finding, DataTable { columns, rows: ways.iter().map(row).collect() })
}

/// The figures of all ways.
pub fn figures(answers: &Answers) -> Value {
    let way = |way: Way| {
        let played = way.played;
        (
            way.key.to_string(),
            json!({ "goodput": way.closed, "simulated_goodput": played.goodput, "simulated_error": played.goodput_error, "simulated_share_finished": played.finished }),
        )
    };
    Value::Object(ways(answers).into_iter().map(way).collect())
}

/// The equation of the present way, and the source.
pub fn equation(recovery: Recovery) -> (&'static str, &'static str) {
    const DALY: &str = "https://doi.org/10.1016/j.future.2004.11.016";
    match recovery {
        Recovery::Restart => ("u = τ / (M·e^(R/M)·(e^((τ+δ)/M) − 1))", DALY),
        Recovery::Elastic { .. } => ("u = a·(1 − aR/M)·τ / (M/a·e^(aR/M)·(e^(a(τ+δ)/M) − 1)), a = 1/(1 + r/M₁)", DALY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;
    use crate::scenario::url;

    fn of(link: &str) -> Answers {
        answers(&url::read(link).scenario).unwrap()
    }

    #[test]
    fn the_formula_of_a_restart_is_what_is_played() {
        for link in ["v=1", "v=1&shape=llama3-405b&tokens=1.5e13&gpus=16384", "v=1&gpus=8192&shape=llama3-70b&tokens=1e13&mtbf=10000"] {
            let ways = ways(&of(link));
            assert_eq!(ways.iter().map(|way| way.key).collect::<Vec<_>>(), ["spare", "wait", "elastic"]);
            for way in &ways {
                let Some(closed) = way.closed else {
                    assert!(way.key == "wait" && way.played.goodput < 1e-3, "{link}: {way:?}");
                    continue;
                };
                let ratio = closed / way.played.goodput;
                // Who waits for each repair is mostly waiting: there the mean of a few runs is rough.
                let apart = if closed > 0.5 { 0.02 } else { 0.3 };
                assert!(way.agrees() && (ratio - 1.0).abs() < apart, "{link}: {way:?}");
            }
        }
    }

    #[test]
    fn elastic_beats_waiting_and_the_choice_reaches_the_answers() {
        let large = "v=1&shape=llama3-405b&tokens=1.5e13&gpus=16384";
        let time = |recovery: &str| of(&format!("{large}&recovery={recovery}")).cluster.time_s;
        assert_eq!(time("spare"), of(large).cluster.time_s);
        // Something fails every three hours: who waits a day for each repair gets nowhere.
        assert!(time("elastic") > time("spare") && time("elastic") < 1.2 * time("spare"));
        assert!(time("wait") > 5.0 * time("elastic"));
        let ways = ways(&of(large));
        assert!(ways[2].played.goodput > 5.0 * ways[1].played.goodput);
    }

    #[test]
    fn where_the_formula_fails_it_is_said() {
        let frequent = of("v=1&shape=llama3-405b&tokens=1.5e13&gpus=131072&mtbf=30000&recovery=elastic");
        let (finding, table) = show(&frequent, Lang::En);
        assert!(finding.contains("no longer holds"), "{finding}");
        assert!(table.rows.len() == 3 && table.rows.iter().all(|row| row.len() == table.columns.len()));
        assert!(!show(&of("v=1&recovery=elastic"), Lang::De).0.contains("gilt hier nicht"));
    }
}
