//! The rows of `data/` as typed constants. The build script reads and checks the files; nothing is parsed at run time.

mod physics;

/// An accelerator. Peaks are dense; bandwidths count one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Name as its maker writes it.
    pub name: &'static str,
    /// Maker.
    pub vendor: &'static str,
    /// Year of release.
    pub year: u16,
    /// Memory that a program can use, in bytes.
    pub memory_bytes: f64,
    /// Bandwidth of that memory, bytes per second.
    pub memory_bytes_per_s: f64,
    /// Dense peak in bf16, FLOP/s.
    pub peak_bf16: Option<f64>,
    /// Dense peak in fp16, FLOP/s.
    pub peak_fp16: Option<f64>,
    /// Dense peak in fp8, FLOP/s.
    pub peak_fp8: Option<f64>,
    /// Dense peak in tf32, FLOP/s.
    pub peak_tf32: Option<f64>,
    /// Peak in fp32, FLOP/s.
    pub peak_fp32: Option<f64>,
    /// Best matrix multiplication measured in bf16, FLOP/s.
    pub achieved_bf16: Option<f64>,
    /// Best matrix multiplication measured in fp8, FLOP/s.
    pub achieved_fp8: Option<f64>,
    /// Name of the link between GPUs of one machine.
    pub link: &'static str,
    /// Rate of that link per GPU, one direction, bytes per second.
    pub link_bytes_per_s: f64,
    /// GPUs in the usual machine.
    pub per_machine: u32,
    /// Power of the board, watts.
    pub board_w: f64,
    /// Power of the whole server per GPU, watts.
    pub server_w: Option<f64>,
    /// Where the figures come from.
    pub source: &'static str,
}

/// A network between machines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Name.
    pub name: &'static str,
    /// Line rate per GPU, one direction, Gbit/s.
    pub gbit_per_s: f64,
    /// Latency of one message, seconds.
    pub latency_s: f64,
    /// Share of the line rate that is reached, 0 to 1.
    pub achieved: f64,
    /// Where the figures come from.
    pub source: &'static str,
}

/// A price of one GPU for one hour, from a provider's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Key of the GPU.
    pub gpu: &'static str,
    /// GPUs of the instance.
    pub gpus: u32,
    /// US dollars per GPU and hour.
    pub usd_per_gpu_hour: f64,
    /// Whether the price is a spot price, which may end at any moment.
    pub spot: bool,
    /// Rate of the network between such instances per GPU, Gbit/s, where one is stated.
    pub network_gbit_per_s: Option<f64>,
    /// Provider, instance, region, kind and month in a line, for lists.
    pub label: &'static str,
    /// The price was not valid before this day (ISO 8601).
    pub date: &'static str,
    /// Where the price comes from.
    pub source: &'static str,
}

/// What hardware costs to buy, and what goes with owning it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Purchase {
    /// Short stable key.
    pub id: &'static str,
    /// What it is.
    pub item: &'static str,
    /// Key of the GPU, for whole machines; else empty.
    pub gpu: &'static str,
    /// GPUs in it; 1 for what is no machine.
    pub gpus: f64,
    /// Typical price, US dollars.
    pub usd: f64,
    /// Day, month or year of the price.
    pub date: &'static str,
    /// Where the price comes from.
    pub source: &'static str,
}

/// The carbon intensity of a region's electricity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Region.
    pub region: &'static str,
    /// Grams of CO₂-equivalents per kilowatt-hour.
    pub g_per_kwh: f64,
    /// Year of the figure.
    pub year: u16,
    /// Where the figure comes from.
    pub source: &'static str,
}

/// How often a large system failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureRecord {
    /// Short stable key.
    pub id: &'static str,
    /// The system.
    pub system: &'static str,
    /// GPU-hours between two failures, where they can be told.
    pub gpu_hours_per_failure: Option<f64>,
    /// Where the figure comes from.
    pub source: &'static str,
}

/// A published transformer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Name.
    pub name: &'static str,
    /// Parameters.
    pub params: f64,
    /// Layers.
    pub layers: u32,
    /// Hidden size.
    pub hidden: u32,
    /// Attention heads.
    pub heads: u32,
    /// Key/value heads.
    pub kv_heads: u32,
    /// Width of the MLP.
    pub ffn: u32,
    /// Whether the MLP is gated (three matrices).
    pub gated: bool,
    /// Vocabulary.
    pub vocab: u32,
    /// Tokens per step in the published training, where stated.
    pub batch_tokens: Option<f64>,
    /// Sequence length of the published training.
    pub seq: u32,
    /// Experts per layer; 1 without.
    pub experts: f64,
    /// Experts that a token passes; 1 without.
    pub experts_per_token: f64,
    /// Where the figures come from.
    pub source: &'static str,
}

/// A library that moves gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backend {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Name.
    pub name: &'static str,
    /// Share of what the network can reach that the library reaches.
    pub share: f64,
    /// What the library adds to the latency of a message over RDMA, seconds.
    pub latency_rdma_s: f64,
    /// The same over TCP sockets, seconds.
    pub latency_tcp_s: f64,
    /// Ceiling per machine whatever the network, bytes per second.
    pub ceiling_bytes_per_s: Option<f64>,
    /// Where the figures come from.
    pub source: &'static str,
}

/// A software stack, with the constants that are fitted to its measured runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackRow {
    /// Short stable key, as in links.
    pub id: &'static str,
    /// Name.
    pub name: &'static str,
    /// Key of the stack whose constants are the prior of this one's; may be empty. It stands above in the list.
    pub parent: &'static str,
    /// The constants, in the order of [`STACK_CONSTANTS`]; empty where nothing was measured.
    pub values: &'static [f64],
    /// Constants that hold on one GPU only: key of the GPU, name, value.
    pub factors: &'static [(&'static str, &'static str, f64)],
    /// Where the runs behind it come from.
    pub source: &'static str,
}

/// How far predictions lay from measured runs of one stack on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandRow {
    /// Key.
    pub id: &'static str,
    /// Key of the stack; `*` for runs of a stack of which nothing was known.
    pub stack: &'static str,
    /// Key of the GPU; empty for all.
    pub gpu: &'static str,
    /// Measured runs.
    pub rows: u32,
    /// Measured over predicted time: nine runs of ten lie above.
    pub low: f64,
    /// Nine of ten lie below.
    pub high: f64,
    /// Largest number of GPUs among the runs.
    pub most_gpus: u32,
    /// Smallest model among them, parameters.
    pub least_params: f64,
    /// Largest one.
    pub most_params: f64,
    /// The runs.
    pub source: &'static str,
}

/// A single figure of the model with its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Short stable key.
    pub id: &'static str,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// The position of the row with key `id`.
pub fn position<T>(rows: &[T], key: impl Fn(&T) -> &'static str, id: &str) -> Option<usize> {
    rows.iter().position(|row| key(row) == id)
}
