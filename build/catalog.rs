//! `data/*.csv` → the constants of `src/catalog`.

use super::{Fault, read};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One row, with what a message needs to point at it.
struct Row<'a> {
    file: &'a Path,
    line: u64,
    headers: &'a csv::StringRecord,
    record: csv::StringRecord,
}

impl Row<'_> {
    fn text(&self, column: &str) -> Result<&str, Fault> {
        let at = self.headers.iter().position(|name| name == column);
        let at = at.ok_or_else(|| Fault::of(self.file, format!("expected a column `{column}`, found none")))?;
        Ok(self.record.get(at).unwrap_or_default().trim())
    }

    fn required(&self, column: &str) -> Result<&str, Fault> {
        match self.text(column)? {
            "" => Err(Fault::at(self.file, self.line, format!("`{column}` is empty; every row needs it"))),
            text => Ok(text),
        }
    }

    fn optional(&self, column: &str, scale: f64) -> Result<Option<f64>, Fault> {
        match self.text(column)? {
            "" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value * scale)),
                _ => Err(Fault::at(self.file, self.line, format!("`{column}` is `{text}`, expected a number of at least 0"))),
            },
        }
    }

    fn positive(&self, column: &str, scale: f64) -> Result<f64, Fault> {
        match self.optional(column, scale)? {
            Some(value) if value > 0.0 => Ok(value),
            _ => Err(Fault::at(self.file, self.line, format!("`{column}` is `{}`, expected a number above 0", self.text(column)?))),
        }
    }

    fn whole(&self, column: &str) -> Result<u64, Fault> {
        let value = self.positive(column, 1.0)?;
        if value.fract() == 0.0 {
            Ok(value as u64)
        } else {
            Err(Fault::at(self.file, self.line, format!("`{column}` is `{value}`, expected a whole number")))
        }
    }
}

/// Emits `pub static NAME: &[TYPE]`, a row of the file to a literal by `literal`.
fn table(
    out: &mut String,
    file: PathBuf,
    name: &str,
    kind: &str,
    docs: &str,
    literal: impl Fn(&Row) -> Result<String, Fault>,
) -> Result<(), Fault> {
    let text = read(&file)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| Fault::of(&file, error))?.clone();
    let key = headers.get(0).unwrap_or_default().to_string();
    let mut seen = HashSet::new();
    let _ = writeln!(out, "/// {docs}\npub static {name}: &[{kind}] = &[");
    for record in reader.records() {
        let record = record.map_err(|error| Fault::of(&file, error))?;
        let line = record.position().map_or(0, |position| position.line());
        let row = Row { file: &file, line, headers: &headers, record };
        let id = row.required(&key)?;
        if !seen.insert(id.to_string()) {
            return Err(Fault::at(&file, line, format!("`{key}` `{id}` stands there twice")));
        }
        row.required("source")?;
        let _ = writeln!(out, "    {kind} {{ {} }},", literal(&row)?);
    }
    out.push_str("];\n\n");
    Ok(())
}

