//! `crossover launch`: the chosen plan as files that start it.

use super::{Complaint, print, scenario, worked};
use crate::export::launch::{Backend, Engine, LaunchPlan, files};
use crate::model::Estimate;
use crate::report::{Answers, sentences};
use crate::scenario::Param;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::fs;
use std::path::PathBuf;

/// Image of the Kubernetes files where none is named.
const IMAGE: &str = "pytorch/pytorch:latest";

/// The flags of `launch` beside the scenario's.
pub fn command(settings: impl Fn(Command) -> Command) -> Command {
    let keys = Engine::ALL.map(Engine::key);
    settings(Command::new("launch").about("Writes the files that start the plan: torchrun, Slurm, Kubernetes, Kubeflow, Ray, one machine"))
        .arg(Arg::new("engine").value_name("ENGINE").required(true).value_parser(keys).help("What starts the processes"))
        .arg(Arg::new("name").long("name").value_name("NAME").default_value("crossover").help("Name of the job: any text"))
        .arg(Arg::new("image").long("image").value_name("IMAGE").default_value(IMAGE).help("Container image with PyTorch, for Kubernetes"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("Write the files there; else the first is printed"),
        )
}

/// Runs `launch`.
pub fn run(matches: &ArgMatches) -> Result<(), Complaint> {
    let (lang, scenario) = scenario(matches)?;
    let answers = worked(lang, &scenario)?;
    // clap admits only the keys of our engines.
    let Some(engine) = matches.get_one::<String>("engine").and_then(|key| Engine::from_key(key)) else { return Ok(()) };
    let estimate = if engine.one_machine() { &answers.single } else { &answers.cluster };
    if !estimate.fits {
        return Err(Complaint::input(sentences::remarks(&answers, lang)));
    }
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let plan = plan(&answers, estimate, text("name"), text("image"));
    let files = files(engine, &plan).map_err(|error| Complaint::input([error.to_string()]))?;
    let Some(folder) = matches.get_one::<PathBuf>("out") else {
        return print(files.first().map_or("", |file| file.content.trim_end()));
    };
    let fault = |error: std::io::Error| Complaint::failure(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(fault)?;
    for file in &files {
        fs::write(folder.join(&file.name), &file.content).map_err(fault)?;
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    print(&format!("wrote {} into {}; start with {}", names.join(", "), folder.display(), names.first().copied().unwrap_or_default()))
}

/// The launch plan of an estimate.
fn plan(answers: &Answers, estimate: &Estimate, name: String, image: String) -> LaunchPlan {
    let (job, plan) = (&answers.setup.job, &estimate.plan);
    let whole = |value: f64| value.round().max(1.0) as u32;
    LaunchPlan {
        name,
        machines: estimate.cluster.machines(),
        gpus_per_machine: estimate.cluster.per_machine.min(estimate.cluster.gpus),
        tp: plan.tp,
        sequence_parallel: plan.sequence_parallel,
        pp: plan.pp,
        interleave: plan.interleave,
        cp: plan.cp,
        ep: plan.ep,
        dp: plan.dp,
        micro_batch: plan.micro_batch,
        global_batch_seqs: estimate.step_seqs as u64,
        seq: whole(job.seq),
        layers: whole(job.layers),
        hidden: whole(job.hidden),
        heads: whole(job.heads),
        kv_heads: whole(job.kv_heads),
        ffn: whole(job.ffn),
        vocab: whole(job.vocab),
        experts: if job.has_experts() { whole(job.experts) } else { 0 },
        experts_per_token: if job.has_experts() { whole(job.experts_per_token) } else { 0 },
        sharding: plan.sharding,
        recompute: plan.recompute,
        precision: job.precision,
        backend: match answers.scenario.choice_key(Param::Backend) {
            "mpi" => Backend::Mpi,
            "grpc" => Backend::Gloo,
            _ => Backend::Nccl,
        },
        checkpoint_interval_steps: (estimate.uptime.interval_s / estimate.step.total()).round().clamp(1.0, estimate.steps) as u64,
        steps: estimate.steps as u64,
        expected_hours: estimate.time_s / 3600.0,
        expected_failures: estimate.failures,
        image,
    }
}
