//! The command line: the same answers, and words for what is wrong.

use serde_json::Value;
use std::process::{Command, Output};

fn crossover(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crossover")).args(args).output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let out = crossover(&[&["estimate", "--json"], args].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

#[test]
fn both_sides_have_finite_figures() {
    let value = json(&[]);
    for side in ["single", "cluster"] {
        for key in ["time_s", "cost", "memory_bytes_per_gpu"] {
            assert!(value[side][key].as_f64().is_some_and(|v| v.is_finite() && v > 0.0), "{side}.{key}: {}", value[side][key]);
        }
        assert_eq!(value[side]["currency"], "USD");
        assert_eq!(value[side]["fits"], true);
        assert!(value[side]["plan"]["sharding"].is_string());
        let step = value[side]["step"].as_object().unwrap();
        let parts: f64 =
            step.iter().filter(|(key, _)| !["total_s", "hidden_comm_s"].contains(&key.as_str())).map(|(_, v)| v.as_f64().unwrap()).sum();
        assert!((parts / step["total_s"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let plain = json(&["--params", "7e9", "--tokens", "300e9"]);
    for (params, tokens) in [("7B", "300 Mrd."), ("7 Mrd.", "0.3T"), ("7,000,000,000", "300B")] {
        assert_eq!(json(&["--params", params, "--tokens", tokens])["cluster"], plain["cluster"], "{params} {tokens}");
    }
}

#[test]
fn more_bandwidth_and_gpus_reach_the_model() {
    let time = |args: &[&str]| json(args)["cluster"]["time_s"].as_f64().unwrap();
    // Left to itself the search lays a pipeline over the slow link; gathered weights cannot avoid it.
    assert!(time(&["--strategy", "fsdp", "--bandwidth", "1"]) > 2.0 * time(&["--strategy", "fsdp", "--bandwidth", "400"]));
    assert!(time(&["--gpus", "8"]) > 4.0 * time(&["--gpus", "64"]));
}

/// Each kind of bad input: exit code 2, words on stderr that name the key and what was expected.
#[test]
fn bad_input_gets_its_own_words() {
    for (args, words) in [
        (&["estimate", "--colour", "red"][..], "--colour"),
        (&["estimate", "--gpus", "2000000"], "gpus"),
        (&["estimate", "--gpus", "many"], "expected a whole number"),
        (&["estimate", "--params", ""], "the field is empty"),
        (&["estimate", "--gpu", "zx81"], "expected one of"),
        (&["estimate", "--tp", "3"], "does not divide 32 heads"),
        (&["estimate", "--tp", "8", "--pp", "16", "--gpus", "64"], "needs 128 GPUs"),
        (&["estimate", "--params", "1e13", "--gpus", "8"], "fits neither"),
        (&["estimate", "--params", "1e6", "--gpus", "1000000"], "More GPUs than the job can use"),
        (&["estimate", "--lang", "de", "--gpus", "viele"], "erwartet eine ganze Zahl"),
        (&["render", "pie"], "pie"),
        (&["render"], "CHART"),
        (&["sweep"], "--vary"),
        (&["sweep", "--vary", "gpus"], "KEY=FROM..TO:N"),
        (&["sweep", "--vary", "gpus=8..64"], "KEY=FROM..TO:N"),
        (&["sweep", "--vary", "gpus=8..64:0"], "1 to 1,000,000,000"),
        (&["sweep", "--vary", "gpus=8..64:many"], "found `many`"),
        (&["sweep", "--vary", "gpus=0..64:3"], "gpus"),
        (&["sweep", "--vary", "colour=1..2:3"], "there is no parameter `colour`"),
        (&["sweep", "--vary", "gpus=8..64:3", "--vary", "gpus=8..16:2"], "`gpus` is there twice"),
        (&["sweep", "--vary", "gpus=8..64:3", "--shard", "4/3"], "I/N with I from 1 to N"),
        (&["sweep", "--vary", "gpus=8..64:3", "--shard", "x"], "I/N with I from 1 to N"),
        (&["sweep", "--vary", "gpus=8..64:3", "--format", "xml"], "csv"),
    ] {
        let out = crossover(args);
        let stderr = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    }
}

#[test]
fn charts_are_rendered_as_svg() {
    for chart in ["time-gpus", "cost-gpus", "time-bandwidth", "cost-bandwidth"] {
        let out = crossover(&["render", chart, "--lang", "de"]);
        assert!(out.status.success());
        let svg = String::from_utf8(out.stdout).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("<title"), "{chart}");
        assert!(!svg.contains("NaN"));
    }
}

/// Together the shards are the whole sweep, line by line; and no progress bar is drawn where nobody looks.
#[test]
fn shards_add_up_to_the_whole() {
    let grid = ["sweep", "--vary", "params=1e8..1e11:7", "--vary", "gpus=8..1024:301"];
    let lines = |more: &[&str]| {
        let out = crossover(&[&grid[..], more].concat());
        let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success() && stderr.contains("a second on") && !stderr.contains('\r'), "{stderr}");
        String::from_utf8(out.stdout).unwrap().lines().skip(1).map(String::from).collect::<Vec<_>>()
    };
    let whole = lines(&[]);
    assert_eq!(whole.len(), 7 * 301);
    let parts: Vec<String> = ["1/3", "2/3", "3/3"].iter().flat_map(|shard| lines(&["--shard", shard])).collect();
    assert_eq!(parts, whole);
}

#[test]
fn a_sweep_in_json_has_a_valid_object_a_line_and_names_choices() {
    let out = crossover(&["sweep", "--format", "ndjson", "--vary", "gpu=a100-80gb-sxm..h100-sxm:2", "--vary", "gpus=8..64:2"]);
    let rows: Vec<Value> = String::from_utf8(out.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0]["gpu"], &rows[3]["gpu"]), (&Value::from("a100-80gb-sxm"), &Value::from("h100-sxm")));
    assert!(rows.iter().all(|row| row["cluster_time_s"].as_f64().is_some_and(|seconds| seconds > 0.0)));
}

/// Every command of the README does what it says: `cargo run` knows which program is meant, and each line is taken.
#[test]
fn the_commands_of_the_readme_run() {
    let manifest = include_str!("../Cargo.toml");
    assert!(manifest.lines().any(|line| line == "default-run = \"crossover\""), "cargo run has three programs to choose from");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&folder).unwrap();
    let lines: Vec<&str> = include_str!("../README.md").lines().filter_map(|line| line.strip_prefix("cargo run --release -- ")).collect();
    assert!(lines.len() >= 6, "{lines:?}");
    for line in lines {
        let words = shlex::split(line.split('>').next().unwrap()).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_crossover")).args(&words).current_dir(&folder).output().unwrap();
        assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
        assert!(!out.stdout.is_empty(), "{line} prints nothing");
    }
}
