//! The decision helper: at most six questions, a recommendation, its reasons, and what would change it.
//!
//! The rules, the first one that speaks decides:
//! 1. The data must stay where they are: federated.
//! 2. Nothing holds the model: a cluster, and from how many GPUs on it would.
//! 3. Nobody runs a cluster and one machine holds the model: only one GPU and one machine are weighed from here on.
//! 4. No way that is left meets the deadline: the fastest one.
//! 5. Cheapest first: the one of those in time that costs least; a simpler one within [`LEVEL`] of it comes before it.
//! 6. Else the simplest of those in time: one GPU, one machine, several machines.
//!
//! Where several machines over the chosen link would wait for the network for more than half of each step, they synchronise seldom instead.

mod traffic;
mod ways;
mod wishes;
pub mod words;

pub use traffic::{Traffic, traffic};
pub use wishes::{Own, Question, Wishes};
pub use words::{Figure, Reason};

use super::Answers;
use crate::model::Estimate;
use ways::{Candidate, Ways};
use words::reason;

/// A way to train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One GPU.
    OneGpu,
    /// One machine with several GPUs.
    Machine,
    /// Several machines that synchronise in every step.
    Cluster,
    /// Federated: every site trains on its own data.
    Federated,
    /// Several machines that synchronise seldom (local SGD, DiLoCo).
    Seldom,
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 5] = [Way::OneGpu, Way::Machine, Way::Cluster, Way::Federated, Way::Seldom];

    /// Stable key, as in `data-way`.
    pub const fn key(self) -> &'static str {
        match self {
            Way::OneGpu => "one-gpu",
            Way::Machine => "machine",
            Way::Cluster => "cluster",
            Way::Federated => "federated",
            Way::Seldom => "seldom",
        }
    }

    /// Whether it is the centralised side of the comparison.
    pub const fn is_centralised(self) -> bool {
        matches!(self, Way::OneGpu | Way::Machine)
    }
}

/// Another answer to a question, and what would be recommended then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The question.
    pub question: Question,
    /// Index of the other answer.
    pub answer: usize,
    /// The recommendation then.
    pub way: Way,
}

/// A recommendation.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What is recommended.
    pub way: Way,
    /// Whether the model fits one GPU and one machine: the question that is answered by the model itself.
    pub memory: Vec<Reason>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// Which other answer, alone, leads elsewhere.
    pub flips: Vec<Flip>,
    /// The estimate whose plan is recommended; of one site where the sites train by themselves. `None` if no plan holds the model.
    pub plan: Option<Estimate>,
}

/// A way that is simpler is preferred to one that is better by less than this.
pub const LEVEL: f64 = 1.05;

/// Recommends.
pub fn decide(answers: &Answers, wishes: &Wishes) -> Decision {
    let ways = Ways::of(answers);
    let (way, plan, reasons) = choose(&ways, wishes);
    let mut flips = Vec::new();
    for question in Question::ALL {
        for answer in 0..question.choices().len() {
            let other = choose(&ways, &wishes.with(question, answer)).0;
            if other != way {
                flips.push(Flip { question, answer, way: other });
            }
        }
    }
    Decision { way, memory: ways.memory(), reasons, flips, plan }
}

