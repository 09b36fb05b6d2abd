//! Measured training runs, one configuration a row, as `data/measured/steps.csv` holds them.

use std::fmt;

/// What is wrong with a row: it is named, skipped and counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// Line of the file, from 1.
    pub line: u64,
    /// Column.
    pub column: String,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let found = if self.found.is_empty() { "nothing".to_string() } else { format!("`{}`", self.found) };
        write!(f, "line {}, column `{}`: expected {}, found {found}", self.line, self.column, self.expected)
    }
}

/// A value of a cell.
trait Cell: Sized {
    /// What a cell of this kind holds.
    const EXPECTED: &'static str;
    /// Reads a cell that is not empty.
    fn read(text: &str) -> Option<Self>;
}

impl Cell for String {
    const EXPECTED: &'static str = "a text";
    fn read(text: &str) -> Option<String> {
        Some(text.to_string())
    }
}

impl Cell for f64 {
    const EXPECTED: &'static str = "a number above 0";
    fn read(text: &str) -> Option<f64> {
        text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)
    }
}

impl Cell for u32 {
    const EXPECTED: &'static str = "a whole number of at least 1";
    fn read(text: &str) -> Option<u32> {
        let value = f64::read(text).filter(|value| value.fract() == 0.0 && *value <= f64::from(u32::MAX))?;
        // Checked to be whole and in range.
        Some(value as u32)
    }
}

impl Cell for bool {
    const EXPECTED: &'static str = "0 or 1";
    fn read(text: &str) -> Option<bool> {
        match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }
}

