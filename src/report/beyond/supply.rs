//! Loading the data: what the cluster asks of the storage, and whether it waits.

use super::{ASSUMED, DIGITS, Shown, rate, row, t, table, whole};
use crate::locale::quantity::{ANSWER_DIGITS, bytes, count, duration, percent};
use crate::locale::{Lang, fill, number};
use crate::model::storage::{Loading, Reading, Storage, stage_s};
use crate::model::{Estimate, Link};
use crate::report::Answers;
use crate::scenario::Param;
use serde_json::{Value, json};

const MEGATRON: &str = "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/datasets/indexed_dataset.py";
const MLPERF: &str = "https://github.com/mlcommons/storage";

/// What loading takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Tokens per second of the cluster while nothing waits for data.
    pub tokens_per_s: f64,
    /// Asked against given.
    pub reading: Reading,
    /// Bytes per second that the one machine asks for.
    pub single_needed_bytes_per_s: f64,
    /// Machines like the cluster's that the storage feeds.
    pub machines_fed: f64,
    /// Bytes of the training tokens.
    pub data_bytes: f64,
    /// Seconds to read them once.
    pub read_s: f64,
}

fn tokens_per_s(answers: &Answers, estimate: &Estimate) -> f64 {
    estimate.step_seqs * answers.setup.job.seq / estimate.step.total()
}

/// The figures.
pub fn figures(answers: &Answers) -> Figures {
    let n = |param| answers.scenario.number(param);
    let cluster = &answers.cluster.cluster;
    let machines = f64::from(cluster.machines());
    let per_machine = f64::from(cluster.gpus.min(cluster.per_machine));
    let tokens_per_s_cluster = tokens_per_s(answers, &answers.cluster);
    let loading = Loading { samples_per_s: tokens_per_s_cluster, sample_bytes: n(Param::TokenBytes), machines, cached_share: 0.0 };
    let bytes_per_s = n(Param::Storage) * 1e9;
    let storage = Storage { bytes_per_s, machine_bytes_per_s: cluster.outer.bytes_per_s * per_machine };
    let data_bytes = answers.setup.job.tokens * loading.sample_bytes;
    Figures {
        tokens_per_s: tokens_per_s_cluster,
        reading: loading.reading(&storage),
        single_needed_bytes_per_s: tokens_per_s(answers, &answers.single) * loading.sample_bytes,
        machines_fed: loading.machines_fed(&storage, tokens_per_s_cluster / machines),
        data_bytes,
        read_s: stage_s(data_bytes, Link { bytes_per_s, latency_s: 0.0 }),
    }
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        json!({
            "tokens_per_s": self.tokens_per_s, "needed_bytes_per_s": self.reading.needed_bytes_per_s, "given_bytes_per_s": self.reading.given_bytes_per_s,
            "speed_share": self.reading.speed, "waits": self.reading.waits(), "single_needed_bytes_per_s": self.single_needed_bytes_per_s,
            "machines_fed": self.machines_fed, "data_bytes": self.data_bytes, "read_once_s": self.read_s,
        })
    }
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let f = figures(answers);
    let reading = &f.reading;
    let words = if reading.waits() {
        t(
            "Das Training wartet auf Daten: Der Cluster braucht {needed}, der Speicher liefert {given}; es bleiben {speed} des Tempos. In den Zeiten oben ist das nicht enthalten.",
            "Training waits for data: the cluster needs {needed}, the storage gives {given}; {speed} of the speed is left. The times above do not contain that.",
        )
    } else {
        t(
            "Der Speicher kommt mit: Der Cluster liest {needed} und könnte {given} bekommen, das {times}-Fache.",
            "The storage keeps up: the cluster reads {needed} and could get {given}, {times} times as much.",
        )
    };
    let finding = fill(
        words.in_lang(lang),
        &[
            ("needed", &rate(reading.needed_bytes_per_s, lang)),
            ("given", &rate(reading.given_bytes_per_s, lang)),
            ("speed", &percent(reading.speed, ANSWER_DIGITS, lang)),
            ("times", &number::significant(reading.given_bytes_per_s / reading.needed_bytes_per_s, ANSWER_DIGITS, lang)),
        ],
    );
    let token = answers.scenario.number(Param::TokenBytes);
    let rows = vec![
        row(
            t("Token je Sekunde", "Tokens per second"),
            count(f.tokens_per_s, DIGITS, lang),
            t("Batch / Zeit eines Schritts", "batch / time of a step"),
            MLPERF,
        ),
        row(
            t("Rohdaten je Token", "Raw data per token"),
            bytes(token, DIGITS, lang),
            t("2 Byte bis 65.500 Einträge des Vokabulars, sonst 4", "2 bytes up to a vocabulary of 65,500, else 4"),
            if answers.scenario.own(Param::TokenBytes).is_some() { lang.messages().own_value } else { MEGATRON },
        ),
        row(
            t("Nötige Rate, Cluster", "Rate needed, cluster"),
            rate(reading.needed_bytes_per_s, lang),
            t("Token je Sekunde · Byte", "tokens per second · bytes"),
            MLPERF,
        ),
        row(
            t("Nötige Rate, eine Maschine", "Rate needed, one machine"),
            rate(f.single_needed_bytes_per_s, lang),
            t("Token je Sekunde · Byte", "tokens per second · bytes"),
            MLPERF,
        ),
        row(
            t("Gelieferte Rate", "Rate given"),
            rate(reading.given_bytes_per_s, lang),
            t("der Speicher oder die Netzkarten, was weniger ist", "the storage or the network cards, whichever is less"),
            if answers.scenario.own(Param::Storage).is_some() { lang.messages().own_value.into() } else { ASSUMED },
        ),
        row(
            t("Maschinen, die der Speicher versorgt", "Machines that the storage feeds"),
            whole(f.machines_fed.floor(), lang),
            t("Leserate / Rate je Maschine", "read rate / rate per machine"),
            MLPERF,
        ),
        row(
            t("Alle Trainingsdaten", "All training data"),
            bytes(f.data_bytes, DIGITS, lang),
            t("Trainingstoken · Byte", "training tokens · bytes"),
            MEGATRON,
        ),
        row(
            t("Sie einmal zu lesen", "Reading them once"),
            duration(f.read_s, DIGITS, lang),
            t("Byte / Leserate", "bytes / read rate"),
            MLPERF,
        ),
    ];
    Shown { finding, table: table(rows, lang) }
}
