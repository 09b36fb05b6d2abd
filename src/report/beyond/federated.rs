//! Clients that keep their data and train in rounds, against gathering the data and training on the one machine.

use super::{ASSUMED, DERIVED, DIGITS, Shown, row, t, table, whole};
use crate::catalog;
use crate::locale::quantity::{ANSWER_DIGITS, bytes, duration};
use crate::locale::{Lang, fill, number};
use crate::model::federated::{Federation, Gathering, Round, Run, expected_slowest, masked_expansion};
use crate::model::{Link, work};
use crate::report::Answers;
use crate::scenario::Param;
use serde_json::{Value, json};

const FEDAVG: &str = "https://arxiv.org/abs/1602.05629";

/// Bits of a value of the model as a client loads it.
const MODEL_BITS: f64 = 16.0;

/// A client loads so many times as fast as it sends: usual at home connections.
const DOWN_OVER_UP: f64 = 10.0;

/// Latency of a home connection, as `home-median-de` of the networks.
const CLIENT_LATENCY_S: f64 = 0.015;

/// The server's link, each direction: 10 Gbit/s.
const SERVER_BYTES_PER_S: f64 = 1.25e9;

/// σ of the logarithm of the clients' time: one in six takes 1.65 times the median or more. An assumption.
const SPEED_SIGMA: f64 = 0.5;

/// Reporting clients above which the larger measured factor of secure aggregation holds.
const THOUSAND: f64 = 1024.0;

/// What a federation takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The federation.
    pub federation: Federation,
    /// One round.
    pub round: Round,
    /// All rounds.
    pub run: Run,
    /// Gathering the data in one place.
    pub gathering: Gathering,
    /// Time of the slowest reporting client over that of the median one.
    pub slowest_factor: f64,
    /// Seconds of gathering and of training on the one machine.
    pub gathered_time_s: f64,
}

/// The federation of a scenario.
fn federation(answers: &Answers) -> Federation {
    let s = &answers.scenario;
    let n = |param| s.number(param);
    let job = &answers.setup.job;
    // Tokens of the data set, each once; all training tokens where no data set is given.
    let data = s.value(Param::Data).filter(|_| Param::Data.moot(s).is_none()).unwrap_or(job.tokens).min(job.tokens);
    let up = Link { bytes_per_s: n(Param::Uplink) * 1e6 / 8.0, latency_s: CLIENT_LATENCY_S };
    let plain = Federation {
        clients: n(Param::Clients),
        chosen_share: n(Param::Chosen),
        dropout: catalog::FEDERATED_DROPOUT.value,
        params: job.params * job.states.trained,
        bytes_per_value: MODEL_BITS / 8.0,
        update_share: n(Param::UpdateBits) / MODEL_BITS,
        secure_expansion: 1.0,
        samples_per_client: data / n(Param::Clients),
        sample_bytes: n(Param::TokenBytes),
        flop_per_sample: work::rule_of_thumb_flop(job.active_params(), 1.0),
        local_epochs: n(Param::LocalEpochs),
        device_flop_per_s: n(Param::ClientRate) * 1e12,
        down: Link { bytes_per_s: DOWN_OVER_UP * up.bytes_per_s, ..up },
        up,
        server_bytes_per_s: SERVER_BYTES_PER_S,
        speed_sigma: SPEED_SIGMA,
    };
    if s.choice_key(Param::Secure) != "yes" {
        return plain;
    }
    let reporting = plain.round().reporting;
    let measured = if reporting > THOUSAND { catalog::SECURE_EXPANSION_SIXTEEN_THOUSAND } else { catalog::SECURE_EXPANSION_THOUSAND }.value;
    // Measured with values of 16 bit; masks weigh more on smaller ones.
    Federation { secure_expansion: measured.max(masked_expansion(n(Param::UpdateBits), reporting)), ..plain }
}

/// The figures.
pub fn figures(answers: &Answers) -> Figures {
    let federation = federation(answers);
    let round = federation.round();
    let data = federation.clients * federation.samples_per_client;
    let counted = || federation.rounds_for_epochs(answers.setup.job.tokens / data).ceil().max(1.0);
    let rounds = answers.scenario.value(Param::Rounds).unwrap_or_else(counted);
    let gathering = federation.gathering();
    Figures {
        federation,
        round,
        run: federation.run(rounds),
        gathering,
        slowest_factor: expected_slowest(round.reporting, SPEED_SIGMA),
        gathered_time_s: gathering.gather_s + answers.single.time_s,
    }
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        let round = &self.round;
        json!({
            "clients": self.federation.clients, "chosen_clients": round.chosen, "reporting_clients": round.reporting, "rounds": self.run.rounds,
            "round_s": round.round_s, "download_s": round.download_s, "compute_s": round.compute_s, "upload_s": round.upload_s, "wait_s": round.wait_s,
            "slowest_over_median": self.slowest_factor, "update_bytes": self.federation.update_bytes(), "secure_expansion": self.federation.secure_expansion,
            "time_s": self.run.total_s, "moved_bytes": self.run.bytes, "mean_client_bytes": self.run.mean_client_bytes,
            "gathered_time_s": self.gathered_time_s, "gather_s": self.gathering.gather_s, "gathered_bytes": self.gathering.bytes,
        })
    }
}

