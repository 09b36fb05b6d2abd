//! What a software stack makes of the hardware: the constants that are fitted to its measured runs.

/// How much of the communication of gradients and shards hides behind computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// None: all of it is waited for.
    None,
    /// What the stack reaches in practice.
    Realistic,
    /// All that fits.
    Perfect,
}

impl Overlap {
    /// The share of the window that hides communication; `reached` is the stack's own.
    pub fn share(self, reached: f64) -> f64 {
        match self {
            Overlap::None => 0.0,
            Overlap::Realistic => reached,
            Overlap::Perfect => 1.0,
        }
    }
}

/// What is known of a constant before any run is looked at. Constants are positive; the fit moves their logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// Name, as in `data/stacks.csv`.
    pub name: &'static str,
    /// Value where no measured run says otherwise.
    pub prior: f64,
    /// Standard deviation of its logarithm: how far runs may move it.
    pub spread: f64,
    /// Unit.
    pub unit: &'static str,
    /// Meaning.
    pub meaning: &'static str,
}

macro_rules! constants {
    ($( $name:ident: $prior:literal, $spread:literal, $unit:literal, $meaning:literal; )*) => {
        /// Constants of one software stack on one GPU.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Stack {
            $( #[doc = $meaning] pub $name: f64, )*
        }

        /// Every constant, in the order of [`Stack::values`].
        pub const CONSTANTS: &[Constant] =
            &[$( Constant { name: stringify!($name), prior: $prior, spread: $spread, unit: $unit, meaning: $meaning }, )*];

        impl Stack {
            /// What is assumed of a stack of which nothing was measured.
            pub const PRIOR: Stack = Stack { $( $name: $prior, )* };

            /// The values in the order of [`CONSTANTS`].
            pub fn values(&self) -> [f64; CONSTANTS.len()] {
                [$( self.$name, )*]
            }

            /// The stack with these values, in the order of [`CONSTANTS`].
            pub fn from_values(values: [f64; CONSTANTS.len()]) -> Stack {
                let [$( $name, )*] = values;
                Stack { $( $name, )* }
            }
        }
    };
}

