//! `crossover launch`: the chosen plan as files that start it.

use super::{Complaint, print, scenario, worked};
use crate::export::launch::{DEFAULT_IMAGE, Engine, files, of_answers};
use crate::report::sentences;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::fs;
use std::path::PathBuf;

/// The flags of `launch` beside the scenario's.
pub fn command(settings: impl Fn(Command) -> Command) -> Command {
    let keys = Engine::ALL.map(Engine::key);
    settings(Command::new("launch").about("Writes the files that start the plan: torchrun, Slurm, Kubernetes, Kubeflow, Ray, one machine"))
        .arg(Arg::new("engine").value_name("ENGINE").required(true).value_parser(keys).help("What starts the processes"))
        .arg(Arg::new("name").long("name").value_name("NAME").default_value("crossover").help("Name of the job: any text"))
        .arg(
            Arg::new("image")
                .long("image")
                .value_name("IMAGE")
                .default_value(DEFAULT_IMAGE)
                .help("Container image with PyTorch, for Kubernetes"),
        )
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
    let plan = of_answers(&answers, estimate, text("name"), text("image"));
    let files = files(engine, &plan).map_err(|error| Complaint::input([error.words(lang)]))?;
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
