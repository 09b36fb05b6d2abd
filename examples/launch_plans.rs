//! Writes the launch plans that `tests/launch/run.sh` starts into a folder: `cargo run --example launch_plans -- FOLDER`.

use crossover::export::launch::{Backend, Engine, File, LaunchPlan, files};
use crossover::model::{Precision, Recompute, Sharding};
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).ok_or_else(|| io::Error::other("expected a folder"))?;
    let folder = Path::new(&folder);
    let tiny = tiny();
    for (engine, gpus) in [(Engine::Torchrun, 2), (Engine::Slurm, 2), (Engine::Ray, 2), (Engine::Python, 1), (Engine::TensorFlow, 2)] {
        write(&folder.join(engine.key()), engine, &LaunchPlan { gpus_per_machine: gpus, dp: gpus, ..tiny.clone() })?;
    }
    let two = LaunchPlan { machines: 2, gpus_per_machine: 1, ..tiny.clone() };
    write(&folder.join("machines"), Engine::Torchrun, &two)?;
    for (kind, plan) in clusters() {
        for engine in [Engine::Kubernetes, Engine::KubeflowTrainer] {
            write(&folder.join("manifests").join(kind).join(engine.key()), engine, &plan)?;
        }
    }
    let (_, whole) = &clusters()[0];
    for (number, name) in hostile_names().iter().enumerate() {
        let plan = LaunchPlan { name: name.to_string(), tp: 2, dp: 8, ..whole.clone() };
        let lone = LaunchPlan { name: name.to_string(), ..tiny.clone() };
        let here = folder.join("hostile").join(number.to_string());
        for engine in Engine::ALL {
            write(&here.join(engine.key()), engine, if engine.one_machine() { &lone } else { &plan })?;
        }
        write(&here.join("mpi"), Engine::Torchrun, &LaunchPlan { backend: Backend::Mpi, ..plan })?;
        fs::write(here.join("name.json"), serde_json::to_string(name)?)?;
    }
    Ok(())
}

fn write(folder: &Path, engine: Engine, plan: &LaunchPlan) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for File { name, content } in files(engine, plan).map_err(io::Error::other)? {
        fs::write(folder.join(name), content)?;
    }
    Ok(())
}

/// Names that do harm where they are pasted. The proofs run under the first.
fn hostile_names() -> Vec<String> {
    serde_json::from_str(include_str!("../tests/launch/hostile-names.json")).unwrap_or_else(|error| panic!("hostile-names.json: {error}"))
}

/// A model for a CPU, over two processes with Gloo.
fn tiny() -> LaunchPlan {
    LaunchPlan {
        name: hostile_names().swap_remove(0),
        machines: 1,
        gpus_per_machine: 2,
        tp: 1,
        sequence_parallel: false,
        pp: 1,
        interleave: 1,
        cp: 1,
        ep: 1,
        dp: 2,
        micro_batch: 2,
        global_batch_seqs: 10,
        seq: 32,
        layers: 2,
        hidden: 64,
        heads: 4,
        kv_heads: 2,
        ffn: 128,
        vocab: 256,
        experts: 0,
        experts_per_token: 0,
        sharding: Sharding::None,
        recompute: Recompute::Selective,
        precision: Precision::Bf16,
        backend: Backend::Gloo,
        checkpoint_interval_steps: 10,
        steps: 60,
        expected_hours: 0.1,
        expected_failures: 0.0,
        image: "pytorch/pytorch:latest".to_string(),
    }
}

/// Plans whose manifests are validated: plain, split with experts, AMD, one machine.
fn clusters() -> [(&'static str, LaunchPlan); 4] {
    let plain = LaunchPlan {
        machines: 2,
        gpus_per_machine: 8,
        dp: 16,
        global_batch_seqs: 512,
        seq: 8192,
        layers: 32,
        hidden: 4096,
        heads: 32,
        kv_heads: 8,
        ffn: 14336,
        vocab: 128_256,
        sharding: Sharding::Hybrid,
        backend: Backend::Nccl,
        checkpoint_interval_steps: 250,
        steps: 10_000,
        expected_hours: 100.0,
        expected_failures: 2.2,
        ..tiny()
    };
    let split = LaunchPlan { tp: 4, dp: 4, ep: 4, experts: 8, experts_per_token: 2, precision: Precision::Fp8, ..plain.clone() };
    let amd = LaunchPlan { backend: Backend::Rccl, sharding: Sharding::Full, ..plain.clone() };
    let single = LaunchPlan { machines: 1, dp: 8, ..plain.clone() };
    [("plain", plain), ("split", split), ("amd", amd), ("single", single)]
}
