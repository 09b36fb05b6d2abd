//! The cluster's GPUs on several sites that synchronise seldom (DiLoCo), against the same sites in step with each other.

use super::{DIGITS, Shown, row, t, table, whole};
use crate::catalog;
use crate::locale::quantity::{ANSWER_DIGITS, bandwidth, bytes, duration, percent};
use crate::locale::{Lang, Text, fill, number};
use crate::model::local_sgd::{LocalSgd, data_parallel_bandwidth};
use crate::model::{Conditions, Estimate, Job, Limits, Link, estimate};
use crate::report::Answers;
use crate::scenario::Param;
use serde_json::{Value, json};

const DILOCO: &str = "https://arxiv.org/abs/2311.08105";

/// Bytes of a gradient, where the sites keep in step: 16 bit.
const GRADIENT_BYTES: f64 = 2.0;

/// Share of its time in which a site computes, for which the bandwidth is told.
const EFFICIENCY: f64 = 0.9;

/// Where latency alone takes too long.
const NEVER: Text = t("keine genügt: die Latenz dauert zu lang", "none is enough: latency takes too long");

/// What several sites take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Sites, at most one per GPU.
    pub sites: f64,
    /// GPUs of one of them.
    pub gpus_per_site: u32,
    /// Whether a site holds the model in memory.
    pub fits: bool,
    /// Steps between two synchronisations.
    pub local_steps: f64,
    /// Seconds of a local step.
    pub step_s: f64,
    /// Seconds of one synchronisation.
    pub sync_s: f64,
    /// Bytes that a site sends each time.
    pub sent_bytes_per_sync: f64,
    /// Bytes that a site sends in the whole run.
    pub sent_bytes: f64,
    /// Share of its time in which a site computes.
    pub efficiency: f64,
    /// Seconds of the run with seldom synchronisation, failures counted as on the cluster.
    pub time_s: f64,
    /// Seconds of the run with gradients exchanged in every step.
    pub every_step_time_s: f64,
    /// Bytes per second between sites for nine tenths of the full speed; `None` if latency alone takes too long.
    pub needed_bytes_per_s: Option<f64>,
    /// The same with gradients exchanged in every step.
    pub every_step_needed_bytes_per_s: Option<f64>,
}

/// One site: its share of the GPUs and of the batch. Degrees of the plan that do not fit into it are searched.
fn site(answers: &Answers, sites: f64) -> Option<Estimate> {
    let setup = &answers.setup;
    // At least one GPU, and fewer than the cluster's u32.
    let gpus = (f64::from(setup.cluster.gpus) / sites).floor().max(1.0) as u32;
    let job = Job { batch_seqs: (setup.job.batch_seqs / sites).round().max(1.0), ..setup.job };
    let cluster = setup.cluster_of(gpus);
    let conditions = &setup.cluster_conditions;
    let free = Conditions { limits: Limits { tp: None, pp: None, cp: None, ep: None, ..conditions.limits }, ..*conditions };
    estimate(&job, &cluster, conditions).or_else(|| estimate(&job, &cluster, &free))
}

/// The figures; `None` if no plan divides a site.
pub fn figures(answers: &Answers) -> Option<Figures> {
    let n = |param| answers.scenario.number(param);
    let sites = n(Param::Sites).min(f64::from(answers.setup.cluster.gpus));
    let site = site(answers, sites)?;
    let job = &answers.setup.job;
    let run = LocalSgd {
        replicas: sites,
        params: job.params * job.states.trained,
        bytes_per_value: n(Param::UpdateBits) / 8.0,
        inner_steps: n(Param::LocalSteps),
        inner_step_s: site.step.total(),
        fragments: 1.0,
        overlap_steps: 0.0,
        link: Link { bytes_per_s: n(Param::SiteBandwidth) * 1e9 / 8.0, latency_s: catalog::SITE_LATENCY.value },
    };
    let every = LocalSgd { inner_steps: 1.0, bytes_per_value: GRADIENT_BYTES, ..run };
    let tokens_per_step = site.step_seqs * job.seq * sites;
    // What failures and checkpoints add to the cluster's time; whom they strike is no matter of where the GPUs stand.
    let cluster = &answers.cluster;
    let stretch = cluster.time_s / (cluster.steps * cluster.step.total());
    let round = run.round();
    Some(Figures {
        sites,
        gpus_per_site: site.cluster.gpus,
        fits: site.fits,
        local_steps: run.inner_steps,
        step_s: run.inner_step_s,
        sync_s: round.sync_s,
        sent_bytes_per_sync: round.sent_bytes,
        sent_bytes: round.sent_bytes * job.tokens / tokens_per_step / run.inner_steps,
        efficiency: round.efficiency(),
        time_s: run.run_s(job.tokens, tokens_per_step) * stretch,
        every_step_time_s: every.run_s(job.tokens, tokens_per_step) * stretch,
        needed_bytes_per_s: run.bandwidth_for(EFFICIENCY),
        every_step_needed_bytes_per_s: data_parallel_bandwidth(run, GRADIENT_BYTES, EFFICIENCY),
    })
}

