//! The lists behind the parameters that are choices.

use super::param::Choice;
use crate::catalog;
use crate::locale::Text;
use std::sync::LazyLock;

const fn choice(key: &'static str, de: &'static str, en: &'static str) -> Choice {
    Choice { key, label: Text { de, en } }
}

const fn named(key: &'static str, name: &'static str) -> Choice {
    Choice { key, label: Text::same(name) }
}

/// Automatic, then the published models by size.
pub fn shapes() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> = LazyLock::new(|| {
        let published = catalog::SHAPES.iter().map(|shape| named(shape.id, shape.name));
        std::iter::once(choice("auto", "passend zur Größe", "to suit the size")).chain(published).collect()
    });
    &LIST
}

/// Number formats.
pub fn precisions() -> &'static [Choice] {
    const { &[named("bf16", "bf16"), named("fp16", "fp16"), named("fp8", "fp8"), named("fp32", "fp32 / tf32")] }
}

/// Kinds of attention.
pub fn attentions() -> &'static [Choice] {
    const { &[choice("fused", "verschmolzen", "fused"), choice("plain", "schrittweise", "step by step")] }
}

/// The accelerators of the catalogue.
pub fn gpus() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> = LazyLock::new(|| catalog::GPUS.iter().map(|gpu| named(gpu.id, gpu.name)).collect());
    &LIST
}

/// The networks of the catalogue.
pub fn networks() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> =
        LazyLock::new(|| catalog::NETWORKS.iter().map(|network| named(network.id, network.name)).collect());
    &LIST
}

/// The libraries of the catalogue.
pub fn backends() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> =
        LazyLock::new(|| catalog::BACKENDS.iter().map(|backend| named(backend.id, backend.name)).collect());
    &LIST
}

/// Kinds of plan.
pub fn strategies() -> &'static [Choice] {
    const {
        &[
            choice("auto", "automatisch", "automatic"),
            named("ddp", "DDP"),
            named("zero1", "ZeRO-1"),
            named("zero2", "ZeRO-2"),
            named("fsdp", "FSDP (ZeRO-3)"),
            choice("hsdp", "FSDP in der Maschine (HSDP)", "FSDP inside the machine (HSDP)"),
            choice("3d", "Tensor × Pipeline × Daten", "tensor × pipeline × data"),
            // Copies and an all-reduce, as with DDP (https://www.tensorflow.org/guide/distributed_training).
            named("mirrored", "MirroredStrategy (TensorFlow)"),
            choice("ps", "Parameterserver (TensorFlow)", "parameter server (TensorFlow)"),
        ]
    }
}

/// Kinds of recomputation.
pub fn recomputes() -> &'static [Choice] {
    const {
        &[
            choice("auto", "automatisch", "automatic"),
            choice("none", "keine", "none"),
            choice("selective", "nur Attention", "selective"),
            choice("full", "vollständig", "full"),
        ]
    }
}

/// Kinds of overlap.
pub fn overlaps() -> &'static [Choice] {
    const { &[choice("none", "keine", "none"), choice("realistic", "realistisch", "realistic"), choice("perfect", "vollkommen", "perfect")] }
}

/// The price lists' entries.
pub fn offers() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> = LazyLock::new(|| catalog::PRICES.iter().map(|price| named(price.id, price.label)).collect());
    &LIST
}

/// The regions of the carbon table.
pub fn grids() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> = LazyLock::new(|| catalog::GRIDS.iter().map(|grid| named(grid.region, grid.region)).collect());
    &LIST
}

/// Yes or no.
pub fn yes_no() -> &'static [Choice] {
    const { &[choice("no", "nein", "no"), choice("yes", "ja", "yes")] }
}

/// What is trained.
pub fn methods() -> &'static [Choice] {
    const {
        &[
            choice("full", "alle Gewichte", "all weights"),
            choice("lora", "LoRA auf 16 Bit", "LoRA on 16 bits"),
            choice("lora8", "LoRA auf 8 Bit", "LoRA on 8 bits"),
            choice("lora4", "LoRA auf 4 Bit (QLoRA)", "LoRA on 4 bits (QLoRA)"),
        ]
    }
}

/// What happens after a failure.
pub fn recoveries() -> &'static [Choice] {
    const {
        &[
            choice("spare", "Neustart mit Ersatz", "restart with a spare"),
            choice("wait", "Neustart nach Reparatur", "restart after the repair"),
            choice("elastic", "elastisch: ohne sie weiter", "elastic: on without it"),
        ]
    }
}

/// Optimizers.
pub fn optimizers() -> &'static [Choice] {
    const { &[named("adam", "Adam"), choice("adam8", "Adam mit 8 Bit", "8-bit Adam"), choice("sgd", "SGD mit Impuls", "SGD with momentum")] }
}

/// The software stacks of the catalogue.
pub fn stacks() -> &'static [Choice] {
    static LIST: LazyLock<Vec<Choice>> = LazyLock::new(|| catalog::STACKS.iter().map(|stack| named(stack.id, stack.name)).collect());
    &LIST
}