/// The constants as Rust source.
pub fn emit(data: &Path) -> Result<String, Fault> {
    let mut out = String::new();
    table(&mut out, data.join("gpus.csv"), "GPUS", "Gpu", "The accelerators of `data/gpus.csv`.", |row| {
        Ok(format!(
            "id: {:?}, name: {:?}, vendor: {:?}, year: {}, memory_bytes: {:?}, memory_bytes_per_s: {:?}, peak_bf16: {:?}, peak_fp16: {:?}, peak_fp8: {:?}, peak_tf32: {:?}, peak_fp32: {:?}, achieved_bf16: {:?}, achieved_fp8: {:?}, link: {:?}, link_bytes_per_s: {:?}, per_machine: {}, board_w: {:?}, server_w: {:?}, source: {:?}",
            row.required("id")?,
            row.required("name")?,
            row.required("vendor")?,
            row.whole("year")?,
            row.positive("memory_gib_usable", 1_073_741_824.0)?,
            row.positive("memory_bandwidth_tb_s", 1e12)?,
            row.optional("peak_bf16_tflops", 1e12)?,
            row.optional("peak_fp16_tflops", 1e12)?,
            row.optional("peak_fp8_tflops", 1e12)?,
            row.optional("peak_tf32_tflops", 1e12)?,
            row.optional("peak_fp32_tflops", 1e12)?,
            row.optional("achieved_matmul_bf16_tflops", 1e12)?,
            row.optional("achieved_matmul_fp8_tflops", 1e12)?,
            row.required("intra_node_link")?,
            row.positive("intra_node_gb_per_s_one_direction", 1e9)?,
            row.whole("gpus_per_node_typical")?,
            row.optional("board_power_w", 1.0)?.unwrap_or(0.0),
            row.optional("server_power_w_per_gpu", 1.0)?,
            row.required("source")?,
        ))
    })?;
    table(&mut out, data.join("networks.csv"), "NETWORKS", "Network", "The networks of `data/networks.csv`.", |row| {
        Ok(format!(
            "id: {:?}, name: {:?}, gbit_per_s: {:?}, latency_s: {:?}, achieved: {:?}, source: {:?}",
            row.required("id")?,
            row.required("name")?,
            row.positive("gbit_per_s_per_gpu_one_direction", 1.0)?,
            row.positive("latency_us", 1e-6)?,
            row.positive("achieved_fraction", 1.0)?,
            row.required("source")?,
        ))
    })?;
    table(&mut out, data.join("prices.csv"), "PRICES", "Price", "The prices of `data/prices.csv`.", |row| {
        let kind = row.required("kind")?;
        if !["on_demand", "spot"].contains(&kind) {
            return Err(Fault::at(row.file, row.line, format!("`kind` is `{kind}`, expected on_demand or spot")));
        }
        Ok(format!(
            "id: {:?}, gpu: {:?}, gpus: {}, usd_per_gpu_hour: {:?}, spot: {}, network_gbit_per_s: {:?}, label: {:?}, date: {:?}, source: {:?}",
            row.required("id")?,
            row.required("gpu")?,
            row.whole("gpus")?,
            row.positive("usd_per_gpu_hour", 1.0)?,
            kind == "spot",
            row.optional("inter_node_gbit_per_gpu", 1.0)?,
            offer_label(row)?,
            row.required("date")?,
            row.required("source")?,
        ))
    })?;
    table(&mut out, data.join("purchase.csv"), "PURCHASES", "Purchase", "The purchase prices of `data/purchase.csv`.", |row| {
        Ok(format!(
            "id: {:?}, item: {:?}, gpu: {:?}, gpus: {:?}, usd: {:?}, date: {:?}, source: {:?}",
            row.required("id")?,
            row.required("item")?,
            row.text("gpu")?,
            row.optional("gpus", 1.0)?.unwrap_or(1.0),
            row.positive("usd_typical", 1.0)?,
            row.required("date")?,
            row.required("source")?
        ))
    })?;
    table(&mut out, data.join("carbon.csv"), "GRIDS", "Grid", "The regions of `data/carbon.csv`.", |row| {
        Ok(format!(
            "region: {:?}, g_per_kwh: {:?}, year: {}, source: {:?}",
            row.required("region")?,
            row.positive("g_co2_per_kwh", 1.0)?,
            row.whole("year")?,
            row.required("source")?
        ))
    })?;
    table(&mut out, data.join("failures.csv"), "FAILURES", "FailureRecord", "The systems of `data/failures.csv`.", |row| {
        Ok(format!(
            "id: {:?}, system: {:?}, gpu_hours_per_failure: {:?}, source: {:?}",
            row.required("id")?,
            row.required("system")?,
            row.optional("gpu_hours_per_failure", 1.0)?,
            row.required("source")?
        ))
    })?;
    table(&mut out, data.join("shapes.csv"), "SHAPES", "Shape", "The models of `data/shapes.csv`, by size.", |row| {
        Ok(format!(
            "id: {:?}, name: {:?}, params: {:?}, layers: {}, hidden: {}, heads: {}, kv_heads: {}, ffn: {}, gated: {}, vocab: {}, batch_tokens: {:?}, seq: {}, experts: {:?}, experts_per_token: {:?}, source: {:?}",
            row.required("id")?,
            row.required("name")?,
            row.positive("params", 1.0)?,
            row.whole("layers")?,
            row.whole("hidden")?,
            row.whole("heads")?,
            row.whole("kv_heads")?,
            row.whole("ffn")?,
            row.text("gated")? == "1",
            row.whole("vocab")?,
            row.optional("batch_tokens", 1.0)?,
            row.whole("seq")?,
            row.optional("experts", 1.0)?.unwrap_or(1.0),
            row.optional("experts_per_token", 1.0)?.unwrap_or(1.0),
            row.required("source")?,
        ))
    })?;
    table(&mut out, data.join("backends.csv"), "BACKENDS", "Backend", "The libraries of `data/backends.csv`.", |row| {
        Ok(format!(
            "id: {:?}, name: {:?}, share: {:?}, latency_rdma_s: {:?}, latency_tcp_s: {:?}, ceiling_bytes_per_s: {:?}, source: {:?}",
            row.required("id")?,
            row.required("name")?,
            row.positive("share", 1.0)?,
            row.positive("latency_rdma_us", 1e-6)?,
            row.positive("latency_tcp_us", 1e-6)?,
            row.optional("ceiling_gb_per_s_machine", 1e9)?,
            row.required("source")?,
        ))
    })?;
    stacks(&mut out, data)?;
    constants(&mut out, data.join("constants.csv"))?;
    Ok(out)
}

