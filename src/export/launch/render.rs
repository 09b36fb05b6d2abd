//! From the plan to the files.

use super::{Backend, Engine, File, LaunchError, LaunchPlan, Layout, environment, megatron, name, quote};
use crate::model::{Precision, Sharding};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, context};

const TRAIN: &str = include_str!("templates/train.py");
const TRAIN_TF: &str = include_str!("templates/train_tf.py");

/// The templates, by the name under which one includes another.
const TEMPLATES: &[(&str, &str)] = &[
    ("about", include_str!("templates/about.j2")),
    ("container.yaml", include_str!("templates/container.yaml.j2")),
    ("kubernetes.yaml", include_str!("templates/kubernetes.yaml.j2")),
    ("megatron-args.sh", include_str!("templates/megatron-args.sh.j2")),
    ("mpirun.sh", include_str!("templates/mpirun.sh.j2")),
    ("pytorchjob.yaml", include_str!("templates/pytorchjob.yaml.j2")),
    ("run.sh", include_str!("templates/run.sh.j2")),
    ("run_tf.sh", include_str!("templates/run_tf.sh.j2")),
    ("script", include_str!("templates/script.j2")),
    ("storage.yaml", include_str!("templates/storage.yaml.j2")),
    ("torchrun.sh", include_str!("templates/torchrun.sh.j2")),
    ("train.sbatch", include_str!("templates/train.sbatch.j2")),
    ("train_ray.py", include_str!("templates/train_ray.py.j2")),
    ("trainjob.yaml", include_str!("templates/trainjob.yaml.j2")),
];

/// The files of one engine, the one to start first.
pub fn render(engine: Engine, plan: &LaunchPlan, layout: &Layout) -> Result<Vec<File>, LaunchError> {
    let mut env = Environment::new();
    let lines = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    env.set_syntax(lines.map_err(template_error)?);
    quote::install(&mut env);
    for (name, source) in TEMPLATES {
        env.add_template(name, source).map_err(template_error)?;
    }
    let values = values(engine, plan, layout);
    let templates: &[&str] = match engine {
        Engine::Torchrun if plan.backend == Backend::Mpi => &["mpirun.sh"],
        Engine::Torchrun => &["torchrun.sh"],
        Engine::Slurm => &["train.sbatch"],
        Engine::Kubernetes => &["kubernetes.yaml"],
        Engine::KubeflowTrainer => &["trainjob.yaml", "pytorchjob.yaml"],
        Engine::Ray => &["train_ray.py"],
        Engine::Python => &["run.sh"],
        Engine::TensorFlow => &["run_tf.sh"],
    };
    let split: &[&str] = if plan.splits_model() { &["megatron-args.sh"] } else { &[] };
    let mut files = Vec::new();
    for name in templates.iter().chain(split) {
        let content = env.get_template(name).and_then(|template| template.render(&values)).map_err(template_error)?;
        files.push(File { name: name.to_string(), content });
    }
    let (script, source) = if engine == Engine::TensorFlow { ("train_tf.py", TRAIN_TF) } else { ("train.py", TRAIN) };
    files.push(File { name: script.to_string(), content: source.to_string() });
    Ok(files)
}

fn template_error(error: minijinja::Error) -> LaunchError {
    LaunchError::Template(format!("{error:#}"))
}

