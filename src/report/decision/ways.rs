//! The ways to train a scenario's job, worked out.

use super::words::{self, Figure, Reason, reason};
use super::{Way, wishes};
use crate::catalog;
use crate::model::estimate::with_plan;
use crate::model::federated::Federation;
use crate::model::local_sgd::LocalSgd;
use crate::model::money::bill;
use crate::model::reliability::uptime;
use crate::model::{Cluster, Estimate, Estimator, Job, Link};
use crate::report::Answers;
use crate::scenario::{Param, Scenario, Setup};

/// A way that holds the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub way: Way,
    pub estimate: Estimate,
    pub time_s: f64,
    pub usd: Option<f64>,
    pub gpu_hours: f64,
}

/// Several machines over one kind of link.
pub(super) struct Joint {
    /// As cluster, or with seldom synchronisation; `None` where they do not hold the model, or are one machine.
    pub joint: Option<Candidate>,
    /// Share of a step that the cluster waits for the network, 0 to 1.
    pub waits: f64,
    /// Seconds that the cluster takes.
    pub cluster_s: f64,
    /// The machines as sites that keep their data.
    pub federation: Federation,
}

/// Everything that a choice weighs.
pub(super) struct Ways {
    /// One GPU and one machine, where they hold the model; the simpler one first.
    pub alone: Vec<Candidate>,
    /// By the index of the link.
    pub links: [Joint; 3],
    /// One machine of the cluster with its share of the batch.
    pub site: Option<Estimate>,
    /// Steps between two synchronisations of machines that synchronise seldom.
    pub inner_steps: f64,
    /// Tokens of the data set, repetitions not counted.
    pub data_tokens: f64,
    /// GPUs from which the cluster holds the model.
    pub fits_from: Option<u32>,
    /// One GPU and one machine, whether they hold the model or not.
    held: Vec<Estimate>,
    gpu: &'static str,
}

/// Above this share of a step spent waiting, synchronising in every step is not worth its time.
const MOST_WAITING: f64 = 0.5;

impl Ways {
    pub(super) fn of(answers: &Answers) -> Ways {
        let setup = &answers.setup;
        let held: Vec<Estimate> = in_one_place(answers).into_iter().flatten().collect();
        let alone = held.iter().filter_map(|e| candidate(if e.cluster.gpus == 1 { Way::OneGpu } else { Way::Machine }, *e)).collect();
        let sites = f64::from(setup.cluster.machines()).max(2.0);
        let job = Job { batch_seqs: (setup.job.batch_seqs / sites).round().max(1.0), ..setup.job };
        let machine = Cluster { gpus: setup.cluster.gpus.min(setup.cluster.per_machine), ..setup.cluster };
        // Of a larger batch: a hint where it fits, and no answer where it does not.
        let near = of(answers, machine.gpus).filter(|near| near.fits);
        let site = Estimator::new(&job, &machine, &setup.cluster_conditions).estimate(&machine, near.as_ref().as_slice());
        let steps = setup.job.steps(setup.job.batch_seqs);
        let inner_steps = catalog::DILOCO_INNER_STEPS.value.min(steps);
        let own = wishes::link_of(answers);
        let link = |index: usize| {
            let (outer, cluster) = if index == own { (setup.cluster.outer, answers.cluster) } else { over(answers, index) };
            let cluster = Some(cluster).filter(|_| setup.cluster.spans_machines());
            let shared = Link { bytes_per_s: outer.bytes_per_s * f64::from(machine.gpus), ..outer };
            let waits = cluster.map_or(0.0, |e| e.step.communication() / e.step.total());
            let plain = cluster.and_then(|e| candidate(Way::Cluster, e));
            let seldom = site.filter(|site| site.fits && waits > MOST_WAITING).map(|site| seldom(setup, &site, shared, sites, inner_steps));
            Joint {
                joint: plain.map(|plain| seldom.filter(|seldom| seldom.time_s < plain.time_s).unwrap_or(plain)),
                waits,
                cluster_s: plain.map_or(0.0, |plain| plain.time_s),
                federation: federation(setup, site.as_ref(), shared, sites, inner_steps),
            }
        };
        let scenario = &answers.scenario;
        let data = scenario.value(Param::Data).filter(|_| Param::Data.moot(scenario).is_none());
        Ways {
            alone,
            links: [link(0), link(1), link(2)],
            site,
            inner_steps,
            data_tokens: data.unwrap_or(setup.job.tokens),
            fits_from: answers.fits_from,
            held,
            gpu: scenario.gpu().name,
        }
    }

    /// Whether the model fits one GPU and one machine, in sentences.
    pub(super) fn memory(&self) -> Vec<Reason> {
        let line = |e: &Estimate| {
            let hardware = ("hardware", Figure::Gpus(e.cluster.gpus, self.gpu));
            if e.fits {
                let needed = ("needed", Figure::Bytes(e.memory.total()));
                reason(words::FITS, vec![hardware, needed, ("capacity", Figure::Bytes(e.cluster.device.memory_bytes))])
            } else {
                reason(words::UNFIT, vec![hardware, ("missing", Figure::Bytes(e.missing_bytes()))])
            }
        };
        self.held.iter().map(line).collect()
    }
}

