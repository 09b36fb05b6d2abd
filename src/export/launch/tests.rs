use super::*;
use crate::locale::{Lang, Text};
use crate::model::{Precision, Recompute, Sharding};

/// Two machines of eight GPUs, FSDP inside each.
pub fn plan() -> LaunchPlan {
    LaunchPlan {
        name: "Llama 8B".to_string(),
        machines: 2,
        gpus_per_machine: 8,
        tp: 1,
        sequence_parallel: false,
        pp: 1,
        interleave: 1,
        cp: 1,
        ep: 1,
        dp: 16,
        micro_batch: 2,
        global_batch_seqs: 512,
        seq: 8192,
        layers: 32,
        hidden: 4096,
        heads: 32,
        kv_heads: 8,
        ffn: 14336,
        vocab: 128_256,
        experts: 0,
        experts_per_token: 0,
        sharding: Sharding::Hybrid,
        recompute: Recompute::Selective,
        precision: Precision::Bf16,
        backend: Backend::Nccl,
        checkpoint_interval_steps: 250,
        steps: 10_000,
        expected_hours: 100.0,
        expected_failures: 2.2,
        image: "pytorch/pytorch:latest".to_string(),
    }
}

fn one_machine() -> LaunchPlan {
    LaunchPlan { machines: 1, dp: 8, ..plan() }
}

fn split() -> LaunchPlan {
    LaunchPlan { tp: 4, sequence_parallel: true, pp: 2, interleave: 2, dp: 2, sharding: Sharding::Zero1, ..plan() }
}

fn file(engine: Engine, plan: &LaunchPlan, name: &str) -> String {
    let files = files(engine, plan).unwrap_or_else(|error| panic!("{engine:?}: {error}"));
    files.into_iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{engine:?} has no {name}")).content
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

/// Texts that do harm where they are pasted.
pub fn hostile_names() -> Vec<String> {
    serde_json::from_str(include_str!("../../../tests/launch/hostile-names.json")).unwrap()
}

#[test]
fn keys_lead_back_to_their_engine() {
    for engine in Engine::ALL {
        assert_eq!(Engine::from_key(engine.key()), Some(engine));
    }
    assert_eq!(Engine::from_key("cobol"), None);
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    for engine in Engine::ALL {
        let plan = one_machine();
        assert_eq!(files(engine, &plan), files(engine, &plan));
        for file in files(engine, &plan).unwrap() {
            assert!(file.content.ends_with('\n') && !file.content.ends_with("\n\n"), "{}", file.name);
        }
    }
}

#[test]
fn torchrun_gets_machines_processes_and_the_failure_model() {
    let text = file(Engine::Torchrun, &plan(), "torchrun.sh");
    has(
        &text,
        &[
            "    --nnodes=2 --nproc-per-node=8 --max-restarts=8 \\\n",
            "--rdzv-endpoint=\"$HEAD_NODE:${HEAD_PORT:-29500}\"",
            "    '--run-name=Llama 8B' \\\n",
            "--micro-batch 2 --global-batch 512 --steps 10000 ",
            "--sharding hsdp --recompute selective --precision bf16 ",
            "--shard-within 8 ",
            "--checkpoint-every 250 ",
            "export NCCL_SOCKET_IFNAME='^lo,docker0'\n",
        ],
    );
    let alone = file(Engine::Torchrun, &one_machine(), "torchrun.sh");
    has(&alone, &["    --standalone --nproc-per-node=8 "]);
    assert!(!alone.contains("HEAD_NODE"));
}

#[test]
fn slurm_gets_its_directives_first() {
    let text = file(Engine::Slurm, &plan(), "train.sbatch");
    has(&text, &["#SBATCH --nodes=2\n", "#SBATCH --ntasks-per-node=1\n", "#SBATCH --gpus-per-node=8\n", "#SBATCH --time=5-01:00:00\n"]);
    let directives = text.lines().skip(1).take_while(|line| line.starts_with("#SBATCH ")).count();
    assert_eq!(directives, text.matches("#SBATCH").count(), "a directive after the first command would be ignored");
    let mpi = file(Engine::Slurm, &LaunchPlan { backend: Backend::Mpi, ..plan() }, "train.sbatch");
    has(&mpi, &["#SBATCH --ntasks-per-node=8\n", "srun --mpi=pmix ", "--backend mpi "]);
    assert!(!mpi.contains("torchrun"));
}

#[test]
fn kubernetes_gets_a_job_and_a_headless_service() {
    let text = file(Engine::Kubernetes, &plan(), "kubernetes.yaml");
    has(
        &text,
        &[
            "  clusterIP: None\n",
            "  completionMode: Indexed\n",
            "  completions: 2\n",
            "            - --rdzv-endpoint=llama-8b-0.llama-8b:29500\n",
            "              nvidia.com/gpu: \"8\"\n",
            "            - \"--run-name=Llama 8B\"\n",
            "      storage: 270Gi\n",
        ],
    );
    let amd = file(Engine::Kubernetes, &LaunchPlan { backend: Backend::Rccl, ..plan() }, "kubernetes.yaml");
    has(&amd, &["amd.com/gpu: \"8\"", "- \"nccl\""]);
}

#[test]
fn kubeflow_gets_both_forms() {
    let files = files(Engine::KubeflowTrainer, &plan()).unwrap();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["trainjob.yaml", "pytorchjob.yaml", "train.py"]);
    has(&files[0].content, &["kind: TrainJob\n", "    numNodes: 2\n", "    numProcPerNode: 8\n"]);
    has(&files[1].content, &["kind: PyTorchJob\n", "  nprocPerNode: \"8\"\n", "    minReplicas: 2\n"]);
}

