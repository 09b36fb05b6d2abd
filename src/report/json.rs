//! The answers as JSON, on the command line and to take away from the page.

use super::{Answers, beyond, recovery, sentences};
use crate::locale::Lang;
use crate::model::Estimate;
use crate::scenario::{Kind, Param, Scenario, url};
use serde_json::{Map, Value, json};

/// Version of the JSON; it changes when a field changes its meaning.
const SCHEMA: u32 = 1;

/// The answers as JSON. Times in seconds, money in US dollars, sizes in bytes, energy in kilowatt-hours.
pub fn json(answers: &Answers) -> String {
    let value = json!({
        "schema": SCHEMA,
        "scenario": scenario(&answers.scenario),
        "link": url::write(&answers.scenario, &[]),
        "single": side(&answers.single),
        "cluster": side(&answers.cluster),
        "cluster_faster_from_gpus": answers.faster_from,
        "cluster_cheaper_from_gpus": answers.cheaper_from,
        "cluster_fits_from_gpus": answers.fits_from,
        "cluster_faster_from_gbit_per_s": answers.bandwidth_to_win,
        "recovery": recovery::figures(answers),
        "beyond": beyond::json(answers),
        "remarks": sentences::remarks(answers, Lang::En),
    });
    format!("{value:#}")
}

/// Every parameter with what holds: numbers as numbers, choices by key, `null` where the model decides.
fn scenario(scenario: &Scenario) -> Value {
    let pairs = Param::ALL.iter().map(|&param| {
        let value = match (param.row().kind, scenario.value(param)) {
            (_, None) => Value::Null,
            (Kind::Choice(_), Some(value)) => url::value_text(param, value).into(),
            (_, Some(value)) => value.into(),
        };
        (param.key().to_string(), value)
    });
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn side(e: &Estimate) -> Value {
    let (step, memory, plan) = (&e.step, &e.memory, &e.plan);
    json!({
        "gpus": e.cluster.gpus,
        "machines": e.cluster.machines(),
        "fits": e.fits,
        "time_s": e.time_s,
        "cost": e.bill.usd,
        "currency": "USD",
        "memory_bytes_per_gpu": memory.total(),
        "memory_capacity_bytes": e.cluster.device.memory_bytes,
        "plan": {
            "tp": plan.tp, "pp": plan.pp, "cp": plan.cp, "ep": plan.ep, "dp": plan.dp, "interleave": plan.interleave, "micro_batch": plan.micro_batch,
            "sharding": plan.sharding.key(), "recompute": plan.recompute.key(), "gpus": plan.gpus(), "idle_gpus": e.idle_gpus(),
        },
        "step": {
            "total_s": step.total(), "linear_s": step.linear, "experts_s": step.experts, "attention_s": step.attention, "elementwise_s": step.elementwise,
            "overhead_s": step.overhead, "tensor_comm_s": step.tensor_comm, "context_comm_s": step.context_comm, "expert_comm_s": step.expert_comm, "pipeline_comm_s": step.pipeline_comm,
            "data_comm_s": step.data_comm, "bubble_s": step.bubble, "optimizer_s": step.optimizer, "pressure_s": step.pressure, "hidden_comm_s": step.hidden,
        },
        "memory": {
            "weights_bytes": memory.weights, "gradients_bytes": memory.gradients, "optimizer_bytes": memory.optimizer,
            "gathered_bytes": memory.gathered, "activations_bytes": memory.activations, "logits_bytes": memory.logits,
            "reserved_bytes": memory.reserved,
        },
        "steps": e.steps,
        "step_seqs": e.step_seqs,
        "mfu": e.mfu,
        "gpu_hours": e.bill.gpu_hours,
        "energy_kwh": e.bill.kwh,
        "electricity_usd": e.bill.electricity_usd,
        "co2_kg": e.bill.co2_kg,
        "failures": e.failures,
        "goodput": e.uptime.goodput,
        "progresses": e.uptime.progresses,
        "checkpoint_interval_s": e.uptime.interval_s,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answers;

    #[test]
    fn it_says_its_schema_and_its_units_and_holds_both_sides() {
        let answers = answers(&Scenario::default()).unwrap();
        let value: Value = serde_json::from_str(&json(&answers)).unwrap();
        assert_eq!(value["schema"], SCHEMA);
        assert_eq!(value["cluster"]["time_s"], answers.cluster.time_s);
        assert_eq!(value["single"]["currency"], "USD");
        assert_eq!(value["beyond"].as_object().unwrap().len(), 6);
        assert!(value["beyond"]["low_bandwidth"]["sent_bytes_per_site"].as_f64().unwrap() > 0.0);
        assert_eq!(value["scenario"].as_object().unwrap().len(), Param::ALL.len());
    }
}
