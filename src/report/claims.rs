//! The claims of the comparison as data: a scenario, what it shows, in the model's own figures.

mod plots;

use super::charts::Chart;
use super::{Answers, answers, needed};
use crate::catalog;
use crate::chart::{ChartSpec, DataTable};
use crate::locale::quantity::{ANSWER_DIGITS, bytes, dollars, duration};
use crate::locale::{Lang, fill, number};
use crate::model::federated::Federation;
use crate::model::loss::BESIROGLU_2024;
use crate::model::purchase::Purchase;
use crate::model::{Estimate, Link, work};
use crate::scenario::{Param, Scenario, Setup, url};

/// A claim, by the letter under which texts name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A large model fits no single machine.
    A,
    /// The library that synchronises decides what is waited for.
    B,
    /// Failures, checkpoints, useful time.
    C,
    /// Entry cost against scale.
    D,
    /// Federated training sends updates.
    E,
    /// Weeks on one GPU, hours on 64.
    F,
    /// A small model over a slow link.
    G,
    /// Fine-tuning on one machine.
    H,
    /// Several GPUs of one machine need no network.
    I,
    /// More machines do not make a better model.
    J,
}

/// A claim, shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What the model says, in a sentence with its figures.
    pub finding: String,
    /// The chart.
    pub chart: Option<ChartSpec>,
    /// The numbers of a chart that is none of the calculator's: see [`Claim::numbers`].
    numbers: Option<DataTable>,
    /// Figures side by side.
    pub table: Option<DataTable>,
    /// The scenario, as the calculator's address takes it.
    pub query: String,
}

impl Claim {
    /// Every claim.
    pub const ALL: [Claim; 10] = [Claim::A, Claim::B, Claim::C, Claim::D, Claim::E, Claim::F, Claim::G, Claim::H, Claim::I, Claim::J];

    /// The letter.
    pub const fn letter(self) -> &'static str {
        match self {
            Claim::A => "A",
            Claim::B => "B",
            Claim::C => "C",
            Claim::D => "D",
            Claim::E => "E",
            Claim::F => "F",
            Claim::G => "G",
            Claim::H => "H",
            Claim::I => "I",
            Claim::J => "J",
        }
    }

    /// Stable name in addresses: `claim-` and the letter.
    pub fn key(self) -> String {
        format!("claim-{}", self.letter().to_lowercase())
    }

    /// The path of the page that holds it alone, from the site's root.
    pub fn path(self, lang: Lang) -> String {
        format!("embed/{}/{}/", self.key(), lang.code())
    }

    /// The claim with this letter.
    pub fn from_letter(letter: &str) -> Option<Claim> {
        Claim::ALL.into_iter().find(|claim| claim.letter() == letter)
    }

    /// Its scenario in the words of a link.
    pub const fn link(self) -> &'static str {
        match self {
            Claim::A => "v=1&shape=gpt3-175b&gpus=64",
            Claim::B => "v=1&params=1e9&tokens=2e10&gpus=32&network=eth25&strategy=ddp",
            Claim::C => "v=1&shape=llama3-405b&tokens=1.5e13&gpus=16384",
            Claim::D => "v=1&shape=llama2-7b&tokens=1e12&gpus=64",
            Claim::E => "v=1&params=1e8&tokens=1e9&gpus=64&network=home-median-de&node=1&strategy=ddp",
            Claim::F => "v=1&params=3e9&tokens=6e10&single=1&gpus=64",
            Claim::G => "v=1&params=1.25e8&tokens=3e9&single=1&gpus=64&node=1&network=eth1&batch=524288&seq=2048&strategy=ddp",
            Claim::H => "v=1&shape=llama2-7b&method=lora&tokens=1e9&single=8&gpus=64",
            Claim::I => "v=1&params=1e9&tokens=2e10&single=1&gpus=8",
            Claim::J => "v=1&params=7e9&tokens=1.4e11&gpus=64",
        }
    }

    /// The parameters that it turns on.
    pub const fn sliders(self) -> &'static [Param] {
        match self {
            Claim::A | Claim::C | Claim::H => &[Param::Params, Param::Gpus],
            Claim::B | Claim::D | Claim::F | Claim::G | Claim::I => &[Param::Params, Param::Gpus, Param::Bandwidth],
            Claim::E => &[Param::Params, Param::Tokens],
            Claim::J => &[Param::Params, Param::Gpus, Param::Tokens],
        }
    }

    /// The parameter along the x-axis of its chart, if that is one.
    pub fn x_param(self) -> Option<Param> {
        match self {
            Claim::B => Some(Param::Bandwidth),
            Claim::C | Claim::J => Some(Param::Gpus),
            Claim::E => None,
            _ => self.chart().map(Chart::x_param),
        }
    }

    /// The chart of the calculator that shows it, if one of the four does.
    pub const fn chart(self) -> Option<Chart> {
        match self {
            Claim::A | Claim::F | Claim::I => Some(Chart::TimeGpus),
            Claim::D | Claim::H => Some(Chart::CostGpus),
            Claim::G => Some(Chart::TimeBandwidth),
            Claim::B | Claim::C | Claim::E | Claim::J => None,
        }
    }

    /// Its scenario.
    pub fn scenario(self) -> Scenario {
        url::read(self.link()).scenario
    }

    /// What the model says about it. `None` only if the scenario contradicts itself, which a test rules out.
    pub fn show(self, lang: Lang) -> Option<Shown> {
        Some(self.shown(&answers(&self.scenario()).ok()?, lang))
    }

    /// The same of other answers: the claim's scenario with something moved.
    pub fn shown(self, answers: &Answers, lang: Lang) -> Shown {
        let (finding, plot, table) = match self {
            Claim::A => memory(answers, lang),
            Claim::B => backends(answers, lang),
            Claim::C => failures(answers, lang),
            Claim::D => money(answers, lang),
            Claim::E => federated(answers, lang),
            Claim::F => scale(answers, lang),
            Claim::G => slow(answers, lang),
            Claim::H => tuning(answers, lang),
            Claim::I => inside(answers, lang),
            Claim::J => quality(answers, lang),
        };
        let (plot, numbers) = plot.unzip();
        let chart = self.chart().map(|kind| super::charts::chart(kind, answers, lang)).or(plot);
        Shown { finding, chart, numbers, table, query: self.link().to_string() }
    }

    /// The numbers of the chart of what is `shown` of `answers`, a row per point of its last line.
    pub fn numbers(self, shown: &Shown, answers: &Answers, lang: Lang) -> DataTable {
        match self.chart() {
            Some(kind) => super::charts::numbers(kind, answers, None, lang),
            None => shown.numbers.clone().unwrap_or_default(),
        }
    }
}

