//! The quick part of `make test-launch`: bash itself reads the launch scripts, with the engines replaced by a program that notes its
//! arguments, and Python, where it is installed, parses the programs. No engine is needed.
#![cfg(unix)]

use crossover::export::launch::{DEFAULT_IMAGE, Engine, File, files, of_answers};
use crossover::report::answers;
use crossover::scenario::Scenario;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Names that do harm where they are pasted unquoted, in shell, Slurm's header, YAML, Python.
fn hostile_names() -> Vec<String> {
    serde_json::from_str(include_str!("launch/hostile-names.json")).unwrap()
}

/// A script of each kind, and the engine that it starts.
const SCRIPTS: [(&str, &str); 4] = [("torchrun.sh", "torchrun"), ("train.sbatch", "srun"), ("run.sh", "python3"), ("run_tf.sh", "python3")];

fn written(folder: &Path, engine: Engine, name: &str) -> Vec<String> {
    let answers = answers(&Scenario::default()).unwrap();
    let estimate = if engine.one_machine() { &answers.single } else { &answers.cluster };
    let files = files(engine, &of_answers(&answers, estimate, name.to_string(), DEFAULT_IMAGE.to_string())).unwrap();
    fs::create_dir_all(folder).unwrap();
    let write = |File { name, content }: File| {
        fs::write(folder.join(&name), content).unwrap();
        name
    };
    files.into_iter().map(write).collect()
}

/// A folder of programs that write their arguments, each ended by NUL, into `$NOTES`.
fn stand_ins(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for program in ["torchrun", "srun", "python3", "scontrol"] {
        let note = if program == "scontrol" { "printf 'first\\nsecond\\n'" } else { "printf '%s\\0' \"$@\" > \"$NOTES\"" };
        let path = folder.join(program);
        fs::write(&path, format!("#!/bin/bash\n{note}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder.to_path_buf()
}

fn succeeded(out: Output, what: &str) {
    assert!(out.status.success(), "{what}: {}", String::from_utf8_lossy(&out.stderr));
}

/// The arguments that the script hands to its engine.
fn handed_on(folder: &Path, script: &str, stand_ins: &Path) -> Vec<String> {
    let notes = folder.join("NOTES");
    let path = format!("{}:{}", stand_ins.display(), std::env::var("PATH").unwrap());
    let out = Command::new("bash")
        .args([script, "--given", "a b"])
        .current_dir(folder)
        .env("PATH", path)
        .env("NOTES", &notes)
        .envs([
            ("HEAD_NODE", "h"),
            ("SLURM_SUBMIT_DIR", "."),
            ("SLURM_JOB_NODELIST", "n"),
            ("SLURM_JOB_ID", "7"),
            ("SLURM_CPUS_ON_NODE", "2"),
        ])
        .output()
        .unwrap();
    succeeded(out, script);
    let notes = fs::read_to_string(&notes).unwrap_or_else(|error| panic!("{script} started no engine: {error}"));
    notes.split_terminator('\0').map(String::from).collect()
}

#[test]
fn scripts_hand_on_every_argument_unharmed() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch");
    let _ = fs::remove_dir_all(&root);
    let stand_ins = stand_ins(&root.join("bin"));
    let mut seen = 0;
    let names = hostile_names();
    for (number, name) in names.iter().enumerate() {
        for engine in Engine::ALL {
            let folder = root.join(number.to_string()).join(engine.key());
            for file in written(&folder, engine, name) {
                let Some((script, _)) = SCRIPTS.into_iter().find(|(script, _)| *script == file) else { continue };
                let arguments = handed_on(&folder, script, &stand_ins);
                let wanted = format!("--run-name={name}");
                assert_eq!(arguments.iter().filter(|argument| **argument == wanted).count(), 1, "{script} {name:?}: {arguments:?}");
                assert_eq!(arguments[arguments.len() - 2..], ["--given", "a b"], "{script}: {arguments:?}");
                assert!(!folder.join("HARM").exists(), "{script} ran {name:?}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, SCRIPTS.len() * names.len());
}

#[test]
fn python_can_parse_the_programs() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("python3 is not installed: not tested");
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch-python");
    let _ = fs::remove_dir_all(&root);
    let mut seen = 0;
    for engine in Engine::ALL {
        let folder = root.join(engine.key());
        for file in written(&folder, engine, &hostile_names()[1]).into_iter().filter(|file| file.ends_with(".py")) {
            let parse = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())";
            succeeded(Command::new("python3").args(["-c", parse, &file]).current_dir(&folder).output().unwrap(), &file);
            seen += 1;
        }
    }
    assert!(seen >= Engine::ALL.len() / 2, "{seen}");
}
