//! Whole published runs: predicted GPU-hours against reported ones.

use super::case::gpu;
use crate::catalog;
use crate::model::{Cluster, Job, Limits, Link, Overlap, Precision, States, search};
use serde::Serialize;

/// A published run beside the model's prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Total {
    /// Key of the row.
    pub id: String,
    /// Model.
    pub model: String,
    /// GPU.
    pub gpu: String,
    /// GPUs in the prediction; reported or assumed.
    pub gpus: u32,
    /// Whether the number of GPUs was reported.
    pub gpus_reported: bool,
    /// Reported GPU-hours.
    pub reported: f64,
    /// Predicted GPU-hours, without failures, restarts and evaluations.
    pub predicted: f64,
}

/// GPUs where a run does not say: the cost of communication hardly depends on it between some hundred and a thousand.
const ASSUMED_GPUS: u32 = 512;

/// Tokens of a step that such runs use (arXiv 2307.09288, 2407.21783: four million).
const BATCH_TOKENS: f64 = 4_194_304.0;

/// Network between the machines of such runs, bytes per second and GPU: InfiniBand HDR on A100, NDR on H100, what is reached of it.
fn network(gpu: &str) -> f64 {
    let gbit = if gpu.starts_with("a100") { 200.0 } else { 400.0 };
    gbit / 8.0 * 1e9 * 0.85
}

/// Predicts every run of the file that states what is needed; returns them with the number of the others.
///
/// # Errors
/// If the text is no CSV or lacks a column.
pub fn read(text: &str) -> Result<(Vec<Total>, usize), String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column =
        |name: &str| headers.iter().position(|header| header == name).ok_or_else(|| format!("expected a column `{name}`, found none"));
    let names = ["id", "model", "params", "active_params", "layers", "hidden", "seq_len", "tokens", "gpu", "num_gpus", "gpu_hours"];
    let at: Vec<usize> = names.iter().map(|name| column(name)).collect::<Result<_, _>>()?;
    let (mut totals, mut skipped) = (Vec::new(), 0);
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let text = |name: usize| record.get(at[name]).unwrap_or_default();
        let number = |name: usize| text(name).parse::<f64>().ok().filter(|value| *value > 0.0);
        let predicted = match (number(2), number(4), number(5), number(7), number(10), gpu(text(8))) {
            // A mixture of experts needs its experts' widths, which these rows do not give.
            (Some(params), Some(layers), Some(hidden), Some(tokens), Some(reported), Ok(gpu))
                if number(3).is_none_or(|active| active == params) =>
            {
                let gpus = number(9).map_or(ASSUMED_GPUS, |gpus| gpus as u32);
                predict(params, layers, hidden, number(6).unwrap_or(2048.0), tokens, gpu, gpus).map(|predicted| Total {
                    id: text(0).to_string(),
                    model: text(1).to_string(),
                    gpu: text(8).to_string(),
                    gpus,
                    gpus_reported: number(9).is_some(),
                    reported,
                    predicted,
                })
            }
            _ => None,
        };
        match predicted {
            Some(total) => totals.push(total),
            None => skipped += 1,
        }
    }
    Ok((totals, skipped))
}

fn predict(params: f64, layers: f64, hidden: f64, seq: f64, tokens: f64, gpu: &'static catalog::Gpu, gpus: u32) -> Option<f64> {
    let vocab = 32_000.0;
    let heads = (hidden / 128.0).round().max(1.0);
    let layer = (params - (2.0 * vocab * hidden).min(params / 2.0)) / layers;
    let job = Job {
        params,
        layers,
        hidden,
        heads,
        kv_heads: heads,
        ffn: 8.0 / 3.0 * hidden,
        mlp_matrices: 3.0,
        vocab,
        layer_dense: layer,
        layer_experts: 0.0,
        experts: 1.0,
        experts_per_token: 1.0,
        seq,
        batch_seqs: (BATCH_TOKENS / seq).round().max(1.0),
        tokens,
        precision: if gpu.peak_bf16.is_some() { Precision::Bf16 } else { Precision::Fp16 },
        fused_attention: true,
        compiled: false,
        states: States::ADAM,
    };
    let cluster = Cluster {
        gpus,
        per_machine: 8,
        device: gpu.device(job.precision)?,
        inner: Link { bytes_per_s: gpu.link_bytes_per_s * catalog::NVLINK_SHARE.value, latency_s: catalog::NVLINK_LATENCY.value },
        outer: Link { bytes_per_s: network(gpu.id), latency_s: 7e-6 },
        servers: None,
    };
    let stack = catalog::STACKS.first()?.on(gpu.id);
    let found = search(&job, &cluster, &Limits::FREE, &stack, Overlap::Realistic).filter(|found| found.fits)?;
    Some(found.seq_s * tokens / seq * f64::from(found.plan.gpus()) / 3600.0)
}