type Parts = (String, Option<plots::Plot>, Option<DataTable>);

fn time(seconds: f64, lang: Lang) -> String {
    duration(seconds, ANSWER_DIGITS, lang)
}

fn money_of(usd: Option<f64>, lang: Lang) -> String {
    usd.map_or_else(|| lang.messages().not_known.to_string(), |usd| dollars(usd, ANSWER_DIGITS, lang))
}

fn table(columns: &[&str], rows: Vec<Vec<String>>) -> Option<DataTable> {
    Some(DataTable { columns: columns.iter().map(ToString::to_string).collect(), rows })
}

fn memory(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let (needed, capacity) = (answers.single.memory.total(), answers.single.cluster.device.memory_bytes);
    let from = answers.fits_from.map_or_else(|| m.not_known.to_string(), |n| number::fixed(f64::from(n), 0, lang));
    let finding = fill(
        m.claim_a,
        &[("needed", &bytes(needed, ANSWER_DIGITS, lang)), ("capacity", &bytes(capacity, ANSWER_DIGITS, lang)), ("gpus", &from)],
    );
    (finding, None, None)
}

/// The same job over each library: seconds of a step, and those that are waited for.
pub fn by_backend(scenario: &Scenario) -> Vec<(&'static str, Answers)> {
    let with = |backend: &'static catalog::Backend| {
        let mut other = *scenario;
        // The key is the catalogue's own.
        other.set_key(Param::Backend.key(), backend.id).ok()?;
        Some((backend.name, answers(&other).ok()?))
    };
    catalog::BACKENDS.iter().filter_map(with).collect()
}

fn backends(own: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let all = by_backend(&own.scenario);
    let row = |(name, answers): &(&str, Answers)| {
        let step = &answers.cluster.step;
        vec![(*name).to_string(), time(step.total(), lang), time(step.communication(), lang), time(answers.cluster.time_s, lang)]
    };
    let waited = |at: usize| all.get(at).map_or_else(String::new, |(_, answers)| time(answers.cluster.step.communication(), lang));
    let finding = fill(m.claim_b, &[("nccl", &waited(0)), ("mpi", &waited(1)), ("grpc", &waited(2))]);
    (finding, plots::libraries(&all, lang), table(&[m.claim_library, m.column_step, m.claim_waited, m.time], all.iter().map(row).collect()))
}

