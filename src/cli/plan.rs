//! `crossover plan`: the best plans of the cluster, and which number of GPUs serves which wish.

use super::{Complaint, print, scenario, worked};
use crate::locale::Lang;
use crate::locale::quantity::{dollars, duration};
use crate::model::Estimate;
use crate::report::plans::{self, Objective};
use crate::report::sentences;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Value, json};
use std::fmt::Write;

/// The flags of `plan` beside the scenario's.
pub fn command(settings: impl Fn(Command) -> Command) -> Command {
    settings(Command::new("plan").about("Finds the best plans of the cluster, and the number of GPUs for an objective"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
        .arg(
            Arg::new("objective")
                .long("objective")
                .value_name("OBJECTIVE")
                .value_parser(["fastest", "cheapest"])
                .default_value("fastest")
                .help("What the number of GPUs is chosen by"),
        )
        .arg(Arg::new("within").long("within").value_name("HOURS").help("The cheapest number of GPUs that is done within so many hours"))
}

fn objective(matches: &ArgMatches) -> Result<Objective, Complaint> {
    if let Some(text) = matches.get_one::<String>("within") {
        let hours = text.parse::<f64>().ok().filter(|hours| hours.is_finite() && *hours > 0.0);
        return hours
            .map(|hours| Objective::Within(hours * 3600.0))
            .ok_or_else(|| Complaint::input([format!("--within: expected hours above 0, found `{text}`")]));
    }
    Ok(if matches.get_one::<String>("objective").is_some_and(|name| name == "cheapest") { Objective::Cheapest } else { Objective::Fastest })
}

/// Runs `plan`.
pub fn run(matches: &ArgMatches) -> Result<(), Complaint> {
    let (lang, scenario) = scenario(matches)?;
    let objective = objective(matches)?;
    let answers = worked(lang, &scenario)?;
    let best = plans::best(&answers.setup);
    let front = plans::front(&answers.by_gpus);
    let chosen = plans::choose(&front, objective);
    if matches.get_flag("json") {
        let rows: Vec<Value> = best.iter().zip(plans::rows(&best, lang)).map(|(estimate, row)| plan(estimate, &row.why)).collect();
        let value = json!({
            "schema": 1,
            "plans": rows,
            "front": front.iter().map(|estimate| point(estimate)).collect::<Vec<_>>(),
            "chosen": chosen.map(point),
        });
        print(&format!("{value:#}"))?;
    } else {
        print(&text(&best, &front, chosen, lang))?;
    }
    match (best.is_empty(), chosen) {
        (true, _) => Err(Complaint::input(sentences::remarks(&answers, lang))),
        (false, None) => Err(Complaint::input(["no number of GPUs of the sweep serves this objective".to_string()])),
        _ => Ok(()),
    }
}

fn plan(estimate: &Estimate, why: &str) -> Value {
    let plan = &estimate.plan;
    json!({
        "tp": plan.tp, "pp": plan.pp, "cp": plan.cp, "ep": plan.ep, "dp": plan.dp, "interleave": plan.interleave, "micro_batch": plan.micro_batch,
        "sharding": plan.sharding.key(), "recompute": plan.recompute.key(), "gpus": plan.gpus(),
        "step_s": estimate.step.total(), "time_s": estimate.time_s, "cost": estimate.bill.usd, "memory_bytes_per_gpu": estimate.memory.total(), "why": why,
    })
}

fn point(estimate: &Estimate) -> Value {
    json!({ "gpus": estimate.cluster.gpus, "time_s": estimate.time_s, "cost": estimate.bill.usd, "gpu_hours": estimate.bill.gpu_hours })
}

fn text(best: &[Estimate], front: &[&Estimate], chosen: Option<&Estimate>, lang: Lang) -> String {
    let mut out = String::new();
    for (rank, row) in plans::rows(best, lang).iter().enumerate() {
        let _ = writeln!(out, "{:>2}  {:<44} {:>12} {:>12}  {}", rank + 1, row.name, row.step, row.memory, row.why);
    }
    let cost = |estimate: &Estimate| {
        estimate.bill.usd.map_or_else(|| format!("{:.0} GPU-h", estimate.bill.gpu_hours), |usd| dollars(usd, 3, lang))
    };
    out.push('\n');
    for estimate in front {
        let mark = if chosen.is_some_and(|chosen| chosen.cluster.gpus == estimate.cluster.gpus) { "*" } else { " " };
        let _ = writeln!(out, "{mark} {:>8} GPUs {:>14} {:>14}", estimate.cluster.gpus, duration(estimate.time_s, 3, lang), cost(estimate));
    }
    out.trim_end().to_string()
}
