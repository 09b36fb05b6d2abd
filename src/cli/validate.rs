//! `crossover validate`, its relatives for whole runs and collectives, and `crossover fit`: predictions against measured runs, and the constants from them.

use super::{Complaint, print};
use crate::measured::fit::{self, Constants, Fitted, is_fitted};
use crate::measured::row::{self, Measured};
use crate::measured::score::{Score, quantile};
use crate::measured::validate::{Predicted, Report, bands, committed, of_fit, predict, report};
use crate::measured::{collectives, totals};
use crate::model::stack::{CONSTANTS, Stack};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The flags of `validate`.
pub fn validate_command() -> Command {
    Command::new("validate")
        .about("Predicts measured runs, each with its own plan, and prints the error of each source")
        .arg(
            Arg::new("file")
                .value_name("FILE.csv")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Runs in the columns of data/measured/steps.csv"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON; shares, not percents"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("ROWS.csv")
                .value_parser(value_parser!(PathBuf))
                .help("Write each row with its prediction"),
        )
        .arg(Arg::new("leave-out").long("leave-out").value_name("SOURCE").help("Fit without this source, and predict it alone"))
        .arg(
            Arg::new("rows")
                .long("rows")
                .value_name("WHICH")
                .value_parser(["all", "fit", "test"])
                .default_value("all")
                .help("All rows, those that the constants are fitted to, or the others"),
        )
}

/// The flags of `fit`.
pub fn fit_command() -> Command {
    Command::new("fit")
        .about("Fits the stacks' constants to data/measured/steps.csv and prints them as data/stack-constants.csv")
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("FOLDER")
                .default_value("data")
                .value_parser(value_parser!(PathBuf))
                .help("The data folder"),
        )
        .arg(Arg::new("write").long("write").action(ArgAction::SetTrue).help("Write stack-constants.csv and bands.csv into it"))
}

/// The flags of `validate-totals`.
pub fn totals_command() -> Command {
    with_file(Command::new("validate-totals").about("Predicts the GPU-hours of whole published runs"), "data/measured/totals.csv")
}

/// The flags of `validate-collectives`.
pub fn collectives_command() -> Command {
    with_file(
        Command::new("validate-collectives").about("Compares the all-reduce law with measured curves"),
        "data/measured/collectives.csv",
    )
}