macro_rules! rows {
    (required { $( $(#[$rdoc:meta])* $required:ident: $rkind:ty, )* } optional { $( $(#[$odoc:meta])* $optional:ident: $okind:ty, )* }) => {
        /// One measured configuration. Columns that may be empty are `Option`s.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Row {
            /// Line of the file, from 1.
            pub line: u64,
            $( $(#[$rdoc])* pub $required: $rkind, )*
            $( $(#[$odoc])* pub $optional: Option<$okind>, )*
        }

        /// Columns that every file and every row has.
        pub const REQUIRED: &[&str] = &[$( stringify!($required), )*];

        fn row(cells: &Cells, line: u64) -> Result<Row, BadRow> {
            Ok(Row {
                line,
                $( $required: cells.get::<$rkind>(line, stringify!($required))?.ok_or_else(|| BadRow {
                    line,
                    column: stringify!($required).to_string(),
                    found: String::new(),
                    expected: <$rkind as Cell>::EXPECTED,
                })?, )*
                $( $optional: cells.get::<$okind>(line, stringify!($optional))?, )*
            })
        }
    };
}

rows! {
    required {
        /// Key of the row.
        id: String,
        /// Where it was measured.
        source: String,
        /// Accelerator.
        gpu: String,
        /// GPUs in all.
        num_gpus: u32,
        /// Layers.
        layers: u32,
        /// Hidden size.
        hidden: u32,
        /// Tokens per sequence.
        seq_len: u32,
        /// Sequences per step.
        global_batch_seqs: f64,
        /// Measured seconds of a step.
        step_seconds: f64,
    }
    optional {
        /// Page, table, release.
        source_ref: String,
        /// Whether the row was read again in its source.
        confirmed: bool,
        /// Software.
        framework: String,
        /// GPUs per machine, or per link domain.
        gpus_per_node: u32,
        /// Link inside the machine, GB/s per GPU, one direction.
        intra_node_gbyte_per_s_one_direction: f64,
        /// Network between machines, Gbit/s per GPU, one direction.
        inter_node_gbit_per_gpu: f64,
        /// Number format.
        precision: String,
        /// Name of the model.
        model: String,
        /// Parameters.
        params: f64,
        /// Parameters that a token passes.
        active_params: f64,
        /// Attention heads.
        heads: u32,
        /// Key/value heads.
        kv_heads: u32,
        /// Width of the MLP, of one expert.
        ffn_hidden: u32,
        /// Whether the MLP has three matrices.
        gated_mlp: bool,
        /// Vocabulary.
        vocab: u32,
        /// Experts per layer.
        experts: u32,
        /// Experts that a token passes.
        experts_per_token: u32,
        /// Sequences per micro-batch.
        micro_batch_seqs: u32,
        /// Tensor-parallel degree.
        tp: u32,
        /// Whether the sequence is split over the tensor-parallel GPUs between the matrices.
        sequence_parallel: bool,
        /// Pipeline stages.
        pp: u32,
        /// Pipeline chunks per stage.
        interleave: u32,
        /// Context-parallel degree.
        cp: u32,
        /// Expert-parallel degree.
        ep: u32,
        /// Data-parallel copies.
        dp: u32,
        /// ddp, zero1, zero2, zero3, hsdp or none.
        sharding: String,
        /// none, selective or full.
        recompute: String,
        /// Whether attention runs in one kernel.
        fused_attention: bool,
        /// Whether the model was compiled.
        compiled: bool,
        /// Measured tokens per second and GPU.
        tokens_per_s_per_gpu: f64,
        /// Measured memory, GiB.
        memory_gib: f64,
    }
}

/// One record under the file's header.
struct Cells<'a> {
    headers: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl Cells<'_> {
    fn get<T: Cell>(&self, line: u64, column: &str) -> Result<Option<T>, BadRow> {
        let at = self.headers.iter().position(|name| name.trim() == column);
        let text = at.and_then(|at| self.record.get(at)).map_or("", str::trim);
        if text.is_empty() {
            return Ok(None);
        }
        let bad = || BadRow { line, column: column.to_string(), found: text.to_string(), expected: T::EXPECTED };
        T::read(text).map(Some).ok_or_else(bad)
    }
}

/// The rows of a file, and what was wrong with the others.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Measured {
    /// Rows that can be predicted.
    pub rows: Vec<Row>,
    /// Rows that were skipped.
    pub bad: Vec<BadRow>,
}

/// Reads a file's text.
///
/// # Errors
/// If a required column is missing in the header, or the text is no CSV: what was expected, in words.
pub fn read(text: &str) -> Result<Measured, String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| format!("expected a CSV file with a header: {error}"))?.clone();
    let missing: Vec<&str> = REQUIRED.iter().copied().filter(|column| !headers.iter().any(|name| name.trim() == *column)).collect();
    if !missing.is_empty() {
        return Err(format!("expected the columns {}; the header lacks {}", REQUIRED.join(", "), missing.join(", ")));
    }
    let mut measured = Measured::default();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                match row(&Cells { headers: &headers, record: &record }, line) {
                    Ok(row) => measured.rows.push(row),
                    Err(bad) => measured.bad.push(bad),
                }
            }
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                measured.bad.push(BadRow { line, column: String::new(), found: error.to_string(), expected: "a line of CSV in UTF-8" });
            }
        }
    }
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "id,source,gpu,num_gpus,layers,hidden,seq_len,global_batch_seqs,step_seconds,tp,fused_attention\n";

    #[test]
    fn bad_rows_are_named_and_the_rest_is_read() {
        let text = format!(
            "{HEADER}a,s,A100,8,24,1024,1024,16,0.5,2,1\nb,s,A100,eight,24,1024,1024,16,0.5,,\nc,s,A100,8,24,1024,1024,16,,,\nd,s,A100,8,24,1024,1024,16,0.5,,yes\ne,s,A100,8,24,1024,1024,16,-1,,\n"
        );
        let measured = read(&text).unwrap();
        assert_eq!(measured.rows.len(), 1);
        assert_eq!((measured.rows[0].tp, measured.rows[0].pp, measured.rows[0].fused_attention), (Some(2), None, Some(true)));
        let words: Vec<String> = measured.bad.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "line 3, column `num_gpus`: expected a whole number of at least 1, found `eight`",
                "line 4, column `step_seconds`: expected a number above 0, found nothing",
                "line 5, column `fused_attention`: expected 0 or 1, found `yes`",
                "line 6, column `step_seconds`: expected a number above 0, found `-1`",
            ]
        );
    }

    #[test]
    fn a_header_that_lacks_a_column_is_no_such_file() {
        let words = read("id,source\n1,2\n").unwrap_err();
        assert!(words.contains("lacks gpu, num_gpus"), "{words}");
        assert!(read("").is_err());
    }
}