fn finding(f: &Figures, answers: &Answers, lang: Lang) -> String {
    let words = if f.federation.clients <= 1.0 {
        t("Ein Teilnehmer: Alle Daten liegen schon an einem Ort.", "One client: all data is in one place already.")
    } else if answers.single.fits {
        t(
            "{clients} Teilnehmer, {chosen} je Runde: {rounds} Runden (je {round}) dauern {time} und bewegen {moved}; Sammeln und Trainieren auf der einen Maschine dauert {gathered} und bewegt {raw}.",
            "{clients} clients, {chosen} a round: {rounds} rounds ({round} each) take {time} and move {moved}; gathering the data and training on the one machine takes {gathered} and moves {raw}.",
        )
    } else {
        t(
            "{clients} Teilnehmer, {chosen} je Runde: {rounds} Runden (je {round}) dauern {time} und bewegen {moved}; die Rohdaten zu sammeln bewegt {raw}, doch die eine Maschine fasst das Modell nicht.",
            "{clients} clients, {chosen} a round: {rounds} rounds ({round} each) take {time} and move {moved}; gathering the raw data moves {raw}, but the one machine does not hold the model.",
        )
    };
    let time = |seconds| duration(seconds, ANSWER_DIGITS, lang);
    let size = |value| bytes(value, ANSWER_DIGITS, lang);
    fill(
        words.in_lang(lang),
        &[
            ("clients", &whole(f.federation.clients, lang)),
            ("chosen", &whole(f.round.chosen, lang)),
            ("rounds", &whole(f.run.rounds, lang)),
            ("round", &time(f.round.round_s)),
            ("time", &time(f.run.total_s)),
            ("moved", &size(f.run.bytes)),
            ("gathered", &time(f.gathered_time_s)),
            ("raw", &size(f.gathering.bytes)),
        ],
    )
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let f = figures(answers);
    let m = lang.messages();
    let time = |seconds| duration(seconds, DIGITS, lang);
    let size = |value| bytes(value, DIGITS, lang);
    let mut rows = vec![
        row(
            t("Laden des Modells", "Loading the model"),
            time(f.round.download_s),
            t(
                "2 Byte je Wert; zehnmal so schnell wie das Senden, Server mit 10 Gbit/s",
                "2 bytes per value; ten times as fast as sending, server with 10 Gbit/s",
            ),
            ASSUMED,
        ),
        row(
            t("Lokales Training", "Local training"),
            time(f.round.compute_s),
            if answers.scenario.own(Param::ClientRate).is_some() {
                t(
                    "Token · Epochen · 6·P / Rechenleistung; der Speicher der Teilnehmer wird nicht geprüft",
                    "tokens · epochs · 6·P / rate; the clients' memory is not checked",
                )
            } else {
                t(
                    "Token · Epochen · 6·P / Rechenleistung (10 TFLOP/s, Annahme); der Speicher der Teilnehmer wird nicht geprüft",
                    "tokens · epochs · 6·P / rate (10 TFLOP/s, an assumption); the clients' memory is not checked",
                )
            },
            "https://arxiv.org/abs/2001.08361",
        ),
        row(
            t("Senden der Änderung", "Sending the update"),
            time(f.round.upload_s),
            t("über den Uplink", "over the uplink"),
            if answers.scenario.own(Param::Uplink).is_some() { m.own_value } else { catalog::UPLINK_HOME_DE.source },
        ),
        row(
            t("Warten auf den langsamsten", "Waiting for the slowest"),
            time(f.round.wait_s),
            t("Zeiten lognormal verteilt, σ = 0,5", "Times log-normal, σ = 0.5"),
            ASSUMED,
        ),
        row(
            t("Langsamster gegen mittleren", "Slowest over median"),
            number::significant(f.slowest_factor, DIGITS, lang),
            t("Erwartungswert unter denen, die melden; 8 % fallen aus", "Expected among those that report; 8% drop out"),
            catalog::FEDERATED_DROPOUT.source,
        ),
        row(t("Eine Änderung", "An update"), size(f.federation.update_bytes()), t("P·Bit/8", "P·bits/8"), FEDAVG),
        row(
            t("Je Teilnehmer im ganzen Lauf", "Per client in the whole run"),
            size(f.run.mean_client_bytes),
            t("geladen und gesendet, im Mittel", "loaded and sent, on average"),
            FEDAVG,
        ),
        row(
            t("Sammeln der Rohdaten", "Gathering the raw data"),
            time(f.gathering.gather_s),
            t("alle zugleich; der langsamste Uplink oder der Server", "all at once; the slowest uplink or the server"),
            DERIVED,
        ),
        row(
            t("Runden gleicher Datenmenge", "Rounds of equal traffic"),
            number::significant(f.gathering.rounds_of_equal_bytes, DIGITS, lang),
            t("so viele bewegen so viel wie das Sammeln", "so many move as much as gathering does"),
            FEDAVG,
        ),
    ];
    if f.federation.secure_expansion > 1.0 {
        rows.push(row(
            t("Sichere Aggregation", "Secure aggregation"),
            format!("× {}", number::significant(f.federation.secure_expansion, DIGITS, lang)),
            t("gemessen bei 16 Bit; bei weniger Bit wiegen die Masken schwerer", "measured at 16 bits; masks weigh more on fewer"),
            catalog::SECURE_EXPANSION_THOUSAND.source,
        ));
    }
    if answers.scenario.own(Param::Rounds).is_some() {
        rows.push(row(
            t("Runden", "Rounds"),
            whole(f.run.rounds, lang),
            t("die Güte wird nicht gerechnet", "quality is not modelled"),
            m.own_value,
        ));
    }
    Shown { finding: finding(&f, answers, lang), table: table(rows, lang) }
}