#[test]
fn one_machine_needs_no_launcher() {
    has(&file(Engine::Python, &LaunchPlan { dp: 1, ..one_machine() }, "run.sh"), &["exec python3 train.py \\\n"]);
    has(&file(Engine::Python, &one_machine(), "run.sh"), &["exec python3 -m torch.distributed.run --standalone --nproc-per-node=8 "]);
    let tf = file(Engine::TensorFlow, &one_machine(), "run_tf.sh");
    has(&tf, &["exec python3 train_tf.py \\\n", "--gpus 8 "]);
    assert!(!tf.contains("--sharding"));
}

#[test]
fn a_plan_that_splits_the_model_says_what_megatron_wants() {
    let args = file(Engine::Torchrun, &split(), "megatron-args.sh");
    has(
        &args,
        &[
            "    --tensor-model-parallel-size 4\n    --sequence-parallel\n    --pipeline-model-parallel-size 2\n",
            "    --num-virtual-stages-per-pipeline-rank 2\n",
            "    --use-distributed-optimizer\n",
            "    --group-query-attention\n    --num-query-groups 8\n",
            "    --recompute-granularity selective\n",
            "    --global-batch-size 512\n",
            "    --save-interval 250\n",
            "export CUDA_DEVICE_MAX_CONNECTIONS=1\n",
        ],
    );
    assert!(!args.contains("fsdp"));
    has(&file(Engine::Torchrun, &split(), "torchrun.sh"), &["megatron-args.sh", "tp 4, pp 2, cp 1, ep 1, dp 2"]);
    assert!(files(Engine::Torchrun, &plan()).unwrap().iter().all(|file| file.name != "megatron-args.sh"));
}

#[test]
fn megatron_shards_inside_a_machine_where_the_plan_does() {
    let plan = LaunchPlan { tp: 2, dp: 8, experts: 8, experts_per_token: 2, ep: 4, precision: Precision::Fp8, ..plan() };
    let args = file(Engine::Slurm, &plan, "megatron-args.sh");
    has(
        &args,
        &[
            "--data-parallel-sharding-strategy optim_grads_params\n    --num-distributed-optimizer-instances 2\n",
            "--ckpt-format fsdp_dtensor\n",
            "--num-experts 8\n    --moe-router-topk 2\n",
            "--expert-model-parallel-size 4\n",
            "--bf16\n    --fp8-format hybrid\n",
        ],
    );
    has(&args, &["--tensor-model-parallel-size 2\n    --sequence-parallel\n", "\nunset CUDA_DEVICE_MAX_CONNECTIONS\n"]);
    assert!(!args.contains("CUDA_DEVICE_MAX_CONNECTIONS=1"));
}

