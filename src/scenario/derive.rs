//! What a parameter is while the person has not set it, and where it has no meaning.

use super::resolve::GATED_MATRICES;
use super::shape::{published, widths};
use super::{Param, Scenario};
use crate::catalog::{self, Gpu, Network, Price};
use crate::locale::Text;
use crate::model::purchase::HOURS_PER_YEAR;
use crate::model::storage;

/// Left to the model.
pub fn open(_: &Scenario) -> Option<f64> {
    None
}

/// The GPU of the scenario.
pub fn gpu_row(s: &Scenario) -> &'static Gpu {
    // A choice's index lies inside its list.
    &catalog::GPUS[s.choice_index(Param::Gpu).min(catalog::GPUS.len() - 1)]
}

/// The network of the scenario.
pub fn network_row(s: &Scenario) -> &'static Network {
    &catalog::NETWORKS[s.choice_index(Param::Network).min(catalog::NETWORKS.len() - 1)]
}

/// The price list's entry of the scenario: the chosen one, or the cheapest on demand with a fast network, or the cheapest on demand.
pub fn offer_row(s: &Scenario) -> Option<&'static Price> {
    let index = s.value(Param::Offer)?;
    catalog::PRICES.get(index as usize)
}

/// bf16 where the GPU has it, else fp16: the first two of the list.
pub fn precision(s: &Scenario) -> f64 {
    if gpu_row(s).peak_bf16.is_some() { 0.0 } else { 1.0 }
}

pub fn params(s: &Scenario) -> f64 {
    published(s).map_or(7e9, |shape| shape.params)
}

pub fn experts(s: &Scenario) -> f64 {
    published(s).map_or(1.0, |shape| shape.experts)
}

/// Two, as in the first large mixtures (Lepikhin 2020, arXiv 2006.16668), or what the published model has.
pub fn experts_per_token(s: &Scenario) -> f64 {
    published(s).map_or(2.0, |shape| shape.experts_per_token).min(s.number(Param::Experts))
}

pub fn moot_experts(s: &Scenario) -> Option<Text> {
    (s.number(Param::Experts) <= 1.0).then_some(Text { de: "Erst mit Experten", en: "Only with experts" })
}

pub fn moot_adapters(s: &Scenario) -> Option<Text> {
    (s.choice_key(Param::Method) == "full").then_some(Text { de: "Alle Gewichte werden trainiert", en: "All weights are trained" })
}

/// The size of the dense model whose widths a model has: with experts, a third of it stays dense and the rest shrinks to the experts that a
/// token passes.
fn dense_size(s: &Scenario) -> f64 {
    let (params, experts) = (s.number(Param::Params), s.number(Param::Experts));
    if experts <= 1.0 { params } else { (params * (1.0 / 3.0 + 2.0 / 3.0 * s.number(Param::ExpertsPerToken) / experts)).max(1e6) }
}

macro_rules! width {
    ($name:ident) => {
        pub fn $name(s: &Scenario) -> f64 {
            published(s).map_or_else(|| widths(dense_size(s)).$name, |shape| f64::from(shape.$name))
        }
    };
}
width!(layers);
width!(hidden);
width!(heads);
width!(vocab);

/// Width of the MLP, or of one expert: with experts, what attention and embeddings leave of the stated size.
pub fn ffn(s: &Scenario) -> f64 {
    let dense = published(s).map_or_else(|| widths(s.number(Param::Params)).ffn, |shape| f64::from(shape.ffn));
    let experts = s.number(Param::Experts);
    if experts <= 1.0 || published(s).is_some() {
        return dense;
    }
    let (params, layers, hidden) = (s.number(Param::Params), s.number(Param::Layers), s.number(Param::Hidden));
    let layer = (params - (2.0 * s.number(Param::Vocab) * hidden).min(params / 2.0)) / layers;
    let attention = 4.0 * hidden * hidden;
    ((layer - attention).max(layer / 2.0) / experts / GATED_MATRICES / hidden).round().clamp(8.0, 1_048_576.0)
}

pub fn kv_heads(s: &Scenario) -> f64 {
    published(s).map_or_else(|| s.number(Param::Heads), |shape| f64::from(shape.kv_heads))
}

pub fn seq(s: &Scenario) -> f64 {
    published(s).map_or(4096.0, |shape| f64::from(shape.seq))
}

/// Data set times epochs, or 300 billion, as GPT-3 was trained on (arXiv 2005.14165).
pub fn tokens(s: &Scenario) -> f64 {
    match s.value(Param::Data) {
        Some(data) => (data * s.number(Param::Epochs)).clamp(1e5, 1e15),
        None => 300e9,
    }
}

pub fn moot_data(s: &Scenario) -> Option<Text> {
    s.own(Param::Tokens).map(|_| Text { de: "Die Trainingstoken sind gesetzt", en: "The training tokens are set" })
}

pub fn moot_epochs(s: &Scenario) -> Option<Text> {
    match (s.own(Param::Tokens), s.value(Param::Data)) {
        (Some(_), _) => moot_data(s),
        (None, None) => Some(Text { de: "Erst mit einem Datensatz", en: "Only with a data set" }),
        (None, Some(_)) => None,
    }
}

