//! What can be wrong with a launch plan.

use super::Engine;
use crate::locale::{Lang, Text, number};
use std::fmt;

/// Why there are no files. The words say what was expected and what was found.
#[derive(Clone, Debug, PartialEq)]
pub enum LaunchError {
    /// A number that must be at least 1 is 0.
    Zero {
        /// The field.
        field: Text,
    },
    /// The plan wants more GPUs than there are.
    TooFewGpus {
        /// tp · pp · cp · dp.
        needed: u64,
        /// Machines times GPUs per machine.
        there: u64,
    },
    /// No number of processes per machine, the same on each, gives the plan's GPUs.
    Uneven {
        /// tp · pp · cp · dp.
        gpus: u64,
        /// Machines that there are.
        machines: u32,
        /// GPUs of one.
        gpus_per_machine: u32,
    },
    /// Heads, width or experts do not divide as they must.
    Indivisible {
        /// What is divided.
        what: Text,
        /// Its value.
        value: u64,
        /// By what.
        by: Text,
        /// Its value.
        divisor: u64,
    },
    /// A text that no engine takes: too long, empty, or with a NUL.
    Text {
        /// The field.
        field: Text,
        /// What is wrong with it.
        why: Text,
    },
    /// The expected time or number of failures is no number of at least 0, or the time exceeds a hundred years.
    Hours {
        /// What was found.
        found: f64,
    },
    /// The engine starts processes on one machine only.
    OneMachineOnly {
        /// The engine.
        engine: Engine,
        /// Machines that the plan uses.
        machines: u32,
    },
    /// The engine starts no MPI processes.
    NoMpi {
        /// The engine.
        engine: Engine,
    },
    /// A template is wrong: a defect of this program.
    Template(String),
}

impl LaunchError {
    /// The error in words.
    pub fn words(&self, lang: Lang) -> String {
        let whole = |value: u64| number::fixed(value as f64, 0, lang);
        let in_lang = |text: &Text| text.in_lang(lang);
        match (self, lang) {
            (LaunchError::Zero { field }, Lang::De) => format!("{}: erwartet mindestens 1, gefunden 0", in_lang(field)),
            (LaunchError::Zero { field }, Lang::En) => format!("{}: expected at least 1, found 0", in_lang(field)),
            (LaunchError::TooFewGpus { needed, there }, Lang::De) => {
                format!("Der Plan braucht {} GPUs (tp·pp·cp·dp), vorhanden sind {}", whole(*needed), whole(*there))
            }
            (LaunchError::TooFewGpus { needed, there }, Lang::En) => {
                format!("the plan uses {} GPUs (tp·pp·cp·dp), but there are {}", whole(*needed), whole(*there))
            }
            (LaunchError::Uneven { gpus, machines, gpus_per_machine }, Lang::De) => {
                let (gpus, machines) = (whole(*gpus), whole((*machines).into()));
                format!("{gpus} GPUs lassen sich nicht gleichmäßig auf höchstens {machines} Maschinen mit je {gpus_per_machine} verteilen")
            }
            (LaunchError::Uneven { gpus, machines, gpus_per_machine }, Lang::En) => {
                let (gpus, machines) = (whole(*gpus), whole((*machines).into()));
                format!("{gpus} GPUs cannot be spread evenly over at most {machines} machines of {gpus_per_machine}")
            }
            (LaunchError::Indivisible { what, value, by, divisor }, Lang::De) => {
                format!("{}: {value} ist nicht teilbar durch {} ({divisor})", in_lang(what), in_lang(by))
            }
            (LaunchError::Indivisible { what, value, by, divisor }, Lang::En) => {
                format!("{}: {value} is not divisible by {} ({divisor})", in_lang(what), in_lang(by))
            }
            (LaunchError::Text { field, why }, _) => format!("{}: {}", in_lang(field), in_lang(why)),
            (LaunchError::Hours { found }, Lang::De) => {
                format!("erwartete Stunden und Ausfälle: nötig ist eine Zahl von 0 bis 876.000, gefunden {found}")
            }
            (LaunchError::Hours { found }, Lang::En) => {
                format!("expected hours and failures: a number from 0 to 876,000 is needed, found {found}")
            }
            (LaunchError::OneMachineOnly { engine, machines }, Lang::De) => {
                format!("{} startet Prozesse auf einer Maschine, der Plan benutzt {machines}", engine.name())
            }
            (LaunchError::OneMachineOnly { engine, machines }, Lang::En) => {
                format!("{} starts processes on one machine, but the plan uses {machines}", engine.name())
            }
            (LaunchError::NoMpi { engine }, Lang::De) => {
                format!("{} startet keine MPI-Prozesse: Slurm oder mpirun wählen, oder als Backend Gloo oder NCCL", engine.name())
            }
            (LaunchError::NoMpi { engine }, Lang::En) => {
                format!("{} starts no MPI processes: choose Slurm or mpirun, or the backend gloo or nccl", engine.name())
            }
            (LaunchError::Template(why), Lang::De) => format!("Vorlage: {why}"),
            (LaunchError::Template(why), Lang::En) => format!("template: {why}"),
        }
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Lang::En))
    }
}

impl std::error::Error for LaunchError {}
