//! What a parameter is: the columns of the parameter table.

use super::Scenario;
use crate::locale::Text;

/// Groups of settings, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The model to train.
    Model,
    /// The data.
    Data,
    /// GPUs and machines.
    Hardware,
    /// Between the machines.
    Network,
    /// How the work is laid out.
    Strategy,
    /// Failures and checkpoints.
    Failures,
    /// Prices, electricity, carbon.
    Money,
    /// Several sites, federated learning, storage, buying in place of renting.
    Beyond,
}

impl Group {
    /// Every group, in order.
    pub const ALL: [Group; 8] =
        [Group::Model, Group::Data, Group::Hardware, Group::Network, Group::Strategy, Group::Failures, Group::Money, Group::Beyond];

    /// The group's heading.
    pub const fn label(self) -> Text {
        match self {
            Group::Model => Text { de: "Modell", en: "Model" },
            Group::Data => Text { de: "Daten", en: "Data" },
            Group::Hardware => Text { de: "Hardware", en: "Hardware" },
            Group::Network => Text { de: "Netz", en: "Network" },
            Group::Strategy => Text { de: "Strategie", en: "Strategy" },
            Group::Failures => Text { de: "Ausfälle", en: "Failures" },
            Group::Money => Text { de: "Kosten", en: "Money" },
            Group::Beyond => Text { de: "Darüber hinaus", en: "Beyond" },
        }
    }
}

/// The unit in which a parameter is stored, typed and linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain count or ratio.
    None,
    /// Tokens.
    Tokens,
    /// Gbit/s.
    GbitPerS,
    /// Mbit/s.
    MbitPerS,
    /// GB/s.
    GbytePerS,
    /// Bytes.
    Bytes,
    /// Bits.
    Bits,
    /// 10¹² floating-point operations per second.
    TflopPerS,
    /// Microseconds.
    Micros,
    /// Seconds.
    Seconds,
    /// Hours.
    Hours,
    /// Years.
    Years,
    /// Watts.
    Watts,
    /// US dollars.
    Usd,
    /// US dollars per hour of work.
    UsdPerHour,
    /// US dollars per GPU-hour.
    UsdPerGpuHour,
    /// US dollars per kilowatt-hour.
    UsdPerKwh,
    /// Grams of CO₂-equivalents per kilowatt-hour.
    GramsPerKwh,
}

/// One of the values of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Stable key, as in links.
    pub key: &'static str,
    /// What the reader sees.
    pub label: Text,
}

/// The kind of value.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A positive number whose slider moves by ratios.
    Log {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// A number whose slider moves by differences.
    Linear {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Distance between two positions of the slider.
        step: f64,
    },
    /// A whole number of at least 1 whose slider moves by ratios.
    Whole {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of a list; the value is the index.
    Choice(fn() -> &'static [Choice]),
}

impl Kind {
    /// Smallest and largest value.
    pub fn range(&self) -> (f64, f64) {
        match *self {
            Kind::Log { min, max } | Kind::Linear { min, max, .. } | Kind::Whole { min, max } => (min, max),
            Kind::Choice(choices) => (0.0, choices().len().saturating_sub(1) as f64),
        }
    }

    /// Whether the value is an index into a list.
    pub const fn is_choice(&self) -> bool {
        matches!(self, Kind::Choice(_))
    }
}

/// What holds while the person has set nothing.
#[derive(Clone, Copy)]
pub enum Default {
    /// A value that never changes within a version of the links.
    Fixed(f64),
    /// The choice with this key.
    Key(&'static str),
    /// Follows from the other parameters.
    From(fn(&Scenario) -> f64),
    /// Found by the model, or not known.
    Open(fn(&Scenario) -> Option<f64>),
}

/// A row of the parameter table.
pub struct Row {
    /// Short stable key: it is in people's links.
    pub key: &'static str,
    /// Where it is shown.
    pub group: Group,
    /// The unit.
    pub unit: Unit,
    /// The kind of value and its range.
    pub kind: Kind,
    /// What holds while nothing is set.
    pub default: Default,
    /// Name.
    pub label: Text,
    /// One line of help.
    pub help: Text,
    /// Why it has no meaning in this scenario, if so: then it is hidden, and this is said.
    pub moot: fn(&Scenario) -> Option<Text>,
}

/// The parameter always means something.
pub fn always(_: &Scenario) -> Option<Text> {
    None
}