/// So many GPUs of the cluster.
fn of(answers: &Answers, gpus: u32) -> Option<Estimate> {
    answers.by_gpus.points.iter().find(|(x, _)| *x == f64::from(gpus)).and_then(|(_, estimate)| *estimate)
}

/// One GPU, and one machine with several. The machine is the scenario's own; where that has one GPU only, one of the cluster's.
fn in_one_place(answers: &Answers) -> [Option<Estimate>; 2] {
    let (single, cluster) = (&answers.setup.single, &answers.setup.cluster);
    let one = if single.gpus == 1 { Some(answers.single) } else { of(answers, 1) };
    let machine = if !cluster.spans_machines() && cluster.gpus > single.gpus {
        Some(answers.cluster)
    } else if single.gpus > 1 {
        Some(answers.single)
    } else {
        of(answers, cluster.per_machine).filter(|e| e.cluster.gpus > 1)
    };
    [one, machine]
}

fn candidate(way: Way, estimate: Estimate) -> Option<Candidate> {
    let gpu_hours = estimate.bill.gpu_hours;
    (estimate.fits && estimate.uptime.progresses).then_some(Candidate {
        way,
        estimate,
        time_s: estimate.time_s,
        usd: estimate.bill.usd,
        gpu_hours,
    })
}

/// The scenario's cluster over the network that stands for a kind of link. Slow ones are counted per machine, as all its GPUs share the line.
/// The plan is that of the sweep's nearest bandwidth: good enough to choose between ways, and there already.
fn over(answers: &Answers, index: usize) -> (Link, Estimate) {
    let (network, shared) = wishes::NETWORKS[index];
    let mut other = answers.scenario;
    for param in [Param::Bandwidth, Param::Latency, Param::Achieved] {
        other.reset(param);
    }
    // The keys are the catalogue's own, which a test holds, and the nearest value of the range is in the range.
    let _ = other.set_key(Param::Network.key(), network);
    if shared {
        let per_gpu = other.number(Param::Bandwidth) / other.number(Param::PerMachine);
        let _ = other.set(Param::Bandwidth, Scenario::nearest(Param::Bandwidth, per_gpu));
    }
    let setup = &answers.setup;
    let outer = other.resolve().map_or(setup.cluster.outer, |setup| setup.cluster.outer);
    let gbit = other.number(Param::Bandwidth);
    let far = |x: f64| (x / gbit).ln().abs();
    let points = answers.by_bandwidth.points.iter().filter_map(|(x, estimate)| estimate.as_ref().map(|e| (far(*x), e)));
    let nearest = points.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(&answers.cluster, |(_, e)| e);
    let cluster = Cluster { outer, ..setup.cluster };
    (outer, with_plan(&setup.job, &cluster, &setup.cluster_conditions, nearest.plan, nearest.fits))
}

/// Machines that train on their share of the batch and average the change of their weights every `inner_steps` steps (DiLoCo).
fn seldom(setup: &Setup, site: &Estimate, link: Link, sites: f64, inner_steps: f64) -> Candidate {
    let job = &setup.job;
    let run = LocalSgd {
        replicas: sites,
        params: job.params * job.states.trained,
        bytes_per_value: job.precision.bytes(),
        inner_steps,
        inner_step_s: site.step.total(),
        fragments: 1.0,
        overlap_steps: 0.0,
        link,
    };
    let useful_s = run.run_s(job.tokens, site.step_seqs * sites * job.seq);
    let gpus = f64::from(setup.cluster.gpus);
    let conditions = &setup.cluster_conditions;
    let time_s = useful_s / uptime(job.params, useful_s, gpus, sites, &conditions.reliability).goodput;
    let bill = bill(time_s / 3600.0, gpus, &conditions.rates);
    Candidate { way: Way::Seldom, estimate: *site, time_s, usd: bill.usd, gpu_hours: bill.gpu_hours }
}

/// The cluster's machines as sites of equal shares of the data, all of which take part in each round: so few are there, and none is a phone.
/// The unit of work is a token, and a site passes as many a second as its estimate says. Between rounds it takes `inner_steps` steps.
fn federation(setup: &Setup, site: Option<&Estimate>, link: Link, sites: f64, inner_steps: f64) -> Federation {
    let job = &setup.job;
    let step_tokens = site.map_or(job.batch_tokens() / sites, |site| site.step_seqs * job.seq);
    let tokens = job.tokens / sites;
    Federation {
        clients: sites,
        chosen_share: 1.0,
        dropout: 0.0,
        params: job.params * job.states.trained,
        bytes_per_value: job.precision.bytes(),
        update_share: 1.0,
        secure_expansion: 1.0,
        samples_per_client: tokens,
        sample_bytes: catalog::TOKEN_BYTES_LONG.value,
        flop_per_sample: 1.0,
        local_epochs: (inner_steps * step_tokens / tokens).min(1.0),
        device_flop_per_s: site.map_or(f64::INFINITY, |site| step_tokens / site.step.total()),
        down: link,
        up: link,
        // The server is no narrower than its sites together.
        server_bytes_per_s: link.bytes_per_s * sites,
        speed_sigma: 0.0,
    }
}