impl Figures {
    pub(super) fn json(&self) -> Value {
        json!({
            "sites": self.sites, "gpus_per_site": self.gpus_per_site, "fits": self.fits, "local_steps": self.local_steps, "step_s": self.step_s,
            "sync_s": self.sync_s, "sent_bytes_per_site_and_sync": self.sent_bytes_per_sync, "sent_bytes_per_site": self.sent_bytes,
            "computing_share": self.efficiency, "time_s": self.time_s, "every_step_time_s": self.every_step_time_s,
            "bytes_per_s_for_90_percent": self.needed_bytes_per_s, "every_step_bytes_per_s_for_90_percent": self.every_step_needed_bytes_per_s,
        })
    }
}

fn finding(f: &Figures, answers: &Answers, lang: Lang) -> String {
    let time = |seconds| duration(seconds, ANSWER_DIGITS, lang);
    let words = if f.sites <= 1.0 {
        t(
            "Ein Standort: Zwischen Standorten wird nichts gesendet. Ab zwei zeigt sich hier, was seltener Abgleich spart.",
            "One site: nothing is sent between sites. From two on, this shows what seldom synchronisation saves.",
        )
    } else if !f.fits {
        t(
            "Ein Standort mit {gpus} GPUs fasst das Modell nicht. Nötig sind weniger Standorte oder mehr GPUs.",
            "A site with {gpus} GPUs does not hold the model: it takes fewer sites, or more GPUs.",
        )
    } else {
        t(
            "{sites} Standorte mit je {gpus} GPUs brauchen {seldom}, wenn sie sich alle {steps} Schritte abgleichen, und {every}, wenn sie es in jedem Schritt tun; an einem Ort dauert es {one}.",
            "{sites} sites with {gpus} GPUs each need {seldom} if they synchronise every {steps} steps, and {every} if they do so in every step; in one place it takes {one}.",
        )
    };
    fill(
        words.in_lang(lang),
        &[
            ("sites", &whole(f.sites, lang)),
            ("gpus", &number::fixed(f64::from(f.gpus_per_site), 0, lang)),
            ("steps", &whole(f.local_steps, lang)),
            ("seldom", &time(f.time_s)),
            ("every", &time(f.every_step_time_s)),
            ("one", &time(answers.cluster.time_s)),
        ],
    )
}

/// The finding and its table.
pub fn show(answers: &Answers, lang: Lang) -> Shown {
    let Some(f) = figures(answers) else {
        let words = t("Kein Plan teilt sich auf so viele Standorte auf.", "No plan divides over so many sites.");
        return Shown { finding: words.in_lang(lang).to_string(), ..Shown::default() };
    };
    let needed = |bytes_per_s: Option<f64>| {
        bytes_per_s.map_or_else(|| NEVER.in_lang(lang).to_string(), |rate| bandwidth(rate * 8.0 / 1e9, DIGITS, lang))
    };
    let perplexity = |value: f64| number::fixed(value, 2, lang);
    let rows = vec![
        row(
            t("Ein lokaler Schritt", "A local step"),
            duration(f.step_s, DIGITS, lang),
            t("Bester Plan eines Standorts mit seinem Anteil am Batch", "Best plan of a site with its share of the batch"),
            DILOCO,
        ),
        row(
            t("Gesendet je Standort und Abgleich", "Sent per site and synchronisation"),
            bytes(f.sent_bytes_per_sync, DIGITS, lang),
            t("2·(1 − 1/k)·P·w", "2·(1 − 1/k)·P·w"),
            DILOCO,
        ),
        row(
            t("Gesendet je Standort im ganzen Lauf", "Sent per site in the whole run"),
            bytes(f.sent_bytes, DIGITS, lang),
            t("mal Schritte/H", "times steps/H"),
            DILOCO,
        ),
        row(
            t("Dauer eines Abgleichs", "Time of a synchronisation"),
            duration(f.sync_s, DIGITS, lang),
            t("Ring über die Standorte; das Training wartet", "Ring over the sites; training waits"),
            catalog::SITE_LATENCY.source,
        ),
        row(
            t("Anteil der Rechenzeit", "Share of time computing"),
            percent(f.efficiency, DIGITS, lang),
            t("H·t / (H·t + Abgleich)", "H·t / (H·t + synchronisation)"),
            DILOCO,
        ),
        row(
            t("Bandbreite für 90 %", "Bandwidth for 90%"),
            needed(f.needed_bytes_per_s),
            t("Abgleich alle H Schritte", "Synchronised every H steps"),
            DILOCO,
        ),
        row(
            t("Bandbreite für 90 %, jeder Schritt", "Bandwidth for 90%, every step"),
            needed(f.every_step_needed_bytes_per_s),
            t("Gradienten zu 16 Bit, nichts überlappt", "Gradients of 16 bits, nothing overlapped"),
            "https://arxiv.org/abs/2501.18512",
        ),
        row(
            t("Gemessene Perplexität", "Measured perplexity"),
            format!("{} / {}", perplexity(catalog::DILOCO_PERPLEXITY.value), perplexity(catalog::DILOCO_PERPLEXITY_DATA_PARALLEL.value)),
            t(
                "DiLoCo / jeder Schritt; 150 Mio. Parameter, 8 Replikate, H = 500. Der Loss wird nicht gerechnet.",
                "DiLoCo / every step; 150 million parameters, 8 replicas, H = 500. The loss is not modelled.",
            ),
            catalog::DILOCO_PERPLEXITY.source,
        ),
    ];
    Shown { finding: finding(&f, answers, lang), table: table(rows, lang) }
}
