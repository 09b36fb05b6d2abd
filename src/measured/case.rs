//! A measured row as the model takes it: job, cluster, plan, software.

use super::row::Row;
use crate::catalog::{self, Gpu, StackRow};
use crate::model::{Cluster, Job, Link, Plan, Precision, Recompute, Sharding, States};

/// Share of a data sheet's link between GPUs that large messages reach; the stacks' constants are relative to it, as in the calculator.
const INNER_SHARE: &catalog::Constant = &catalog::NVLINK_SHARE;

/// Share of an InfiniBand network's line rate that large messages reach (`data/networks.csv`, HDR and NDR rows).
pub const OUTER_SHARE: f64 = 0.85;

/// Latency between machines, seconds: InfiniBand's own and what NCCL adds (`data/networks.csv`, `data/backends.csv`).
const OUTER_LATENCY_S: f64 = 7e-6;

/// Gbit/s per GPU where a row does not say: InfiniBand NDR.
const DEFAULT_NETWORK_GBIT: f64 = 400.0;

/// Vocabulary where a row does not say: GPT-2's, rounded up to a multiple of 64 (arXiv 1909.08053).
const DEFAULT_VOCAB: f64 = 50_304.0;

/// A row, ready to be predicted.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What was trained.
    pub job: Job,
    /// On what.
    pub cluster: Cluster,
    /// How.
    pub plan: Plan,
    /// With what.
    pub stack: &'static StackRow,
    /// On which GPU.
    pub gpu: &'static Gpu,
}

/// The key in the catalogue of a GPU as runs name it.
fn gpu_key(name: &str) -> String {
    match name {
        "A100-80GB" => "a100-80gb-sxm".to_string(),
        "A100-40GB" => "a100-40gb-sxm".to_string(),
        "H100-80GB" | "H800" => "h100-sxm".to_string(),
        "H100-96GB-HBM2e-500W" => "h100-96gb".to_string(),
        "H200" => "h200-sxm".to_string(),
        "B200" => "b200-sxm".to_string(),
        "B300" => "b300-sxm".to_string(),
        other => other.to_lowercase(),
    }
}

/// The accelerator that a row names.
///
/// # Errors
/// If the catalogue has none of this name.
pub fn gpu(name: &str) -> Result<&'static Gpu, String> {
    let key = gpu_key(name);
    let found = catalog::GPUS.iter().find(|gpu| gpu.id == key || gpu.id == format!("{key}-sxm"));
    found.ok_or_else(|| format!("expected a GPU of data/gpus.csv, found `{name}`"))
}

/// The software stack behind a row: by its framework; by its source where the framework does not tell.
pub fn stack_key(row: &Row) -> &'static str {
    let framework = row.framework.as_deref().unwrap_or_default();
    let has = |word: &str| framework.contains(word);
    let machine = row.gpus_per_node.unwrap_or(8);
    if has("MaxText") || has("Paxml") {
        "xla"
    } else if has("Megatron-Bridge") {
        if has("container 25") { "bridge-2025" } else { "bridge-2026" }
    } else if has("torchtitan") || has("AutoModel") {
        "torchtitan"
    } else if has("FSDP") || row.source.starts_with("foundry") {
        "fsdp"
    } else if has("TE 2.11") {
        "megatron-te"
    } else if has("Megatron-LM 202") || has("DeepSpeed ZeRO-3") || row.source.starts_with("mt-nlg") || row.source.starts_with("bigscience")
    {
        "megatron-2021"
    } else if has("Megatron-DeepSpeed") {
        if row.num_gpus <= machine { "megatron-deepspeed-single" } else { "megatron-deepspeed" }
    } else {
        "megatron-core"
    }
}

fn precision(row: &Row) -> Result<Precision, String> {
    Ok(match row.precision.as_deref().unwrap_or("bf16") {
        "bf16" => Precision::Bf16,
        "fp16" => Precision::Fp16,
        "fp8" | "mxfp8" => Precision::Fp8,
        "nvfp4" | "fp4" => Precision::Fp4,
        "fp32" | "tf32" => Precision::Fp32,
        other => return Err(format!("`precision` is `{other}`, expected bf16, fp16, fp8, nvfp4 or fp32")),
    })
}