fn with_file(command: Command, default: &'static str) -> Command {
    command
        .arg(Arg::new("file").value_name("FILE.csv").default_value(default).value_parser(value_parser!(PathBuf)).help("The measured runs"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON; shares, not percents"))
}

/// Runs `validate-totals`.
pub fn run_totals(matches: &ArgMatches) -> Result<(), Complaint> {
    let Some(file) = matches.get_one::<PathBuf>("file") else { return Ok(()) };
    let (totals, skipped) = totals::read(&text(file)?).map_err(|words| Complaint::input([format!("{}: {words}", file.display())]))?;
    if totals.is_empty() {
        return Err(Complaint::input([format!(
            "{}: expected at least one run that states model, tokens, GPU and GPU-hours, found none",
            file.display()
        )]));
    }
    if matches.get_flag("json") {
        return print(&json(&totals)?);
    }
    let mut out = format!("{:<34}{:<14}{:>8}{:>14}{:>14}{:>9}\n", "run", "gpu", "gpus", "reported h", "predicted h", "error %");
    let mut errors = Vec::new();
    for total in &totals {
        let error = total.predicted / total.reported - 1.0;
        errors.push(error.abs());
        let gpus = format!("{}{}", total.gpus, if total.gpus_reported { "" } else { "?" });
        let _ = writeln!(
            out,
            "{:<34}{:<14}{gpus:>8}{:>14.3e}{:>14.3e}{:>9.1}",
            total.id,
            total.gpu,
            total.reported,
            total.predicted,
            error * 100.0
        );
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let _ = writeln!(
        out,
        "{} runs: mean error {:.1} %, median {:.1} %; ? marks an assumed number of GPUs; {skipped} rows state too little",
        totals.len(),
        mean * 100.0,
        quantile(&errors, 0.5) * 100.0
    );
    print(out.trim_end())
}

/// Runs `validate-collectives`.
pub fn run_collectives(matches: &ArgMatches) -> Result<(), Complaint> {
    let Some(file) = matches.get_one::<PathBuf>("file") else { return Ok(()) };
    let systems = collectives::read(&text(file)?).map_err(|words| Complaint::input([format!("{}: {words}", file.display())]))?;
    let judged = collectives::judge(&systems);
    if judged.is_empty() {
        return Err(Complaint::input([format!("{}: expected at least 15 all-reduces of one system, found fewer", file.display())]));
    }
    if matches.get_flag("json") {
        return print(&json(&judged)?);
    }
    let mut out =
        format!("{:<24}{:>6}{:>10}{:>9}{:>9}{:>9}{:>9}  above 4 MB\n", "system", "runs", "GB/s", "fit %", "test %", "median", "max");
    for (system, fit) in &judged {
        let percent = |value: f64| format!("{:.1}", value * 100.0);
        let (gb, test) = (fit.law.bytes_per_s / 1e9, percent(fit.test_mape));
        let _ = writeln!(
            out,
            "{system:<24}{:>6}{gb:>10.1}{:>9}{test:>9}{:>9}{:>9}",
            fit.runs,
            percent(fit.fitted_mape),
            percent(fit.median),
            percent(fit.max)
        );
    }
    print(out.trim_end())
}

fn json(value: &impl serde::Serialize) -> Result<String, Complaint> {
    serde_json::to_string_pretty(value).map_err(|error| Complaint::failure(error.to_string()))
}

fn text(file: &Path) -> Result<String, Complaint> {
    fs::read_to_string(file).map_err(|error| Complaint::input([format!("{}: expected a readable file: {error}", file.display())]))
}

fn measured(file: &Path) -> Result<Measured, Complaint> {
    row::read(&text(file)?).map_err(|words| Complaint::input([format!("{}: {words}", file.display())]))
}

/// Runs `validate`.
pub fn run_validate(matches: &ArgMatches) -> Result<(), Complaint> {
    let Some(file) = matches.get_one::<PathBuf>("file") else { return Ok(()) };
    let mut measured = measured(file)?;
    for bad in &measured.bad {
        eprintln!("skipped: {}: {bad}", file.display());
    }
    let left_out = matches.get_one::<String>("leave-out");
    let mut constants = None;
    if let Some(source) = left_out {
        if !measured.rows.iter().any(|row| row.source == *source) {
            let mut known: Vec<&str> = measured.rows.iter().map(|row| row.source.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(Complaint::input([format!("--leave-out: expected one of {}, found `{source}`", known.join(", "))]));
        }
        let priors = text(Path::new("data/stack-priors.csv")).unwrap_or_else(|_| include_str!("../../data/stack-priors.csv").to_string());
        constants = Some(fit_without(&measured, &priors, source)?);
        measured.rows.retain(|row| row.source == *source);
    }
    match matches.get_one::<String>("rows").map(String::as_str) {
        Some("fit") => measured.rows.retain(is_fitted),
        Some("test") => measured.rows.retain(|row| !is_fitted(row)),
        _ => {}
    }
    let (predicted, refused) = match &constants {
        Some(constants) => predict(&measured.rows, of_fit(constants)),
        None => predict(&measured.rows, committed),
    };
    for (line, reason) in &refused {
        eprintln!("skipped: {}: line {line}: {reason}", file.display());
    }
    if predicted.is_empty() {
        return Err(Complaint::input([format!("{}: expected at least one row that can be predicted, found none", file.display())]));
    }
    if let Some(out) = matches.get_one::<PathBuf>("out") {
        write_rows(out, &predicted)?;
    }
    let report = report(&predicted, measured.bad.len() + refused.len());
    if matches.get_flag("json") { print(&json(&report)?) } else { print(&table(&report)) }
}

/// The constants of a fit to all visible fit rows but those of `source`: its stack falls back to what its other sources say, or the prior.
fn fit_without(measured: &Measured, priors: &str, source: &str) -> Result<Constants, Complaint> {
    fit::fit(&measured.rows, priors, |row| is_fitted(row) && row.source != source).map_err(|words| Complaint::input([words]))
}

fn write_rows(out: &Path, predicted: &[Predicted]) -> Result<(), Complaint> {
    let fault = |error: &dyn std::fmt::Display| Complaint::failure(format!("{}: {error}", out.display()));
    let mut writer = csv::Writer::from_path(out).map_err(|error| fault(&error))?;
    let header = [
        "id",
        "source",
        "stack",
        "gpu",
        "num_gpus",
        "fitted",
        "step_seconds",
        "predicted_step_seconds",
        "ratio",
        "band_low",
        "band_high",
        "memory_gib",
        "predicted_memory_gib",
    ];
    writer.write_record(header).map_err(|error| fault(&error))?;
    for one in predicted {
        let row = one.row;
        let memory = row.memory_gib.map_or_else(String::new, |gib| gib.to_string());
        let cells = [
            row.id.clone(),
            row.source.clone(),
            one.case.stack.id.to_string(),
            one.case.gpu.id.to_string(),
            row.num_gpus.to_string(),
            u8::from(is_fitted(row)).to_string(),
            row.step_seconds.to_string(),
            one.step_s.to_string(),
            one.ratio().to_string(),
            (one.step_s * one.band.0).to_string(),
            (one.step_s * one.band.1).to_string(),
            memory,
            (one.memory_bytes / 1_073_741_824.0).to_string(),
        ];
        writer.write_record(&cells).map_err(|error| fault(&error))?;
    }
    writer.flush().map_err(|error| fault(&error))
}

/// The report as a table: percents.
pub fn table(report: &Report) -> String {
    let mut out = format!(
        "{:<34}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>16}\n",
        "source", "rows", "MAPE %", "median", "p90", "max", "bias", "in band", "memory", "regret (groups)"
    );
    let mut line = |name: &str, s: &Score| {
        let percent = |value: f64| format!("{:.1}", value * 100.0);
        let memory = s.memory_mape.map_or_else(|| "–".to_string(), percent);
        let regret = s.regret_mean.map_or_else(|| "–".to_string(), |mean| format!("{} ({})", percent(mean), s.regret_groups));
        let _ = writeln!(
            out,
            "{name:<34}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{memory:>8}{regret:>16}",
            s.n,
            percent(s.mape),
            percent(s.median),
            percent(s.p90),
            percent(s.max),
            percent(s.bias),
            percent(s.coverage80)
        );
    };
    for (source, score) in &report.sources {
        line(source, score);
    }
    line("all", &report.all);
    if report.skipped > 0 {
        let _ = writeln!(out, "{} rows skipped", report.skipped);
    }
    out.trim_end().to_string()
}

/// Runs `fit`.
pub fn run_fit(matches: &ArgMatches) -> Result<(), Complaint> {
    let Some(data) = matches.get_one::<PathBuf>("data") else { return Ok(()) };
    let measured = measured(&data.join("measured/steps.csv"))?;
    let priors = text(&data.join("stack-priors.csv"))?;
    let constants = fit::fit(&measured.rows, &priors, is_fitted).map_err(|words| Complaint::input([words]))?;
    let file = constants_file(&constants);
    if !matches.get_flag("write") {
        return print(file.trim_end());
    }
    let mut sources: Vec<&str> = measured.rows.iter().filter(|row| row.confirmed.unwrap_or(true)).map(|row| row.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut unknown = Vec::new();
    for source in &sources {
        let without = fit_without(&measured, &priors, source)?;
        let rows: Vec<row::Row> = measured.rows.iter().filter(|row| row.source == *source).cloned().collect();
        unknown.push((rows, without));
    }
    let left_out: Vec<Predicted> = unknown.iter().flat_map(|(rows, without)| predict(rows, of_fit(without)).0).collect();
    let (predicted, _) = predict(&measured.rows, of_fit(&constants));
    let mut lines = String::from("id,stack,gpu,rows,low,high,most_gpus,least_params,most_params,source\n");
    for band in bands(&predicted, &left_out) {
        let id = format!("{}-{}", if band.stack == "*" { "any" } else { band.stack }, if band.gpu.is_empty() { "all" } else { band.gpu });
        let _ = writeln!(
            lines,
            "{id},{},{},{},{:.4},{:.4},{},{:.3e},{:.3e},data/measured/steps.csv: {}",
            band.stack, band.gpu, band.rows, band.low, band.high, band.most_gpus, band.least_params, band.most_params, band.sources
        );
    }
    for (name, content) in [("stack-constants.csv", file), ("bands.csv", lines)] {
        let path = data.join(name);
        fs::write(&path, content).map_err(|error| Complaint::failure(format!("{}: {error}", path.display())))?;
    }
    print(&table(&report(&predicted, 0)))
}

/// Constants with six digits: what runs determine is less.
fn constants_file(constants: &Constants) -> String {
    let mut out = String::from("stack,gpu,constant,value\n");
    for (id, Fitted { stack, gpus, .. }) in constants {
        for (constant, value) in CONSTANTS.iter().zip(Stack::values(stack)) {
            let _ = writeln!(out, "{id},,{},{}", constant.name, six_digits(value));
        }
        for (gpu, (matmul, attention)) in gpus {
            let _ = writeln!(out, "{id},{gpu},gpu_factor,{}\n{id},{gpu},attention_factor,{}", six_digits(*matmul), six_digits(*attention));
        }
    }
    out
}

fn six_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    format!("{rounded}")
}