constants! {
    matmul_rate: 0.9, 0.15, "1", "16-bit rate that large layers reach, over the GPU's best measured multiplication";
    fp8_rate: 0.85, 0.12, "1", "the same in fp8, over the best measured fp8 multiplication";
    fp4_gain: 1.4, 0.2, "1", "nvfp4 rate over fp8 rate";
    half_width: 200.0, 0.8, "values", "width h over the root of the tensor-parallel degree at which multiplications run at half rate";
    half_work: 2.0, 1.0, "GFLOP", "forward work of a layer, micro-batch and GPU at which half the rate is reached on an A100; elsewhere the same time";
    selective_linear: 0.02, 1.0, "1", "share of the linear forward pass that selective recomputation repeats";
    selective_attention: 1.0, 0.3, "1", "attention passes that selective recomputation repeats";
    recompute_stop: 1e-6, 0.001, "1", "share of the MLP's last multiplication that full recomputation leaves out, since no backward pass needs its result";
    attention_backward: 2.5, 0.05, "1", "backward over forward time of attention";
    attention_rate: 0.55, 0.3, "1", "rate of fused attention over the best 16-bit multiplication, counting the full square";
    score_bytes: 12.0, 0.5, "byte", "memory traffic of unfused attention per score and pass";
    elementwise_bytes: 60.0, 0.5, "byte", "memory traffic of norms, activations and residuals per token, unit of width and pass";
    elementwise_replicated: 0.4, 0.3, "1", "share of it that tensor parallelism without sequence parallelism does not divide";
    compile_gain: 0.3, 0.5, "1", "share of that traffic which compiling saves";
    quantise_bytes: 30.0, 0.6, "byte", "memory traffic of quantising to fp8 per token, unit of width and pass";
    quantise_launch: 30e-6, 1.0, "s", "further launches of fp8 per layer and pass";
    weight_reads: 1.0, 0.1, "1", "reads of the 16-bit weights per pass";
    launch: 400e-6, 1.0, "s", "host time of a layer and pass";
    softmax_launch: 100e-6, 1.0, "s", "further host time of a layer and pass where the scores of unfused attention do not suit the fused softmax";
    host_overlap: 2.0, 0.6, "1", "sharpness of the maximum of GPU and host time, minus one: large means that the shorter hides";
    micro_batch_fixed: 1e-3, 1.0, "s", "fixed time of a micro-batch";
    tensor_share: 0.87, 0.3, "1", "rate of tensor-parallel all-reduces over what the link inside the machine reaches";
    tensor_share_outer: 0.7, 0.4, "1", "the same between machines, over what the network reaches";
    tensor_latency: 30e-6, 1.0, "s", "latency of a tensor-parallel collective";
    tensor_latency_rank: 5e-6, 1.0, "s", "further latency per rank";
    tensor_exposed: 1.0, 0.01, "1", "share of the tensor-parallel traffic that is waited for";
    context_share: 0.87, 0.4, "1", "rate of context-parallel messages over the link";
    context_latency: 30e-6, 1.0, "s", "latency of a context-parallel message";
    context_window: 0.7, 0.3, "1", "share of attention behind which context-parallel traffic hides";
    context_exposed: 0.1, 0.7, "1", "share of it that is always waited for";
    expert_share: 0.62, 0.5, "1", "rate of all-to-all exchanges over what the link inside the machine reaches";
    expert_share_outer: 0.7, 0.5, "1", "the same between machines, over what the network reaches";
    expert_latency: 100e-6, 1.0, "s", "latency of an all-to-all";
    expert_latency_rank: 2e-6, 1.0, "s", "further latency per rank";
    expert_exposed: 1.0, 0.01, "1", "share of these exchanges that is waited for where the pipeline is interleaved, so that another micro-batch computes meanwhile";
    grouped_slowdown: 1.3, 0.3, "1", "time of the experts' grouped multiplications over that of plain ones";
    half_expert_width: 300.0, 0.8, "values", "expert width at which grouped multiplications run at half rate";
    half_head_width: 30.0, 0.6, "values", "head width at which the softmax takes as long as the multiplications";
    half_sequence: 200.0, 0.8, "tokens", "sequence at which fused attention runs at half rate";
    expert_launch: 3e-6, 1.0, "s", "launches per local expert, layer and pass";
    routing_bytes: 16.0, 0.7, "byte", "memory traffic of routing per routed token, unit of width and pass";
    loss_bytes: 20.0, 0.6, "byte", "memory traffic of the loss per token and entry of the vocabulary";
    loss_stage: 1.0, 0.3, "1", "share of the logits that the last pipeline stage adds to the heaviest one";
    pipeline_share: 0.85, 0.4, "1", "rate of pipeline messages over the link";
    pipeline_latency: 60e-6, 1.2, "s", "latency of a pipeline message";
    bubble: 1.0, 0.05, "1", "pipeline bubble over its ideal";
    data_share: 0.87, 0.4, "1", "rate of data-parallel collectives over what the link inside the machine reaches";
    data_share_outer: 0.7, 0.5, "1", "the same between machines, over what the network reaches";
    data_latency: 100e-6, 1.0, "s", "latency of a data-parallel collective";
    data_latency_rank: 5e-6, 1.0, "s", "further latency per rank";
    data_window: 0.5, 0.5, "1", "share of the last backward pass behind which gradients hide";
    data_tail: 1.0, 0.3, "layers", "gradients that are waited for in any case";
    shard_window: 0.8, 0.3, "1", "share of the computing behind which gathered weights hide";
    shard_slowdown: 0.1, 0.7, "1", "computing time lost per second of communication under it";
    gradient_bytes: 2.0, 0.3, "byte", "bytes of a gradient on the wire";
    optimizer_bytes: 34.0, 0.3, "byte", "memory traffic of the optimizer per parameter of its shard";
    cast_bytes: 4.0, 0.5, "byte", "memory traffic per parameter of the stage in each step";
    step_fixed: 5e-3, 1.0, "s", "fixed time of a step";
    pressure: 1e-6, 0.001, "1", "slowdown where memory is nearly full: the allocator retries";
    gpu_factor: 1.0, 0.08, "1", "rate of multiplications on this GPU over what the stack reaches elsewhere";
    attention_factor: 1.0, 0.15, "1", "rate of attention on this GPU over what the stack reaches elsewhere";
    activation_width: 16.0, 0.3, "byte", "activations kept per token, unit of width and layer, beside the matrices' inputs";
    activation_mlp: 1.0, 0.3, "1", "share of the MLP's inner values that is kept";
    activation_routed: 8.0, 0.5, "byte", "activations kept per routed token and unit of width";
    activation_selective: 0.6, 0.4, "1", "share of a layer's activations that selective recomputation drops";
    logits_bytes: 8.0, 0.4, "byte", "memory of the logits per token and entry of the vocabulary";
    reserved_bytes: 1.5e9, 0.5, "byte", "context, libraries, buckets, what the allocator cannot use";
}

/// The share of memory beyond which the allocator retries.
pub const PRESSURE_FROM: f64 = 0.93;

/// The share over which that grows to its full effect.
pub const PRESSURE_OVER: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_names_are_in_the_same_order() {
        let values = Stack::PRIOR.values();
        for (constant, value) in CONSTANTS.iter().zip(values) {
            assert_eq!(constant.prior, value, "{}", constant.name);
            assert!(constant.prior > 0.0 && constant.spread > 0.0);
        }
        assert_eq!(Stack::from_values(values), Stack::PRIOR);
    }
}