/// Tokens per step of the published model, or of the GPT-3 family at this size (arXiv 2005.14165, table 2.1), where 0.5M, 1M, 2M
/// and 3.2M stand for whole sequences of 2,048.
pub fn batch(s: &Scenario) -> f64 {
    published(s).and_then(|shape| shape.batch_tokens).unwrap_or_else(|| match s.number(Param::Params) {
        p if p < 1e9 => f64::from(1 << 19),
        p if p < 5e9 => f64::from(1 << 20),
        p if p < 100e9 => f64::from(1 << 21),
        _ => f64::from(3 << 20),
    })
}

pub fn per_machine(s: &Scenario) -> f64 {
    f64::from(gpu_row(s).per_machine)
}

pub fn link(s: &Scenario) -> f64 {
    gpu_row(s).link_bytes_per_s / 1e9
}

pub fn bandwidth(s: &Scenario) -> f64 {
    network_row(s).gbit_per_s
}

pub fn latency(s: &Scenario) -> f64 {
    network_row(s).latency_s * 1e6
}

pub fn achieved(s: &Scenario) -> f64 {
    network_row(s).achieved
}

pub fn moot_degrees(s: &Scenario) -> Option<Text> {
    let data_only = !matches!(s.choice_key(Param::Strategy), "auto" | "3d");
    data_only.then_some(Text { de: "Die Strategie teilt nur die Daten", en: "The strategy splits the data only" })
}

pub fn mtbf(_: &Scenario) -> f64 {
    catalog::GPU_HOURS_PER_FAILURE.value
}

pub fn checkpoint(_: &Scenario) -> f64 {
    catalog::CHECKPOINT_WRITE.value / 1e9
}

pub fn restart(_: &Scenario) -> f64 {
    catalog::RESTART.value
}

/// The cheapest entry on demand whose instances are tied by a network, else the cheapest on demand; none if no price is known.
pub fn offer(s: &Scenario) -> Option<f64> {
    let gpu = gpu_row(s).id;
    let on_demand = || catalog::PRICES.iter().enumerate().filter(|(_, price)| price.gpu == gpu && !price.spot);
    let cheapest = |a: &(usize, &Price), b: &(usize, &Price)| a.1.usd_per_gpu_hour.total_cmp(&b.1.usd_per_gpu_hour);
    let tied = on_demand().filter(|(_, price)| price.network_gbit_per_s.is_some()).min_by(cheapest);
    tied.or_else(|| on_demand().min_by(cheapest)).map(|(index, _)| index as f64)
}

pub fn price(s: &Scenario) -> Option<f64> {
    offer_row(s).map(|price| price.usd_per_gpu_hour)
}

pub fn power(s: &Scenario) -> f64 {
    let gpu = gpu_row(s);
    gpu.server_w.unwrap_or(gpu.board_w / catalog::SERVER_SHARE.value)
}

pub fn pue(_: &Scenario) -> f64 {
    catalog::PUE.value
}

pub fn electricity(_: &Scenario) -> f64 {
    catalog::ELECTRICITY_USD.value
}

pub fn carbon(s: &Scenario) -> f64 {
    catalog::GRIDS[s.choice_index(Param::Grid).min(catalog::GRIDS.len() - 1)].g_per_kwh
}

/// As in DiLoCo (arXiv 2311.08105).
pub fn local_steps(_: &Scenario) -> f64 {
    catalog::DILOCO_INNER_STEPS.value
}

pub fn moot_sites(s: &Scenario) -> Option<Text> {
    (s.number(Param::Sites) <= 1.0).then_some(Text { de: "Erst ab zwei Standorten", en: "Only from two sites on" })
}

pub fn moot_clients(s: &Scenario) -> Option<Text> {
    (s.number(Param::Clients) <= 1.0).then_some(Text { de: "Erst ab zwei Teilnehmern", en: "Only from two clients on" })
}

pub fn moot_updates(s: &Scenario) -> Option<Text> {
    moot_sites(s).and(moot_clients(s)).map(|_| Text { de: "Niemand sendet Änderungen", en: "Nobody sends updates" })
}

pub fn chosen(_: &Scenario) -> f64 {
    catalog::FEDERATED_CHOSEN_SHARE.value
}

pub fn uplink(_: &Scenario) -> f64 {
    catalog::UPLINK_HOME_DE.value * 8.0 / 1e6
}

pub fn local_epochs(_: &Scenario) -> f64 {
    catalog::FEDERATED_LOCAL_EPOCHS.value
}

pub fn token_bytes(s: &Scenario) -> f64 {
    storage::token_bytes(s.number(Param::Vocab))
}

/// What the GPU costs to buy with its share of the server, where a price is known.
pub fn purchase_row(s: &Scenario) -> Option<&'static catalog::Purchase> {
    catalog::PURCHASES.iter().find(|row| row.gpu == gpu_row(s).id)
}

pub fn buy(s: &Scenario) -> Option<f64> {
    purchase_row(s).map(|row| row.usd / row.gpus)
}

pub fn life_years(_: &Scenario) -> f64 {
    catalog::SERVER_LIFE.value / HOURS_PER_YEAR
}

pub fn in_use(_: &Scenario) -> f64 {
    catalog::EMBODIED_UTILISATION_BLOOM.value
}

pub fn wage(_: &Scenario) -> f64 {
    catalog::LABOUR_HOUR.value
}

pub fn moot_wage(s: &Scenario) -> Option<Text> {
    (s.number(Param::SetupHours) <= 0.0).then_some(Text { de: "Ohne Einrichtung keine Arbeitsstunden", en: "No work without set-up" })
}