#[test]
fn the_plan_takes_as_few_machines_as_it_can() {
    let layout = |machines, gpus_per_machine, dp| LaunchPlan { machines, gpus_per_machine, dp, ..plan() }.layout();
    assert_eq!(layout(4, 8, 16), Ok(Layout { machines: 2, per_machine: 8 }));
    assert_eq!(layout(2, 8, 12), Ok(Layout { machines: 2, per_machine: 6 }));
    assert_eq!(layout(2, 8, 11), Err(LaunchError::Uneven { gpus: 11, machines: 2, gpus_per_machine: 8 }));
    assert_eq!(layout(2, 8, 17), Err(LaunchError::TooFewGpus { needed: 17, there: 16 }));
    assert_eq!(layout(0, 8, 1), Err(LaunchError::Zero { field: Text { de: "Maschinen", en: "machines" } }));
    let huge = LaunchPlan { tp: u32::MAX, pp: u32::MAX, cp: u32::MAX, ..plan() };
    assert!(matches!(huge.layout(), Err(LaunchError::TooFewGpus { .. })));
}

#[test]
fn what_cannot_be_started_is_an_error_with_words() {
    let error = |engine, plan: &LaunchPlan| files(engine, plan).unwrap_err().to_string();
    assert_eq!(error(Engine::Python, &plan()), "Python starts processes on one machine, but the plan uses 2");
    assert_eq!(error(Engine::Slurm, &LaunchPlan { heads: 30, ..plan() }), "hidden: 4096 is not divisible by heads (30)");
    assert_eq!(
        error(Engine::Slurm, &LaunchPlan { name: "a\0b".to_string(), ..plan() }),
        "name: holds a NUL character, which no program can be given"
    );
    assert!(error(Engine::Slurm, &LaunchPlan { expected_hours: f64::NAN, ..plan() }).ends_with("found NaN"));
    assert!(error(Engine::Slurm, &LaunchPlan { expected_failures: -1.0, ..plan() }).ends_with("found -1"));
    assert!(error(Engine::Ray, &LaunchPlan { backend: Backend::Mpi, ..plan() }).starts_with("Ray Train starts no MPI processes"));
    let german = |plan: &LaunchPlan| files(Engine::Slurm, plan).unwrap_err().words(Lang::De);
    assert_eq!(german(&LaunchPlan { heads: 30, ..plan() }), "Breite: 4096 ist nicht teilbar durch Köpfe (30)");
    assert_eq!(german(&LaunchPlan { image: " ".to_string(), ..plan() }), "Container-Image: ist leer");
}

#[test]
fn hostile_texts_stay_one_word_or_one_string() {
    for text in &hostile_names() {
        let image = if text.trim().is_empty() { "i" } else { text };
        let plan = LaunchPlan { name: text.to_string(), image: image.to_string(), ..split() };
        let lone = LaunchPlan { machines: 1, dp: 1, ..plan.clone() };
        for engine in Engine::ALL {
            let plan = if engine.one_machine() { &lone } else { &plan };
            for file in files(engine, plan).unwrap_or_else(|error| panic!("{engine:?} {text:?}: {error}")) {
                check(&file, text, image);
            }
        }
    }
}

/// A shell's words are read back with a shell's parser; strings of YAML and Python are ASCII and hold the text escaped.
fn check(file: &File, name: &str, image: &str) {
    let wanted = format!("--run-name={name}");
    if file.name == "megatron-args.sh" || file.name == "train.py" || file.name == "train_tf.py" {
        assert!(file.content.is_ascii());
    } else if file.name.ends_with(".sh") || file.name.ends_with(".sbatch") {
        let words = shlex::split(&file.content.replace("\\\n", " ")).unwrap_or_else(|| panic!("{} does not parse", file.name));
        assert!(words.contains(&wanted), "{wanted:?} is no word of {}", file.name);
    } else {
        assert!(file.content.is_ascii(), "{}", file.name);
        let quoted = if file.name.ends_with(".py") { quote::escaped(&wanted) } else { quote::escaped(&wanted.replace('$', "$$")) };
        assert!(
            file.content.lines().any(|line| line.trim().trim_start_matches("- ").trim_end_matches(',') == quoted),
            "{quoted} is no line of {}",
            file.name
        );
        if file.name.ends_with(".yaml") {
            assert!(file.content.contains(&format!("image: {}\n", quote::escaped(image))));
        }
    }
}