fn plan(row: &Row, stack: &str) -> Result<Plan, String> {
    let degree = |value: Option<u32>| value.unwrap_or(1);
    let (tp, pp, cp, ep) = (degree(row.tp), degree(row.pp), degree(row.cp), degree(row.ep));
    let used = u64::from(tp) * u64::from(pp) * u64::from(cp);
    if used > u64::from(row.num_gpus) {
        return Err(format!("tp · pp · cp is {used}, expected at most the {} GPUs", row.num_gpus));
    }
    // Checked to be at most the number of GPUs.
    let dp = row.dp.unwrap_or(row.num_gpus / used as u32).max(1);
    let per_copy = (row.global_batch_seqs / f64::from(dp)).max(1.0);
    // Recipes with a pipeline that do not tell their schedule interleave as far as their layers allow, six chunks at most.
    let tells_schedule = !["megatron-core", "bridge-2025", "bridge-2026"].contains(&stack);
    let unsaid = if pp > 1 && !tells_schedule { (row.layers / pp).clamp(1, 6) } else { 1 };
    Ok(Plan {
        tp,
        sequence_parallel: row.sequence_parallel.unwrap_or(false) && tp > 1,
        pp,
        interleave: row.interleave.unwrap_or(unsaid),
        cp,
        ep,
        dp,
        // No micro-batch is larger than a copy's share of the batch.
        micro_batch: row.micro_batch_seqs.unwrap_or(1).min(per_copy as u32).max(1),
        sharding: match row.sharding.as_deref() {
            None if stack.starts_with("bridge") => Sharding::Zero1,
            None | Some("none" | "ddp") => Sharding::None,
            Some("zero1") => Sharding::Zero1,
            Some("zero2") => Sharding::Zero2,
            Some("zero3" | "fsdp") => Sharding::Full,
            Some("hsdp") => Sharding::Hybrid,
            Some(other) => return Err(format!("`sharding` is `{other}`, expected ddp, zero1, zero2, zero3, hsdp or none")),
        },
        recompute: match row.recompute.as_deref() {
            None | Some("none") => Recompute::None,
            Some("selective") => Recompute::Selective,
            Some("full") => Recompute::Full,
            Some(other) => return Err(format!("`recompute` is `{other}`, expected none, selective or full")),
        },
    })
}

/// Parameters of a layer: what every token passes, and all experts.
fn layer_params(row: &Row, heads: f64, kv_heads: f64, ffn: f64, matrices: f64, vocab: f64) -> (f64, f64) {
    let (layers, hidden) = (f64::from(row.layers), f64::from(row.hidden));
    let attention = hidden * hidden * (2.0 + 2.0 * kv_heads / heads);
    let mlp = matrices * ffn * hidden;
    let Some(experts) = row.experts.filter(|&experts| experts > 1) else { return (attention + mlp, 0.0) };
    let active = f64::from(row.experts_per_token.unwrap_or(1)) * mlp;
    // Shared experts and dense layers are in the parameters only: what a token passes besides its experts.
    let dense = row.active_params.map_or(attention, |params| attention.max((params - vocab * hidden) / layers - active));
    let all = f64::from(experts) * mlp;
    let all = row.params.map_or(all, |params| all.min(active.max((params - 2.0 * vocab * hidden) / layers - dense)));
    (dense, all)
}

/// The row as the model takes it.
///
/// # Errors
/// If the row names what the model does not know, in words.
pub fn case(row: &Row) -> Result<Case, String> {
    let key = stack_key(row);
    let stack =
        catalog::STACKS.iter().find(|stack| stack.id == key).ok_or_else(|| format!("expected a stack `{key}` in data/stacks.csv"))?;
    let gpu = gpu(&row.gpu)?;
    let precision = precision(row)?;
    let (layers, hidden) = (f64::from(row.layers), f64::from(row.hidden));
    let heads = row.heads.map_or((hidden / 128.0).floor().max(1.0), f64::from);
    let kv_heads = row.kv_heads.map_or(heads, f64::from).min(heads);
    let ffn = row.ffn_hidden.map_or(4.0 * hidden, f64::from);
    let matrices = if row.gated_mlp.unwrap_or(false) { 3.0 } else { 2.0 };
    let vocab = row.vocab.map_or(DEFAULT_VOCAB, f64::from);
    let (layer_dense, layer_experts) = layer_params(row, heads, kv_heads, ffn, matrices, vocab);
    let (experts, experts_per_token) =
        if layer_experts > 0.0 { (f64::from(row.experts.unwrap_or(1)), f64::from(row.experts_per_token.unwrap_or(1))) } else { (1.0, 1.0) };
    // A token passes its own experts: what all of them amount to is spread evenly.
    let job = Job {
        params: layers * (layer_dense + layer_experts) + 2.0 * vocab * hidden,
        layers,
        hidden,
        heads,
        kv_heads,
        ffn,
        mlp_matrices: matrices,
        vocab,
        layer_dense,
        layer_experts,
        experts,
        experts_per_token,
        seq: f64::from(row.seq_len),
        batch_seqs: row.global_batch_seqs,
        tokens: row.global_batch_seqs * f64::from(row.seq_len),
        precision,
        fused_attention: row.fused_attention.unwrap_or(true),
        compiled: row.compiled.unwrap_or(false),
        // These stacks accumulate gradients in fp32.
        states: States { gradient: 4.0, ..States::ADAM },
    };
    let inner = row.intra_node_gbyte_per_s_one_direction.map_or(gpu.link_bytes_per_s, |rate| rate * 1e9);
    let outer = row.inter_node_gbit_per_gpu.unwrap_or(DEFAULT_NETWORK_GBIT) / 8.0 * 1e9;
    let cluster = Cluster {
        gpus: row.num_gpus,
        per_machine: row.gpus_per_node.unwrap_or(8),
        device: gpu.device(precision).ok_or_else(|| format!("{} has no units for `precision`", gpu.name))?,
        inner: Link { bytes_per_s: inner * INNER_SHARE.value, latency_s: catalog::NVLINK_LATENCY.value },
        outer: Link { bytes_per_s: outer * OUTER_SHARE, latency_s: OUTER_LATENCY_S },
        servers: None,
    };
    Ok(Case { job, cluster, plan: plan(row, key)?, stack, gpu })
}
