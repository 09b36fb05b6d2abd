//! The plan as arguments of Megatron-LM's `pretrain_gpt.py`: what the small script cannot do.
//!
//! Source: megatron/training/arguments.py and docs of Megatron-FSDP (github.com/NVIDIA/Megatron-LM).

use super::{LaunchPlan, Layout};
use crate::model::{Precision, Recompute, Sharding};

/// Arguments, one line each: an option and its values.
pub fn arguments(plan: &LaunchPlan, layout: &Layout, folder: &str) -> Vec<Vec<String>> {
    let mut lines = Lines::default();
    parallelism(plan, &mut lines);
    sharding(plan, layout, &mut lines);
    model(plan, &mut lines);
    numbers(plan, &mut lines);
    lines.value("--micro-batch-size", plan.micro_batch);
    lines.value("--global-batch-size", shared_batch(plan));
    lines.value("--train-iters", plan.steps);
    for (option, value) in
        [("--lr", "3e-4"), ("--min-lr", "3e-5"), ("--lr-decay-style", "cosine"), ("--clip-grad", "1.0"), ("--weight-decay", "0.1")]
    {
        lines.value(option, value);
    }
    lines.value("--save-interval", plan.checkpoint_interval_steps);
    lines.value("--save", folder);
    lines.value("--load", folder);
    lines.value("--ckpt-format", if uses_fsdp(plan) { "fsdp_dtensor" } else { "torch_dist" });
    lines.value("--log-interval", 1);
    // Made data, as in the small script: replace both lines by --data-path and your tokenizer.
    lines.flag("--mock-data");
    lines.value("--tokenizer-type", "NullTokenizer");
    lines.0
}

#[derive(Default)]
struct Lines(Vec<Vec<String>>);

impl Lines {
    fn flag(&mut self, option: &str) {
        self.0.push(vec![option.to_string()]);
    }

    fn value(&mut self, option: &str, value: impl ToString) {
        self.0.push(vec![option.to_string(), value.to_string()]);
    }
}

fn parallelism(plan: &LaunchPlan, lines: &mut Lines) {
    lines.value("--tensor-model-parallel-size", plan.tp);
    // Megatron's experts want it wherever there is tensor parallelism.
    if (plan.sequence_parallel || plan.has_experts()) && plan.tp > 1 {
        lines.flag("--sequence-parallel");
    }
    lines.value("--pipeline-model-parallel-size", plan.pp);
    if plan.interleave > 1 && plan.pp > 1 {
        lines.value("--num-virtual-stages-per-pipeline-rank", plan.interleave);
    }
    lines.value("--context-parallel-size", plan.cp);
    if plan.has_experts() {
        lines.value("--expert-model-parallel-size", plan.ep);
    }
}

/// Whether gradients or weights are split too: the distributed optimizer alone splits optimizer states only.
pub fn uses_fsdp(plan: &LaunchPlan) -> bool {
    matches!(plan.sharding, Sharding::Zero2 | Sharding::Hybrid | Sharding::Full)
}

fn sharding(plan: &LaunchPlan, layout: &Layout, lines: &mut Lines) {
    if plan.sharding == Sharding::None {
        return;
    }
    lines.flag("--use-distributed-optimizer");
    lines.flag("--overlap-grad-reduce");
    lines.flag("--overlap-param-gather");
    if !uses_fsdp(plan) {
        return;
    }
    lines.flag("--use-megatron-fsdp");
    lines.flag("--no-gradient-accumulation-fusion");
    let strategy = if plan.sharding == Sharding::Zero2 { "optim_grads" } else { "optim_grads_params" };
    lines.value("--data-parallel-sharding-strategy", strategy);
    if plan.sharding == Sharding::Hybrid {
        lines.value("--num-distributed-optimizer-instances", groups(plan, layout));
        lines.value("--outer-dp-sharding-strategy", "no_shard");
    }
}

/// Groups that each hold one whole copy, a machine each where the degrees allow it. Megatron numbers ranks by tp first, then cp and dp.
fn groups(plan: &LaunchPlan, layout: &Layout) -> u64 {
    let replicas = u64::from(plan.cp) * u64::from(plan.dp);
    let inside = (u64::from(layout.per_machine) / u64::from(plan.tp)).clamp(1, replicas);
    let inside = (1..=inside).rev().find(|n| replicas.is_multiple_of(*n)).unwrap_or(1);
    replicas / inside
}

fn model(plan: &LaunchPlan, lines: &mut Lines) {
    lines.value("--num-layers", plan.layers);
    lines.value("--hidden-size", plan.hidden);
    lines.value("--num-attention-heads", plan.heads);
    if plan.kv_heads < plan.heads {
        lines.flag("--group-query-attention");
        lines.value("--num-query-groups", plan.kv_heads);
    }
    lines.value("--ffn-hidden-size", plan.ffn);
    if plan.has_experts() {
        lines.value("--num-experts", plan.experts);
        lines.value("--moe-router-topk", plan.experts_per_token.max(1));
        lines.value("--moe-ffn-hidden-size", plan.ffn);
        lines.value("--moe-token-dispatcher-type", "alltoall");
    }
    lines.value("--seq-length", plan.seq);
    lines.value("--max-position-embeddings", plan.seq);
    lines.value("--vocab-size", plan.vocab);
    lines.value("--position-embedding-type", "rope");
    lines.value("--normalization", "RMSNorm");
    for option in ["--swiglu", "--disable-bias-linear", "--untie-embeddings-and-output-weights"] {
        lines.flag(option);
    }
    for option in ["--attention-dropout", "--hidden-dropout"] {
        lines.value(option, 0.0);
    }
}

fn numbers(plan: &LaunchPlan, lines: &mut Lines) {
    match plan.precision {
        Precision::Bf16 => lines.flag("--bf16"),
        Precision::Fp16 => lines.flag("--fp16"),
        Precision::Fp8 => {
            lines.flag("--bf16");
            lines.value("--fp8-format", "hybrid");
        }
        Precision::Fp4 => {
            lines.flag("--bf16");
            lines.value("--fp4-format", "e2m1");
        }
        Precision::Fp32 => {}
    }
    match plan.recompute {
        Recompute::None => {}
        Recompute::Selective => lines.value("--recompute-granularity", "selective"),
        Recompute::Full => {
            lines.value("--recompute-granularity", "full");
            lines.value("--recompute-method", "uniform");
            lines.value("--recompute-num-layers", 1);
        }
    }
}

/// The batch in equal shares: Megatron takes only multiples of micro-batch times copies.
fn shared_batch(plan: &LaunchPlan) -> u64 {
    let pass = u64::from(plan.micro_batch) * u64::from(plan.dp);
    plan.global_batch_seqs.div_ceil(pass) * pass
}
