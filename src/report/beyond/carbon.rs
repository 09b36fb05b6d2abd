//! The carbon of making the hardware, beside that of its electricity.

use super::{DIGITS, Shown, row, t, table};
use crate::catalog::{self, Constant};
use crate::locale::quantity::{ANSWER_DIGITS, carbon, percent};
use crate::locale::{Lang, fill};
use crate::model::embodied::{Embodied, HOURS_PER_YEAR};
use crate::report::Answers;
use crate::scenario::Param;
use serde_json::{Value, json};

/// GPUs on the boards whose footprint their maker states.
const GPUS_PER_BOARD: f64 = 8.0;

/// Carbon of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The hardware.
    pub hardware: Embodied,
    /// Kilograms of making that the one machine's and the cluster's run use up.
    pub making_kg: [f64; 2],
    /// Kilograms of the electricity of both.
    pub electricity_kg: [f64; 2],
    /// Share of making in the whole of both, 0 to 1.
    pub share: [f64; 2],
}

/// Kilograms of making one GPU and where that comes from: the board's share where its maker states it, else the estimate for an A100.
fn gpu(id: &str) -> (f64, &'static Constant) {
    if id.starts_with("b200") || id.starts_with("b300") || id.starts_with("gb") {
        (catalog::EMBODIED_HGX_B200.value / GPUS_PER_BOARD, &catalog::EMBODIED_HGX_B200)
    } else if id.starts_with("h100") || id.starts_with("h200") || id.starts_with("gh200") {
        (catalog::EMBODIED_HGX_H100.value / GPUS_PER_BOARD, &catalog::EMBODIED_HGX_H100)
    } else {
        (catalog::EMBODIED_GPU.value, &catalog::EMBODIED_GPU)
    }
}

/// The figures.
pub fn figures(answers: &Answers) -> Figures {
    let n = |param| answers.scenario.number(param);
    let hardware = Embodied {
        server_kg: catalog::EMBODIED_SERVER.value,
        gpu_kg: gpu(answers.setup.gpu).0,
        gpus_per_server: n(Param::PerMachine),
        life_hours: n(Param::LifeYears) * HOURS_PER_YEAR,
        utilisation: n(Param::InUse),
    };
    let bills = [&answers.single.bill, &answers.cluster.bill];
    Figures {
        hardware,
        making_kg: bills.map(|bill| hardware.run_kg(bill.gpu_hours)),
        electricity_kg: bills.map(|bill| bill.co2_kg),
        share: bills.map(|bill| hardware.share(bill.gpu_hours, bill.co2_kg)),
    }
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        json!({
            "embodied_kg_per_gpu": self.hardware.kg_per_gpu(), "embodied_kg_per_gpu_hour": self.hardware.kg_per_gpu_hour(),
            "single_embodied_kg": self.making_kg[0], "single_embodied_share": self.share[0],
            "cluster_embodied_kg": self.making_kg[1], "cluster_embodied_share": self.share[1],
        })
    }
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let f = figures(answers);
    let kg = |value: f64| carbon(value, DIGITS, lang);
    let words = t(
        "Zu den {electricity} CO₂ des Stroms kommen auf dem Cluster {making} für die Herstellung der Hardware: {share} des Ganzen.",
        "To the {electricity} of CO₂ from electricity, making the hardware adds {making} on the cluster: {share} of the whole.",
    );
    let finding = fill(
        words.in_lang(lang),
        &[
            ("electricity", &carbon(f.electricity_kg[1], ANSWER_DIGITS, lang)),
            ("making", &carbon(f.making_kg[1], ANSWER_DIGITS, lang)),
            ("share", &percent(f.share[1], ANSWER_DIGITS, lang)),
        ],
    );
    let m = lang.messages();
    let both =
        |values: [f64; 2], show: &dyn Fn(f64) -> String| format!("{}: {} · {}: {}", m.single, show(values[0]), m.cluster, show(values[1]));
    let life = if answers.scenario.own(Param::LifeYears).is_some() { m.own_value } else { catalog::SERVER_LIFE.source };
    let used = if answers.scenario.own(Param::InUse).is_some() { m.own_value } else { catalog::EMBODIED_UTILISATION_BLOOM.source };
    let rows = vec![
        row(
            t("Herstellung einer GPU", "Making a GPU"),
            kg(f.hardware.gpu_kg),
            t(
                "ein Achtel der Platine; ohne Angabe des Herstellers wie eine A100",
                "an eighth of the board; without a figure from its maker as an A100",
            ),
            gpu(answers.setup.gpu).1.source,
        ),
        row(
            t("Herstellung des Servers", "Making the server"),
            kg(f.hardware.server_kg),
            t(
                "ohne GPUs, verteilt auf die GPUs der Maschine; das Netz nicht enthalten",
                "without GPUs, spread over the machine's GPUs; network not contained",
            ),
            catalog::EMBODIED_SERVER.source,
        ),
        row(
            t("Nutzungsdauer", "Service life"),
            crate::scenario::display::value(Param::LifeYears, answers.scenario.number(Param::LifeYears), lang),
            t("trägt die Herstellung", "carries the making"),
            life,
        ),
        row(
            t("Auslastung", "Utilisation"),
            percent(f.hardware.utilisation, DIGITS, lang),
            t("Anteil der genutzten Stunden", "share of the hours in use"),
            used,
        ),
        row(
            t("Je GPU-Stunde", "Per GPU-hour"),
            kg(f.hardware.kg_per_gpu_hour()),
            t("(GPU + Server/g) / (Nutzungsdauer · Auslastung)", "(GPU + server/g) / (service life · use)"),
            catalog::EMBODIED_SERVER.source,
        ),
        row(
            t("Anteil am Lauf", "Share of the run"),
            both(f.making_kg, &kg),
            t("GPU-Stunden · kg", "GPU-hours · kg"),
            catalog::EMBODIED_SERVER.source,
        ),
        row(
            t("Strom des Laufs", "Electricity of the run"),
            both(f.electricity_kg, &kg),
            t("Energie · g je kWh", "energy · g per kWh"),
            "https://github.com/mlco2/codecarbon",
        ),
        row(
            t("Anteil der Herstellung", "Share of making"),
            both(f.share, &|share| percent(share, DIGITS, lang)),
            t("Herstellung / (Herstellung + Strom)", "making / (making + electricity)"),
            catalog::EMBODIED_SERVER.source,
        ),
    ];
    Shown { finding, table: table(rows, lang) }
}