fn failures(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let uptime = &answers.cluster.uptime;
    let finding = fill(
        m.claim_c,
        &[
            ("gpus", &number::fixed(f64::from(answers.cluster.cluster.gpus), 0, lang)),
            ("mtbf", &time(uptime.mtbf_s, lang)),
            ("interval", &time(uptime.interval_s, lang)),
            ("goodput", &crate::locale::quantity::percent(uptime.goodput, 3, lang)),
        ],
    );
    (finding, plots::useful(answers, lang), Some(needed::failures(&answers.by_gpus, lang)))
}

/// The row of `data/purchase.csv` whose price a bought machine has.
const SERVER: &str = "srv-8xh100";

/// A bought machine of eight H100 by the catalogue's figures (`data/purchase.csv`), without staff and set-up, of which nothing is known.
pub fn bought() -> Purchase {
    Purchase {
        // The table has the row; a test holds it.
        server_usd: catalog::PURCHASES.iter().find(|row| row.id == SERVER).map_or(f64::NAN, |row| row.usd),
        gpus_per_server: 8.0,
        network_usd_per_gpu: 0.0,
        residual_share: 0.0,
        life_hours: catalog::SERVER_LIFE.value,
        utilisation: 0.7,
        watts_per_gpu: 1275.0,
        idle_watts_per_gpu: 300.0,
        pue: catalog::PUE.value,
        usd_per_kwh: catalog::ELECTRICITY_USD.value,
        hosting_usd_per_kw_month: 0.0,
        staff_usd_per_gpu_year: 0.0,
        setup_hours_per_gpu: 0.0,
        setup_usd_per_hour: 0.0,
    }
}

fn money(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let billions = answers.setup.job.tokens / 1e9;
    let per_billion = |usd: Option<f64>| money_of(usd.map(|usd| usd / billions), lang);
    let rent = answers.scenario.value(Param::Price).unwrap_or(0.0);
    let hours = bought().break_even_hours(rent).map(|hours| hours * 3600.0);
    let finding = fill(
        m.claim_d,
        &[
            ("single", &per_billion(answers.single.bill.usd)),
            ("cluster", &per_billion(answers.cluster.bill.usd)),
            ("total", &money_of(answers.cluster.bill.usd, lang)),
            ("server", &dollars(bought().server_usd, ANSWER_DIGITS, lang)),
            ("hours", &hours.map_or_else(|| m.not_known.to_string(), |seconds| time(seconds, lang))),
        ],
    );
    (finding, None, None)
}

/// Clients at home connections that train the claim's model: a hundred of them, one in ten a round, updates of a sixteenth.
pub fn federation(answers: &Answers) -> Federation {
    let job = &answers.setup.job;
    let uplink = Link { bytes_per_s: catalog::UPLINK_HOME_DE.value, latency_s: 0.015 };
    let clients = 100.0;
    Federation {
        clients,
        chosen_share: catalog::FEDERATED_CHOSEN_SHARE.value,
        dropout: catalog::FEDERATED_DROPOUT.value,
        params: job.params,
        bytes_per_value: 2.0,
        update_share: 1.0 / 16.0,
        secure_expansion: catalog::SECURE_EXPANSION_THOUSAND.value,
        samples_per_client: job.tokens / clients,
        sample_bytes: catalog::TOKEN_BYTES_SHORT.value,
        flop_per_sample: work::rule_of_thumb_flop(job.params, 1.0),
        local_epochs: 1.0,
        device_flop_per_s: 10e12,
        down: Link { bytes_per_s: 10.0 * uplink.bytes_per_s, ..uplink },
        up: uplink,
        server_bytes_per_s: 1.25e9,
        speed_sigma: 0.5,
    }
}

