//! What lies beside the comparison of one machine and a cluster: several sites, clients that keep their data, what is learnt, where the data
//! comes from, buying in place of renting, the carbon of making the hardware. Each subject is a sentence and a table, and figures as JSON.

pub mod carbon;
pub mod federated;
pub mod learning;
pub mod low_bandwidth;
pub mod ownership;
pub mod supply;

use super::Answers;
use crate::chart::DataTable;
pub(super) use crate::locale::quantity::whole;
use crate::locale::{Lang, Text};
use serde_json::{Value, json};

/// Significant digits of a value in a table.
const DIGITS: usize = 3;

/// A subject of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Sites that synchronise seldom.
    LowBandwidth,
    /// Clients that keep their data.
    Federated,
    /// The loss, and the batch against the critical one.
    Learning,
    /// Loading the data.
    Supply,
    /// Bought against rented.
    Ownership,
    /// Carbon of making the hardware.
    Carbon,
}

/// A subject as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// What the figures say, as a sentence.
    pub finding: String,
    /// Quantity, value, equation or remark, source.
    pub table: DataTable,
}

impl Subject {
    /// Every subject, in the order in which they are shown.
    pub const ALL: [Subject; 6] =
        [Subject::LowBandwidth, Subject::Federated, Subject::Learning, Subject::Supply, Subject::Ownership, Subject::Carbon];

    /// The heading.
    pub const fn title(self) -> Text {
        match self {
            Subject::LowBandwidth => t("Mehrere Standorte", "Several sites"),
            Subject::Federated => t("Föderiertes Lernen", "Federated learning"),
            Subject::Learning => t("Loss und Batch", "Loss and batch"),
            Subject::Supply => t("Laden der Daten", "Loading the data"),
            Subject::Ownership => t("Kaufen oder mieten", "Buying or renting"),
            Subject::Carbon => t("CO₂ der Herstellung", "Carbon of making the hardware"),
        }
    }

    /// The finding and its table.
    pub fn show(self, answers: &Answers, lang: Lang) -> Shown {
        match self {
            Subject::LowBandwidth => low_bandwidth::show(answers, lang),
            Subject::Federated => federated::show(answers, lang),
            Subject::Learning => learning::show(answers, lang),
            Subject::Supply => supply::show(answers, lang),
            Subject::Ownership => ownership::show(answers, lang),
            Subject::Carbon => carbon::show(answers, lang),
        }
    }
}

/// The figures of all subjects; what is not known is `null`.
pub fn json(answers: &Answers) -> Value {
    json!({
        "low_bandwidth": low_bandwidth::figures(answers).map(|f| f.json()),
        "federated": federated::figures(answers).json(),
        "learning": learning::figures(answers).json(),
        "supply": supply::figures(answers).json(),
        "ownership": ownership::figures(answers).map(|f| f.json()),
        "carbon": carbon::figures(answers).json(),
    })
}

const fn t(de: &'static str, en: &'static str) -> Text {
    Text { de, en }
}

/// A row before it is put into a language.
struct Row {
    name: Text,
    value: String,
    /// Equation or remark.
    how: Text,
    source: Text,
}

fn row(name: Text, value: String, how: Text, source: impl Into<Text>) -> Row {
    Row { name, value, how, source: source.into() }
}

/// The source of a figure that follows from those above it.
const DERIVED: Text = t("aus den Zeilen darüber", "from the rows above");
/// The source of a figure that nobody published.
const ASSUMED: Text = t("Annahme", "assumption");
/// The source of a figure that has none.
const UNKNOWN: Text = t("unbekannt", "unknown");

fn table(rows: Vec<Row>, lang: Lang) -> DataTable {
    let m = lang.messages();
    let columns = [m.column_quantity, m.column_value, m.column_equation, m.column_source];
    let cells = |row: Row| {
        vec![row.name.in_lang(lang).to_string(), row.value, row.how.in_lang(lang).to_string(), row.source.in_lang(lang).to_string()]
    };
    DataTable { columns: columns.map(String::from).to_vec(), rows: rows.into_iter().map(cells).collect() }
}

/// A rate in bytes per second.
fn rate(bytes_per_s: f64, lang: Lang) -> String {
    format!("{}/s", crate::locale::quantity::bytes(bytes_per_s, DIGITS, lang))
}

#[cfg(test)]
mod tests;