/// What the templates see.
fn values(engine: Engine, plan: &LaunchPlan, layout: &Layout) -> Value {
    let job = name::label(&plan.name);
    let mut env = environment::variables(plan);
    if engine == Engine::TensorFlow {
        env.retain(|(name, _)| name.starts_with("NCCL") || name.starts_with("PYTHON"));
    }
    context! {
        args => arguments(engine, plan, layout, &job),
        env,
        megatron => megatron::arguments(plan, layout, &format!("checkpoints/{job}-megatron")),
        job,
        script => TRAIN,
        name => &plan.name,
        image => &plan.image,
        machines => layout.machines,
        per_machine => layout.per_machine,
        world => layout.world(),
        backend => plan.backend.torch(),
        gpu_resource => if plan.backend == Backend::Rccl { "amd.com/gpu" } else { "nvidia.com/gpu" },
        restarts => plan.restarts(),
        pod_failures => plan.restarts().saturating_mul(u64::from(layout.machines)).min(i32::MAX as u64),
        time_limit => slurm_time(plan.expected_hours),
        storage_gib => storage_gib(plan),
        checkpoint_every => plan.checkpoint_interval_steps,
        takes_arguments => !matches!(engine, Engine::Kubernetes | Engine::KubeflowTrainer),
        splits_model => plan.splits_model(),
        has_experts => plan.has_experts(),
        narrow => matches!(plan.precision, Precision::Fp8 | Precision::Fp4),
        megatron_fsdp => megatron::uses_fsdp(plan),
        serialize_kernels => (plan.tp > 1 || plan.cp > 1) && !megatron::uses_fsdp(plan),
        degrees => context! { tp => plan.tp, pp => plan.pp, cp => plan.cp, ep => plan.ep, dp => plan.dp },
    }
}

/// Arguments of the small script, one line each.
fn arguments(engine: Engine, plan: &LaunchPlan, layout: &Layout, job: &str) -> Vec<Vec<String>> {
    let precision = match plan.precision {
        Precision::Bf16 => "bf16",
        Precision::Fp16 => "fp16",
        Precision::Fp8 => "fp8",
        Precision::Fp4 => "fp4",
        Precision::Fp32 => "fp32",
    };
    let mut lines = vec![
        // One word, so that a name that begins with a hyphen is no option.
        vec![format!("--run-name={}", plan.name)],
        pairs(&[("--layers", plan.layers), ("--hidden", plan.hidden), ("--heads", plan.heads), ("--kv-heads", plan.kv_heads)]),
        pairs(&[("--ffn", plan.ffn), ("--vocab", plan.vocab), ("--seq", plan.seq)]),
        pairs(&[("--micro-batch", u64::from(plan.micro_batch)), ("--global-batch", plan.global_batch_seqs), ("--steps", plan.steps)]),
    ];
    if engine == Engine::TensorFlow {
        lines.push(pairs(&[("--precision", precision)]));
        lines.push(pairs(&[("--gpus", layout.per_machine)]));
    } else {
        lines.push(pairs(&[("--sharding", plan.sharding.key()), ("--recompute", plan.recompute.key()), ("--precision", precision)]));
        if plan.sharding == Sharding::Hybrid {
            lines.push(pairs(&[("--shard-within", layout.per_machine)]));
        }
        lines.push(pairs(&[("--backend", plan.backend.torch())]));
    }
    let folder = match engine {
        Engine::Kubernetes | Engine::KubeflowTrainer => format!("/checkpoints/{job}"),
        _ => format!("checkpoints/{job}"),
    };
    lines.push(pairs(&[("--checkpoint-every", plan.checkpoint_interval_steps)]));
    lines.push(pairs(&[("--checkpoint-dir", folder)]));
    lines
}

fn pairs<T: ToString>(options: &[(&str, T)]) -> Vec<String> {
    options.iter().flat_map(|(option, value)| [option.to_string(), value.to_string()]).collect()
}

/// A limit for Slurm, D-HH:MM:00: a fifth more than expected, and an hour to start.
fn slurm_time(hours: f64) -> String {
    // At most a hundred years, as the plan's check has seen to.
    let minutes = (hours * 1.2 * 60.0).ceil() as u64 + 60;
    format!("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60)
}

/// Room for three checkpoints of fp32 weights and Adam's two states, in GiB: two kept, one being written.
fn storage_gib(plan: &LaunchPlan) -> u64 {
    (plan.params() as f64 * 12.0 * 3.0 / f64::from(1 << 30)).ceil().max(1.0) as u64
}
