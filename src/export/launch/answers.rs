//! From the calculator's answers to the description that all engines share.

use super::plan::{Backend, LaunchPlan};
use crate::model::Estimate;
use crate::report::Answers;
use crate::scenario::Param;

/// Image of the Kubernetes files where none is named.
pub const DEFAULT_IMAGE: &str = "pytorch/pytorch:latest";

/// The launch plan of an estimate of these answers.
pub fn of_answers(answers: &Answers, estimate: &Estimate, name: String, image: String) -> LaunchPlan {
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