fn choose(ways: &Ways, wishes: &Wishes) -> (Way, Option<Estimate>, Vec<Reason>) {
    let link = &ways.links[wishes.link()];
    if wishes.stays() {
        return federated(ways, wishes);
    }
    let alone = &ways.alone;
    let kept_alone = wishes.nobody() && !alone.is_empty();
    let mut candidates = alone.clone();
    candidates.extend(link.joint.filter(|_| !kept_alone));
    let in_time: Vec<Candidate> = candidates.iter().copied().filter(|c| c.time_s <= wishes.limit_s()).collect();
    let chosen = match (in_time.is_empty(), wishes.cheapest()) {
        (true, _) => best(&candidates, |c| c.time_s),
        (false, true) => best(&in_time, |c| c.gpu_hours),
        (false, false) => in_time.first().copied(),
    };
    let Some(chosen) = chosen else {
        let words = match ways.fits_from {
            Some(from) => reason(words::FITS_FROM, vec![("gpus", Figure::Count(f64::from(from)))]),
            None => reason(words::NOWHERE, vec![]),
        };
        return (Way::Cluster, None, vec![words]);
    };
    let mut reasons = vec![takes(chosen.time_s, chosen.usd)];
    for late in candidates.iter().filter(|c| !in_time.is_empty() && c.time_s > wishes.limit_s()) {
        reasons.push(reason(words::LATE, vec![("way", Figure::Way(late.way)), ("time", Figure::Time(late.time_s))]));
    }
    let why = match (in_time.is_empty(), wishes.cheapest(), candidates.len()) {
        (true, ..) => Some(words::MISSED),
        // Where there is no other way there is nothing to prefer.
        (.., 1) => None,
        (_, true, _) => Some(words::CHEAPEST),
        _ => Some(words::SIMPLEST),
    };
    reasons.extend(why.map(|words| reason(words, vec![])));
    if chosen.way == Way::Seldom {
        let figures = vec![
            ("share", Figure::Share(link.waits)),
            ("steps", Figure::Count(ways.inner_steps)),
            ("time", Figure::Time(chosen.time_s)),
            ("cluster", Figure::Time(link.cluster_s)),
        ];
        reasons.push(reason(words::WAITS, figures));
    }
    if wishes.nobody() {
        reasons.push(reason(if kept_alone { words::KEPT_ALONE } else { words::NEEDS_CREW }, vec![]));
    }
    (chosen.way, Some(chosen.estimate), reasons)
}

/// The least by `figure`; an earlier one, which is simpler, unless a later one is better by more than a trifle.
fn best(candidates: &[Candidate], figure: fn(&Candidate) -> f64) -> Option<Candidate> {
    candidates.iter().copied().reduce(|best, next| if figure(&next) * LEVEL < figure(&best) { next } else { best })
}

fn takes(time_s: f64, usd: Option<f64>) -> Reason {
    match usd {
        Some(usd) => reason(words::TAKES, vec![("time", Figure::Time(time_s)), ("cost", Figure::Usd(usd))]),
        None => reason(words::TAKES_ONLY, vec![("time", Figure::Time(time_s))]),
    }
}

/// The data stay: what moves instead of them, how long it takes over this link, and what else has to be so.
fn federated(ways: &Ways, wishes: &Wishes) -> (Way, Option<Estimate>, Vec<Reason>) {
    let federation = &ways.links[wishes.link()].federation;
    let moved = traffic(federation, ways.data_tokens);
    let mut reasons = vec![
        reason(words::STAYS, vec![]),
        reason(
            words::MOVED,
            vec![
                ("raw", Figure::Bytes(moved.raw_bytes)),
                ("tokens", Figure::Count(moved.tokens)),
                ("each", Figure::Bytes(federation.sample_bytes)),
                ("updates", Figure::Bytes(moved.update_bytes)),
                ("sites", Figure::Count(moved.sites)),
                ("rounds", Figure::Count(moved.rounds)),
                ("round", Figure::Bytes(moved.site_round_bytes)),
            ],
        ),
    ];
    let site = ways.site.filter(|site| site.fits);
    match (&ways.site, site) {
        (_, Some(_)) => {
            reasons.push(takes(moved.time_s, None));
            if moved.time_s > wishes.limit_s() {
                reasons.push(reason(words::OVERDUE, vec![]));
            }
        }
        (Some(small), None) => reasons.push(reason(words::SITE_LACKS, vec![("missing", Figure::Bytes(small.missing_bytes()))])),
        (None, None) => {}
    }
    reasons.push(reason(words::ONE_SITE, vec![]));
    if wishes.nobody() {
        reasons.push(reason(words::NEEDS_CREW, vec![]));
    }
    (Way::Federated, site, reasons)
}
