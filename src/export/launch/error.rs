//! What can be wrong with a launch plan.

use super::Engine;
use std::fmt;

/// Why there are no files. The text says what was expected and what was found.
#[derive(Clone, Debug, PartialEq)]
pub enum LaunchError {
    /// A number that must be at least 1 is 0.
    Zero {
        /// The field.
        field: &'static str,
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
        what: &'static str,
        /// Its value.
        value: u64,
        /// By what.
        by: &'static str,
        /// Its value.
        divisor: u64,
    },
    /// A text that no engine takes: too long, empty, or with a NUL.
    Text {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        why: &'static str,
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

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Zero { field } => write!(f, "{field}: expected at least 1, found 0"),
            LaunchError::TooFewGpus { needed, there } => write!(f, "the plan uses {needed} GPUs (tp·pp·cp·dp), but there are {there}"),
            LaunchError::Uneven { gpus, machines, gpus_per_machine } => {
                write!(f, "{gpus} GPUs cannot be spread evenly over at most {machines} machines of {gpus_per_machine}")
            }
            LaunchError::Indivisible { what, value, by, divisor } => write!(f, "{what}: {value} is not divisible by {by} ({divisor})"),
            LaunchError::Text { field, why } => write!(f, "{field}: {why}"),
            LaunchError::Hours { found } => write!(f, "expected hours and failures: a number from 0 to 876,000 is needed, found {found}"),
            LaunchError::OneMachineOnly { engine, machines } => {
                write!(f, "{} starts processes on one machine, but the plan uses {machines}", engine.name())
            }
            LaunchError::NoMpi { engine } => {
                write!(f, "{} starts no MPI processes: choose Slurm or mpirun, or the backend gloo or nccl", engine.name())
            }
            LaunchError::Template(why) => write!(f, "template: {why}"),
        }
    }
}

impl std::error::Error for LaunchError {}
