//! The decision helper: scenario and answers to recommendation, and what is said of it.

use crossover::locale::Lang;
use crossover::report::decision::{Decision, Figure, Question, Way, Wishes, decide, words};
use crossover::report::{Answers, answers};
use crossover::scenario::url;

/// The default scenario: 7 billion parameters, 300 billion tokens, eight H100 against 64. 37 days against 4.7; one GPU is too small.
const USUAL: &str = "v=1";
/// Holds on no machine of eight, on 64 GPUs it does.
const LARGE: &str = "v=1&shape=gpt3-175b&gpus=64";
/// Holds on no GPU that there is.
const HUGE: &str = "v=1&params=1e13&gpus=8";
/// 3 billion parameters: one GPU needs 28 days, eight 3.5, 64 half a day.
const SCALE: &str = "v=1&params=3e9&tokens=6e10&single=1&gpus=64";
/// A small model on office machines of one GPU each: one alone needs two hours.
const OFFICE: &str = "v=1&params=1.25e8&tokens=3e9&single=1&gpus=64&node=1&network=eth1&batch=524288&seq=2048&strategy=ddp";
/// Fine-tuning on one machine: 17 hours on one GPU, two on eight.
const TUNING: &str = "v=1&shape=llama2-7b&method=lora&tokens=1e9&single=8&gpus=64";
/// The usual model on 512 GPUs over office Ethernet: 12 days, of which most is waiting.
const SLOW: &str = "v=1&gpus=512&network=eth1";
/// Memory is short on the one machine, which costs it time: 23 hours and 270 $ against 16 GPUs.
const TIGHT: &str = "v=1&params=2e10&tokens=1e9&single=4&gpus=16";
/// Eight GPUs of one machine, no network between machines.
const INSIDE: &str = "v=1&params=1e9&tokens=2e10&single=1&gpus=8";
/// Clients at home connections.
const HOMES: &str = "v=1&params=1e8&tokens=1e9&gpus=64&network=home-median-de&node=1&strategy=ddp";

/// Scenario, answers other than the prefilled ones, recommendation.
const CASES: &[(&str, &str, Way)] = &[
    // Verdict, distributed: "wenn das Modell groß ist" / "when the model is large".
    (LARGE, "", Way::Cluster),
    (LARGE, "crew=nobody", Way::Cluster),
    (LARGE, "money=cheap deadline=none", Way::Cluster),
    (LARGE, "deadline=day", Way::Cluster),
    // Verdict, distributed: "wenn die Datenmenge sehr groß ist" / "when the data set is very large".
    ("v=1&tokens=3e9", "deadline=week", Way::Machine),
    ("v=1&tokens=3e11", "deadline=week", Way::Cluster),
    ("v=1&shape=llama2-7b&tokens=1e12&gpus=64", "", Way::Cluster),
    // Verdict, distributed: "wenn die Daten bleiben müssen, wo sie sind" / "when the data must stay where it is", over every link.
    (USUAL, "stay=yes", Way::Federated),
    (USUAL, "stay=yes link=internet", Way::Federated),
    (HOMES, "stay=yes", Way::Federated),
    (OFFICE, "stay=yes crew=nobody", Way::Federated),
    (HUGE, "stay=yes", Way::Federated),
    // Verdict, centralised: "Wenn es um Forschung und Prototypen geht" / "When the work is research or prototyping": small, soon done.
    (OFFICE, "", Way::OneGpu),
    ("v=1&params=1e6&tokens=1e6", "", Way::OneGpu),
    (TUNING, "", Way::OneGpu),
    // Verdict, centralised: "produktive Modelle, die auf die vorhandene Hardware passen" / "a production model fits the hardware at hand".
    ("v=1&params=7e9&tokens=1e9", "", Way::Machine),
    (USUAL, "deadline=year", Way::Machine),
    (INSIDE, "", Way::Machine),
    // Verdict, centralised: "geringer Betriebsaufwand" / "low operating effort": nobody runs a cluster, even if one would be in time.
    (USUAL, "crew=nobody", Way::Machine),
    (SCALE, "crew=nobody", Way::Machine),
    (SCALE, "crew=nobody deadline=month", Way::OneGpu),
    // Verdict, closing: "zentral zu beginnen und erst zu verteilen, wenn Speicher, Zeit oder Daten es verlangen" / "starting centralised, and
    // distributing only when memory, time or data demand it": one machine, until one of the three changes.
    ("v=1&tokens=1e9", "deadline=week", Way::Machine),
    ("v=1&params=1.75e11&tokens=1e9", "deadline=week", Way::Cluster),
    ("v=1&tokens=1e11", "deadline=week", Way::Cluster),
    ("v=1&tokens=1e9", "deadline=week stay=yes", Way::Federated),
    // The deadline alone, from one GPU over one machine to the cluster.
    (SCALE, "deadline=none", Way::OneGpu),
    (SCALE, "deadline=month", Way::OneGpu),
    (SCALE, "deadline=week", Way::Machine),
    (SCALE, "deadline=day", Way::Cluster),
    // A slow link: seldom synchronisation, unless one machine is in time, or nobody runs several.
    (SLOW, "", Way::Seldom),
    (SLOW, "deadline=year", Way::Machine),
    (SLOW, "crew=nobody", Way::Machine),
    (SLOW, "link=datacentre", Way::Cluster),
    (USUAL, "link=internet", Way::Seldom),
    (USUAL, "link=office", Way::Seldom),
    ("v=1&bandwidth=0.05", "", Way::Machine),
    ("v=1&bandwidth=0.05", "deadline=week", Way::Seldom),
    (SCALE, "link=internet", Way::Seldom),
    // A slow link does not help a model that a machine does not hold.
    (LARGE, "link=internet", Way::Cluster),
    // Money: the simplest way in time, or the cheapest; one within five per cent stays the simpler one.
    (TIGHT, "", Way::Machine),
    (TIGHT, "money=cheap", Way::Cluster),
    (TIGHT, "money=cheap crew=nobody", Way::Machine),
    (USUAL, "money=cheap deadline=year", Way::Machine),
    (SCALE, "money=cheap deadline=month", Way::OneGpu),
    // No deadline is met: the fastest way.
    (USUAL, "deadline=day", Way::Cluster),
    (USUAL, "deadline=day crew=nobody", Way::Machine),
    // Fits nowhere: still a cluster, and words on what is missing.
    (HUGE, "", Way::Cluster),
    (HUGE, "crew=nobody money=cheap", Way::Cluster),
    // A cluster that is one machine is no cluster: nothing is left to synchronise over a slow link.
    (INSIDE, "link=internet crew=team deadline=day", Way::Machine),
];

