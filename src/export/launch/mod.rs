//! The chosen plan as files that start it: from one description to torchrun, Slurm, Kubernetes, Kubeflow, Ray, plain Python and TensorFlow.
//!
//! Every file comes from a template in `templates/`. A text gets into a file only through a filter that quotes it for the language it lands
//! in ([`quote`]); without one, the template does not render. So a name like `"; rm -rf /; echo "` stays a name.

mod answers;
mod environment;
mod error;
mod megatron;
mod name;
mod plan;
mod quote;
mod render;
#[cfg(test)]
mod tests;

pub use answers::{DEFAULT_IMAGE, of_answers};
pub use error::LaunchError;
pub use plan::{Backend, LaunchPlan, Layout};

/// What starts the processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// A shell script for every machine (with MPI: one, for `mpirun`).
    Torchrun,
    /// A batch file for `sbatch`.
    Slurm,
    /// A Job with a headless Service.
    Kubernetes,
    /// A TrainJob of Kubeflow Trainer, and the older PyTorchJob.
    KubeflowTrainer,
    /// Ray Train.
    Ray,
    /// One machine: `python3`.
    Python,
    /// One machine: TensorFlow's MirroredStrategy.
    TensorFlow,
}

impl Engine {
    /// Every engine; those for one machine come last.
    pub const ALL: [Engine; 7] =
        [Engine::Torchrun, Engine::Slurm, Engine::Kubernetes, Engine::KubeflowTrainer, Engine::Ray, Engine::Python, Engine::TensorFlow];

    /// Stable key.
    pub const fn key(self) -> &'static str {
        match self {
            Engine::Torchrun => "torchrun",
            Engine::Slurm => "slurm",
            Engine::Kubernetes => "kubernetes",
            Engine::KubeflowTrainer => "kubeflow",
            Engine::Ray => "ray",
            Engine::Python => "python",
            Engine::TensorFlow => "tensorflow",
        }
    }

    /// The engine with this key.
    pub fn from_key(key: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.key() == key)
    }

    /// The name as its makers write it.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Torchrun => "torchrun",
            Engine::Slurm => "Slurm",
            Engine::Kubernetes => "Kubernetes",
            Engine::KubeflowTrainer => "Kubeflow Trainer",
            Engine::Ray => "Ray Train",
            Engine::Python => "Python",
            Engine::TensorFlow => "TensorFlow",
        }
    }

    /// Whether it starts processes on one machine only.
    pub const fn one_machine(self) -> bool {
        matches!(self, Engine::Python | Engine::TensorFlow)
    }
}

/// A file of the launch plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder: all files of a plan belong side by side.
    pub name: String,
    /// Its text.
    pub content: String,
}

/// The files that start this plan on this engine; the one to start first. The same plan gives the same bytes.
pub fn files(engine: Engine, plan: &LaunchPlan) -> Result<Vec<File>, LaunchError> {
    let layout = plan.layout()?;
    if engine.one_machine() && layout.machines > 1 {
        return Err(LaunchError::OneMachineOnly { engine, machines: layout.machines });
    }
    if plan.backend == Backend::Mpi && !matches!(engine, Engine::Torchrun | Engine::Slurm | Engine::TensorFlow) {
        return Err(LaunchError::NoMpi { engine });
    }
    render::render(engine, plan, &layout)
}
