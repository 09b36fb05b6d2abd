//! The stacked bars: the parts of a step, the parts of a GPU's memory.

use super::sentences;
use crate::chart::{BarSpec, Capacity, DataTable, Fill, Segment, Side};
use crate::locale::quantity::{ANSWER_DIGITS, bytes, duration, percent};
use crate::locale::{Lang, fill};
use crate::model::Estimate;

/// Parts below this share of the whole are left out of the bar; the table has them.
const SMALLEST: f64 = 0.002;

fn table(lang: Lang, parts: &[(&'static str, f64)], whole: f64, format: impl Fn(f64) -> String) -> DataTable {
    let m = lang.messages();
    DataTable {
        columns: [m.column_part, m.column_value, m.column_share].map(String::from).to_vec(),
        rows: parts
            .iter()
            .filter(|(_, value)| *value > 0.0)
            .map(|(label, value)| vec![label.to_string(), format(*value), percent(value / whole, ANSWER_DIGITS, lang)])
            .collect(),
    }
}

/// The parts of one step.
pub fn step(id: &str, side: Side, estimate: &Estimate, lang: Lang) -> BarSpec {
    let m = lang.messages();
    let step = &estimate.step;
    let seconds = |value: f64| duration(value, ANSWER_DIGITS, lang);
    let parts = [
        (m.part_linear, step.linear, side, Fill::Solid),
        (m.part_experts, step.experts, side, Fill::Shade(4)),
        (m.part_attention, step.attention, side, Fill::Shade(2)),
        (m.part_elementwise, step.elementwise, side, Fill::Shade(3)),
        (m.part_tensor, step.tensor_comm, side, Fill::Hatched),
        (m.part_context, step.context_comm, side, Fill::Hatched),
        (m.part_exchange, step.expert_comm, side, Fill::Hatched),
        (m.part_pipeline, step.pipeline_comm, side, Fill::Hatched),
        (m.part_data, step.data_comm, side, Fill::Hatched),
        (m.part_bubble, step.bubble, Side::Neutral, Fill::Hatched),
        (m.part_overhead, step.overhead, Side::Neutral, Fill::Shade(2)),
        (m.part_optimizer, step.optimizer, Side::Neutral, Fill::Shade(1)),
        (m.part_pressure, step.pressure, Side::Neutral, Fill::Shade(3)),
    ];
    let total = step.total();
    let named: Vec<(&'static str, f64)> = parts.iter().map(|(label, value, ..)| (*label, *value)).collect();
    BarSpec {
        id: id.to_string(),
        title: sentences::step(estimate, lang),
        subtitle: if step.hidden > 0.0 { fill(m.part_hidden, &[("time", &seconds(step.hidden))]) } else { String::new() },
        caption: sentences::step(estimate, lang),
        segments: parts
            .into_iter()
            .filter(|(_, value, ..)| *value > total * SMALLEST)
            .map(|(label, value, side, fill)| Segment { label: label.to_string(), value, value_label: seconds(value), side, fill })
            .collect(),
        capacity: None,
        table: table(lang, &named, total, seconds),
    }
}

/// The parts of the fullest GPU's memory against what it has.
pub fn memory(id: &str, side: Side, estimate: &Estimate, lang: Lang) -> BarSpec {
    let m = lang.messages();
    let memory = &estimate.memory;
    let size = |value: f64| bytes(value, ANSWER_DIGITS, lang);
    let parts = [
        (m.part_weights, memory.weights, side, Fill::Solid),
        (m.part_gradients, memory.gradients, side, Fill::Shade(2)),
        (m.part_states, memory.optimizer, side, Fill::Shade(3)),
        (m.part_gathered, memory.gathered, side, Fill::Shade(4)),
        (m.part_activations, memory.activations, Side::Neutral, Fill::Shade(1)),
        (m.part_logits, memory.logits, Side::Neutral, Fill::Shade(2)),
        (m.part_reserved, memory.reserved, Side::Neutral, Fill::Shade(4)),
    ];
    let (total, capacity) = (memory.total(), estimate.cluster.device.memory_bytes);
    let named: Vec<(&'static str, f64)> = parts.iter().map(|(label, value, ..)| (*label, *value)).collect();
    let places = [("used", size(total)), ("capacity", size(capacity))];
    let places: Vec<(&str, &str)> = places.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let title = fill(if estimate.fits { m.memory_title_fits } else { m.memory_title_unfit }, &places);
    BarSpec {
        id: id.to_string(),
        title: title.clone(),
        subtitle: String::new(),
        caption: title,
        segments: parts
            .into_iter()
            .filter(|(_, value, ..)| *value > total * SMALLEST)
            .map(|(label, value, side, fill)| Segment { label: label.to_string(), value, value_label: size(value), side, fill })
            .collect(),
        capacity: Some(Capacity { value: capacity, label: format!("{} {}", size(capacity), m.capacity) }),
        table: table(lang, &named, total, size),
    }
}