fn worked(link: &str) -> Answers {
    let read = url::read(link);
    assert!(read.notices.is_empty() && read.foreign.is_empty(), "{link}: {:?}", read.notices);
    answers(&read.scenario).unwrap()
}

/// The prefilled answers with others in their place, written `question=answer`.
fn wishes(answers: &Answers, others: &str) -> Wishes {
    others.split_whitespace().fold(Wishes::suiting(answers), |wishes, pair| {
        let (key, answer) = pair.split_once('=').unwrap();
        let question = Question::ALL.into_iter().find(|question| question.key() == key).unwrap();
        let index = question.choices().iter().position(|choice| choice.key == answer);
        wishes.with(question, index.unwrap_or_else(|| panic!("{pair}")))
    })
}

fn decided(link: &str, others: &str) -> Decision {
    let answers = worked(link);
    decide(&answers, &wishes(&answers, others))
}

fn says(decision: &Decision, text: crossover::locale::Text) -> bool {
    decision.reasons.iter().any(|reason| reason.words == text)
}

#[test]
fn every_case_leads_where_the_rules_say() {
    assert!(CASES.len() >= 30);
    for way in Way::ALL {
        assert!(CASES.iter().filter(|case| case.2 == way).count() >= 5, "{way:?} occurs too seldom to be held");
    }
    let wrong: Vec<String> = CASES
        .iter()
        .map(|&(link, others, expected)| (link, others, expected, decided(link, others).way))
        .filter(|(.., expected, found)| expected != found)
        .map(|(link, others, expected, found)| format!("{link} [{others}]: expected {expected:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_answers_are_prefilled_from_the_scenario() {
    for (link, expected) in [
        (USUAL, ["no", "week", "free", "datacentre", "team"]),
        (OFFICE, ["no", "day", "free", "office", "team"]),
        (HOMES, ["no", "day", "free", "internet", "team"]),
        (INSIDE, ["no", "day", "free", "datacentre", "nobody"]),
        (HUGE, ["no", "none", "free", "datacentre", "nobody"]),
        (SLOW, ["no", "month", "free", "office", "team"]),
    ] {
        let answers = worked(link);
        let wishes = Wishes::suiting(&answers);
        assert_eq!(Question::ALL.map(|question| question.choices()[wishes.of(question)].key), expected, "{link}");
    }
    // What a machine of eight GPUs has: 25 Gbit/s and half a gigabit divide the kinds of link.
    for (per_gpu, expected) in [("3.2", "datacentre"), ("3", "office"), ("0.0625", "office"), ("0.06", "internet")] {
        let wishes = Wishes::suiting(&worked(&format!("v=1&bandwidth={per_gpu}")));
        assert_eq!(Question::Link.choices()[wishes.of(Question::Link)].key, expected, "{per_gpu}");
    }
}

#[test]
fn each_named_change_leads_where_it_says_and_no_other_does() {
    for (link, others, way) in CASES {
        let answers = worked(link);
        let wishes = wishes(&answers, others);
        let decision = decide(&answers, &wishes);
        for question in Question::ALL {
            for answer in 0..question.choices().len() {
                let named = decision.flips.iter().find(|flip| (flip.question, flip.answer) == (question, answer));
                let other = decide(&answers, &wishes.with(question, answer)).way;
                assert_eq!(named.map_or(*way, |flip| flip.way), other, "{link} [{others}] {} {answer}", question.key());
                assert!(named.is_none_or(|flip| flip.way != *way), "{link}: no change");
            }
        }
    }
    assert!(decided(USUAL, "").flips.iter().any(|flip| flip.question == Question::Stay && flip.way == Way::Federated));
}

#[test]
fn reasons_say_what_decided() {
    let nowhere = decided(HUGE, "");
    assert!(says(&nowhere, words::NOWHERE) && nowhere.plan.is_none());
    let more = decided("v=1&shape=gpt3-175b&gpus=16", "");
    assert!(says(&more, words::FITS_FROM) && more.plan.is_none());
    let usual = decided(USUAL, "");
    assert!(says(&usual, words::LATE) && says(&usual, words::SIMPLEST) && !says(&usual, words::MISSED));
    assert_eq!(usual.memory.iter().map(|line| line.words).collect::<Vec<_>>(), [words::UNFIT, words::FITS]);
    assert!(says(&decided(USUAL, "deadline=day"), words::MISSED));
    assert!(says(&decided(TIGHT, "money=cheap"), words::CHEAPEST));
    assert!(says(&decided(SLOW, ""), words::WAITS));
    assert!(says(&decided(USUAL, "crew=nobody"), words::KEPT_ALONE));
    assert!(says(&decided(LARGE, "crew=nobody"), words::NEEDS_CREW));
    assert!(says(&decided(HUGE, "stay=yes"), words::SITE_LACKS));
    assert!(says(&decided(USUAL, "stay=yes deadline=day"), words::OVERDUE) && !says(&decided(USUAL, "stay=yes"), words::OVERDUE));
}

/// Four GPUs of one machine are no cluster that could be weighed, or be too slow, beside eight.
#[test]
fn a_cluster_within_one_machine_is_not_weighed() {
    let decision = decided("v=1&params=1e9&tokens=3e10&single=8&gpus=4", "deadline=day crew=team");
    let late: Vec<Figure> =
        decision.reasons.iter().filter(|reason| reason.words == words::LATE).map(|reason| reason.figures[0].1).collect();
    assert_eq!((decision.way, late), (Way::Machine, vec![Figure::Way(Way::OneGpu)]));
}

#[test]
fn the_recommended_plan_is_that_of_the_recommended_side() {
    let answers = worked(USUAL);
    assert_eq!(decide(&answers, &wishes(&answers, "")).plan, Some(answers.cluster));
    assert_eq!(decide(&answers, &wishes(&answers, "crew=nobody")).plan, Some(answers.single));
    let site = decide(&answers, &wishes(&answers, "stay=yes")).plan.unwrap();
    assert_eq!(site.cluster.gpus, 8, "a site is one machine");
}

/// 300 billion tokens of four bytes are 1.2 TB, whatever the model; 8 sites load and send 7 billion values of two bytes in each round.
#[test]
fn what_moves_when_the_data_stay() {
    let figures = |link: &str| {
        let decision = decided(link, "stay=yes");
        let moved = decision.reasons.iter().find(|reason| reason.words == words::MOVED).unwrap().clone();
        let value = move |name: &str| match moved.figures.iter().find(|(key, _)| *key == name).unwrap().1 {
            Figure::Bytes(value) | Figure::Count(value) => value,
            other => panic!("{name}: {other:?}"),
        };
        (value("raw"), value("round"), value("sites"), value("rounds"), value("updates"))
    };
    let (raw, round, sites, rounds, updates) = figures(USUAL);
    assert_eq!((raw, round, sites), (1.2e12, 28e9, 8.0));
    assert!((updates / (round * sites * rounds) - 1.0).abs() < 1e-9);
    // A data set that is passed through ten times would be gathered once; the updates count every pass.
    let (once, ten) = (figures("v=1&params=1e9&data=1e9&epochs=1"), figures("v=1&params=1e9&data=1e9&epochs=10"));
    assert_eq!((once.0, ten.0), (4e9, 4e9));
    assert!(ten.3 >= once.3 && ten.4 >= once.4);
    // Adapters alone travel where adapters alone are trained: a hundredth.
    let (full, adapters) = (figures("v=1&shape=llama2-7b&tokens=1e9"), figures(TUNING));
    assert!((adapters.1 / full.1 - 0.01).abs() < 1e-9);
}

#[test]
fn every_sentence_is_filled_in_both_languages() {
    for (link, others, _) in CASES {
        let decision = decided(link, others);
        assert!(!decision.reasons.is_empty() && !decision.memory.is_empty(), "{link}");
        for reason in decision.reasons.iter().chain(&decision.memory) {
            let [de, en] = [Lang::De, Lang::En].map(|lang| reason.in_lang(lang));
            assert_ne!(de, en);
            for text in [de, en] {
                assert!(!text.contains('{') && !text.contains("NaN") && !text.contains('–'), "{link} [{others}]: {text}");
            }
        }
    }
}