/// `data/stacks.csv` with the constants of `data/stack-constants.csv`: for each stack its values in the order of the file, and the factors
/// that hold on single GPUs only.
fn stacks(out: &mut String, data: &Path) -> Result<(), Fault> {
    let file = data.join("stack-constants.csv");
    let text = read(&file)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| Fault::of(&file, error))?.clone();
    let mut names: Vec<String> = Vec::new();
    let mut values: std::collections::BTreeMap<String, Vec<f64>> = std::collections::BTreeMap::new();
    let mut factors: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| Fault::of(&file, error))?;
        let line = record.position().map_or(0, |position| position.line());
        let row = Row { file: &file, line, headers: &headers, record };
        let (stack, gpu, constant) = (row.required("stack")?.to_string(), row.text("gpu")?, row.required("constant")?);
        let value = row.positive("value", 1.0)?;
        if !gpu.is_empty() {
            factors.entry(stack).or_default().push(format!("({gpu:?}, {constant:?}, {value:?})"));
            continue;
        }
        let list = values.entry(stack).or_default();
        match names.get(list.len()) {
            None => names.push(constant.to_string()),
            Some(name) if name == constant => {}
            Some(name) => {
                return Err(Fault::at(&file, line, format!("`constant` is `{constant}`, expected `{name}`: the same order in each stack")));
            }
        }
        list.push(value);
    }
    let _ = writeln!(
        out,
        "/// The constants of a stack, in the order of `StackRow::values`.\npub static STACK_CONSTANTS: &[&str] = &{names:?};\n"
    );
    table(out, data.join("stacks.csv"), "STACKS", "StackRow", "The software stacks of `data/stacks.csv`.", |row| {
        let id = row.required("id")?;
        Ok(format!(
            "id: {id:?}, name: {:?}, parent: {:?}, values: &{:?}, factors: &[{}], source: {:?}",
            row.required("name")?,
            row.text("parent")?,
            values.get(id).map_or(&[][..], Vec::as_slice),
            factors.get(id).map_or(String::new(), |list| list.join(", ")),
            row.required("source")?,
        ))
    })?;
    table(out, data.join("bands.csv"), "BANDS", "BandRow", "The errors of `data/bands.csv`.", |row| {
        Ok(format!(
            "id: {:?}, stack: {:?}, gpu: {:?}, rows: {}, low: {:?}, high: {:?}, most_gpus: {}, least_params: {:?}, most_params: {:?}, source: {:?}",
            row.required("id")?,
            row.required("stack")?,
            row.text("gpu")?,
            row.whole("rows")?,
            row.positive("low", 1.0)?,
            row.positive("high", 1.0)?,
            row.whole("most_gpus")?,
            row.positive("least_params", 1.0)?,
            row.positive("most_params", 1.0)?,
            row.required("source")?,
        ))
    })
}

/// Provider, GPUs, region, kind and month of a price, for a list.
fn offer_label(row: &Row) -> Result<String, Fault> {
    let date = row.required("date")?;
    let month = date.get(..7).ok_or_else(|| Fault::at(row.file, row.line, format!("`date` is `{date}`, expected YYYY-MM-DD")))?;
    let spot = if row.required("kind")? == "spot" { ", spot" } else { "" };
    Ok(format!(
        "{} {} × {}, {}{spot} ({month})",
        row.required("provider")?,
        row.required("gpus")?,
        row.required("gpu")?,
        row.required("region")?
    ))
}

/// `data/constants.csv` → one `pub static` a row, so that a misspelt name does not compile, and the list of all.
fn constants(out: &mut String, file: PathBuf) -> Result<(), Fault> {
    let mut names = String::new();
    let mut statics = String::new();
    {
        let text = read(&file)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headers = reader.headers().map_err(|error| Fault::of(&file, error))?.clone();
        for record in reader.records() {
            let record = record.map_err(|error| Fault::of(&file, error))?;
            let line = record.position().map_or(0, |position| position.line());
            let row = Row { file: &file, line, headers: &headers, record };
            let name = row.required("id")?.replace('-', "_").to_uppercase();
            let _ = writeln!(
                statics,
                "/// {}\npub static {name}: Constant = Constant {{ id: {:?}, value: {:?}, unit: {:?}, source: {:?} }};",
                row.required("meaning")?,
                row.required("id")?,
                row.positive("value", 1.0)?,
                row.required("unit")?,
                row.required("source")?
            );
            let _ = write!(names, "&{name}, ");
        }
    }
    let _ = writeln!(out, "{statics}\n/// The single figures of `data/constants.csv`.\npub static CONSTANTS: &[&Constant] = &[{names}];");
    Ok(())
}