fn federated(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let federation = federation(answers);
    let rounds = federation.rounds_for_epochs(1.0);
    let (round, run, gathering) = (federation.round(), federation.run(rounds), federation.gathering());
    let show = |value: f64| bytes(value, ANSWER_DIGITS, lang);
    let finding = fill(
        m.claim_e,
        &[
            ("client", &show(federation.model_bytes() + federation.update_bytes())),
            ("rounds", &number::fixed(rounds.ceil(), 0, lang)),
            ("time", &time(run.total_s, lang)),
            ("updates", &show(run.bytes)),
            ("raw", &show(gathering.bytes)),
        ],
    );
    let rows = [
        (m.claim_download, time(round.download_s, lang)),
        (m.claim_compute, time(round.compute_s, lang)),
        (m.claim_upload, time(round.upload_s, lang)),
        (m.claim_wait, time(round.wait_s, lang)),
        (m.claim_update, show(federation.update_bytes())),
        (m.claim_gathered, time(gathering.gather_s + answers.single.time_s, lang)),
        (m.claim_federated, time(run.total_s, lang)),
    ];
    (
        finding,
        plots::bytes_by_rounds(&federation, lang),
        table(&[m.column_part, m.column_value], rows.map(|(name, value)| vec![name.to_string(), value]).to_vec()),
    )
}

fn scale(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let finding = fill(m.claim_f, &[("single", &time(answers.single.time_s, lang)), ("cluster", &time(answers.cluster.time_s, lang))]);
    (finding, None, None)
}

fn slow(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let factor = answers.cluster.time_s / answers.single.time_s;
    let finding = fill(
        m.claim_g,
        &[
            ("single", &time(answers.single.time_s, lang)),
            ("cluster", &time(answers.cluster.time_s, lang)),
            ("factor", &number::significant(factor, ANSWER_DIGITS, lang)),
        ],
    );
    (finding, None, None)
}

fn tuning(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let finding = fill(
        m.claim_h,
        &[
            ("time", &time(answers.single.time_s, lang)),
            ("cost", &money_of(answers.single.bill.usd, lang)),
            ("memory", &bytes(answers.single.memory.total(), ANSWER_DIGITS, lang)),
        ],
    );
    let row = |name: &str, e: &crate::model::Estimate| {
        vec![name.to_string(), time(e.time_s, lang), money_of(e.bill.usd, lang), bytes(e.memory.total(), ANSWER_DIGITS, lang)]
    };
    let rows = vec![row(m.single, &answers.single), row(m.cluster, &answers.cluster)];
    (finding, None, table(&["", m.time, m.cost, m.memory_per_gpu], rows))
}

fn inside(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let speed = answers.single.time_s / answers.cluster.time_s;
    let waited = answers.cluster.step.communication() / answers.cluster.step.total();
    let finding = fill(
        m.claim_i,
        &[
            ("factor", &number::significant(speed, ANSWER_DIGITS, lang)),
            ("waited", &crate::locale::quantity::percent(waited, ANSWER_DIGITS, lang)),
            ("plan", &super::sentences::plan(&answers.cluster, lang)),
        ],
    );
    (finding, None, None)
}

/// Doublings of the GPUs over which the loss is shown.
const DOUBLINGS: i32 = 5;

/// A cluster, and what the model was given.
type Sized = (Setup, Estimate);

/// The claim's cluster with its GPUs doubled again and again, itself first, as far as there is a plan.
fn doublings(answers: &Answers) -> Vec<Sized> {
    let larger = |power: i32| {
        let mut other = answers.scenario;
        other.set(Param::Gpus, answers.scenario.number(Param::Gpus) * 2f64.powi(power)).ok()?;
        let setup = other.resolve().ok()?;
        let (_, cluster) = super::answers::pair(&setup)?;
        Some((setup, cluster))
    };
    std::iter::once((answers.setup, answers.cluster)).chain((1..=DOUBLINGS).map_while(larger)).collect()
}

fn quality(answers: &Answers, lang: Lang) -> Parts {
    let m = lang.messages();
    let clusters = doublings(answers);
    let shown = |(setup, cluster): &Sized| {
        let loss = BESIROGLU_2024.loss(setup.job.params, setup.job.tokens);
        (number::fixed(f64::from(cluster.cluster.gpus), 0, lang), time(cluster.time_s, lang), number::significant(loss, 4, lang))
    };
    let (_, now, loss) = shown(&clusters[0]);
    let double = clusters.get(1).map_or_else(String::new, |double| shown(double).1);
    let finding = fill(m.claim_j, &[("now", &now), ("double", &double), ("loss", &loss)]);
    let rows = clusters.iter().take(2).map(shown).map(|(gpus, time, loss)| vec![gpus, time, loss]);
    (finding, plots::loss(&clusters, lang), table(&[m.column_gpus, m.time, m.claim_loss], rows.collect()))
}
