//! What only the reader knows: five questions with their answers, and the answers that suit the scenario.

use crate::catalog;
use crate::locale::Text;
use crate::report::Answers;
use crate::scenario::{Choice, Param};

/// A question; the discriminant is its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Must the data stay where they are?
    Stay,
    /// How much time is there?
    Deadline,
    /// How much money?
    Money,
    /// Which link is between the machines?
    Link,
    /// Who runs it?
    Crew,
}

/// What the reader has answered; the others follow the scenario.
pub type Own = [Option<usize>; Question::ALL.len()];

/// An answer to each question, by the index of its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wishes([usize; Question::ALL.len()]);

const fn choice(key: &'static str, de: &'static str, en: &'static str) -> Choice {
    Choice { key, label: Text { de, en } }
}

const STAY: &[Choice] = &[choice("no", "nein", "no"), choice("yes", "ja", "yes")];
const DEADLINE: &[Choice] = &[
    choice("none", "keine Frist", "no deadline"),
    choice("day", "ein Tag", "a day"),
    choice("week", "eine Woche", "a week"),
    choice("month", "ein Monat", "a month"),
    choice("year", "ein Jahr", "a year"),
];
const MONEY: &[Choice] = &[choice("free", "keine Grenze", "no limit"), choice("cheap", "möglichst billig", "cheapest first")];
const LINK: &[Choice] = &[
    choice("datacentre", "Rechenzentrumsnetz", "datacentre network"),
    choice("office", "Büro-Ethernet", "office Ethernet"),
    choice("internet", "Internet", "Internet"),
];
const CREW: &[Choice] =
    &[choice("nobody", "niemand für einen Cluster", "nobody for a cluster"), choice("team", "ein eingespieltes Team", "a practised team")];

/// Rows of the catalogue that stand for the kinds of link, and whether all GPUs of a machine share the line.
pub(super) const NETWORKS: [(&str, bool); 3] = [("ib-ndr", false), ("eth1", true), ("home-fibre-de", true)];

/// Gbit/s of a machine from which a link is one of a datacentre (the slowest networks that clouds offer for training), and of an office
/// (half of Gigabit Ethernet); below, it is the Internet.
const LEAST_GBIT: [f64; 2] = [25.0, 0.5];

const DAY_S: f64 = 86_400.0;

/// Seconds until each deadline. Without one, a run still has to end while the machine that it runs on is in use.
fn limit_s(index: usize) -> f64 {
    match index {
        1 => DAY_S,
        2 => 7.0 * DAY_S,
        3 => 30.0 * DAY_S,
        4 => 365.0 * DAY_S,
        _ => catalog::SERVER_LIFE.value * 3600.0,
    }
}

impl Question {
    /// Every question, in the order of the form.
    pub const ALL: [Question; 5] = [Question::Stay, Question::Deadline, Question::Money, Question::Link, Question::Crew];

    /// Stable key, as in the names of the form's fields.
    pub const fn key(self) -> &'static str {
        ["stay", "deadline", "money", "link", "crew"][self as usize]
    }

    /// What is asked.
    pub const fn label(self) -> Text {
        const LABELS: [Text; 5] = [
            Text { de: "Müssen die Daten bleiben, wo sie sind?", en: "Must the data stay where it is?" },
            Text { de: "Wie viel Zeit ist da?", en: "How much time is there?" },
            Text { de: "Wie viel Geld ist da?", en: "How much money is there?" },
            Text { de: "Was verbindet die Maschinen?", en: "What links the machines?" },
            Text { de: "Wer betreibt das Ganze?", en: "Who runs it?" },
        ];
        LABELS[self as usize]
    }

    /// The answers.
    pub const fn choices(self) -> &'static [Choice] {
        [STAY, DEADLINE, MONEY, LINK, CREW][self as usize]
    }
}

/// The kind of the scenario's link, by what a whole machine has of it.
pub(super) fn link_of(answers: &Answers) -> usize {
    let cluster = &answers.setup.cluster;
    let gbit = answers.scenario.number(Param::Bandwidth) * f64::from(cluster.gpus.min(cluster.per_machine));
    LEAST_GBIT.iter().position(|least| gbit >= *least).unwrap_or(LEAST_GBIT.len())
}

impl Wishes {
    /// The answers that suit the scenario: the data may move; the shortest deadline that its faster side meets; money is no object; its own
    /// link; a team where it has a cluster.
    pub fn suiting(answers: &Answers) -> Wishes {
        let sides = [&answers.single, &answers.cluster];
        let fastest_s = sides.iter().filter(|e| e.fits && e.uptime.progresses).map(|e| e.time_s).fold(f64::INFINITY, f64::min);
        let deadline = (1..DEADLINE.len()).find(|index| fastest_s <= limit_s(*index)).unwrap_or(0);
        Wishes([0, deadline, 0, link_of(answers), usize::from(answers.setup.cluster.spans_machines())])
    }

    /// The same, with the reader's own answers in their place.
    pub fn or_own(self, own: &Own) -> Wishes {
        Question::ALL
            .into_iter()
            .fold(self, |wishes, question| wishes.with(question, own[question as usize].unwrap_or(wishes.of(question))))
    }

    /// The index of the answer to a question.
    pub fn of(&self, question: Question) -> usize {
        self.0[question as usize]
    }

    /// The same with another answer to one question; an index beyond the last answer is the last one.
    pub fn with(mut self, question: Question, answer: usize) -> Wishes {
        self.0[question as usize] = answer.min(question.choices().len() - 1);
        self
    }

    pub(super) fn stays(&self) -> bool {
        self.of(Question::Stay) == 1
    }

    pub(super) fn limit_s(&self) -> f64 {
        limit_s(self.of(Question::Deadline))
    }

    pub(super) fn cheapest(&self) -> bool {
        self.of(Question::Money) == 1
    }

    pub(super) fn link(&self) -> usize {
        self.of(Question::Link)
    }

    pub(super) fn nobody(&self) -> bool {
        self.of(Question::Crew) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_that_stands_for_a_link_is_in_the_catalogue_and_of_its_kind() {
        for (index, (id, _)) in NETWORKS.iter().enumerate() {
            let row = catalog::NETWORKS.iter().find(|row| row.id == *id).unwrap();
            assert_eq!(LEAST_GBIT.iter().position(|least| row.gbit_per_s >= *least).unwrap_or(2), index, "{id}");
        }
    }

    #[test]
    fn an_index_beyond_the_last_answer_is_the_last_one() {
        let wishes = Wishes([0; 5]).with(Question::Link, 9);
        assert_eq!(wishes.of(Question::Link), 2);
        assert_eq!(wishes.or_own(&[Some(1), None, None, Some(1), None]), Wishes([1, 0, 0, 1, 0]));
    }
}
