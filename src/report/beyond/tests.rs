use super::*;
use crate::report::answers;
use crate::scenario::Scenario;

fn with(settings: &[(&str, &str)]) -> Answers {
    let mut scenario = Scenario::default();
    for (key, value) in settings {
        scenario.set_key(key, value).unwrap();
    }
    answers(&scenario).unwrap_or_else(|conflicts| panic!("{settings:?}: {conflicts:?}"))
}

fn near(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() < relative, "{found} is not near {expected}");
}

fn finite(value: &Value) -> bool {
    match value {
        // serde_json writes what is not finite as null.
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            let open = name.contains("90_percent") || name.contains("rent") || name.contains("break_even");
            (open && value.is_null()) || finite(value)
        }),
        value => !value.is_null(),
    }
}

#[test]
fn every_subject_has_a_finding_and_openable_sources_in_both_languages() {
    let cases: [&[(&str, &str)]; 5] = [
        &[],
        &[("sites", "1"), ("clients", "1"), ("updatebits", "1"), ("secure", "yes"), ("rounds", "10")],
        &[("params", "1e12"), ("sites", "32")],
        &[("tokenbytes", "100000"), ("buy", "500"), ("life", "20"), ("wage", "100")],
        &[("gpu", "t4"), ("precision", "fp16"), ("network", "eth1"), ("price", "0.01")],
    ];
    for settings in cases {
        let answers = with(settings);
        assert!(finite(&json(&answers)) || settings.contains(&("gpu", "t4")), "{settings:?}: {}", json(&answers));
        for lang in Lang::ALL {
            for subject in Subject::ALL {
                let shown = subject.show(&answers, lang);
                assert!(!shown.finding.is_empty() && !shown.finding.contains('{') && !shown.finding.contains("NaN"), "{}", shown.finding);
                for row in &shown.table.rows {
                    assert!(row.len() == 4 && row.iter().all(|cell| !cell.is_empty() && !cell.contains("NaN")), "{row:?}");
                    let said = [DERIVED, ASSUMED, UNKNOWN].map(|text| text.in_lang(lang));
                    let known = row[3].contains("https://") || row[3] == lang.messages().own_value || said.contains(&row[3].as_str());
                    assert!(known || row[3] == crate::catalog::SITE_LATENCY.source, "{row:?}");
                }
            }
        }
    }
}

/// Every row of the tables has an address, or says that it is an estimate or that the address is unknown.
#[test]
fn every_source_of_the_tables_can_be_opened_or_says_why_not() {
    use crate::catalog;
    let constants = catalog::CONSTANTS.iter().map(|constant| constant.source);
    let prices = catalog::PRICES.iter().map(|price| price.source).chain(catalog::PURCHASES.iter().map(|row| row.source));
    let sources: Vec<&str> = constants.chain(prices).collect();
    assert!(sources.len() > 100);
    for source in sources {
        let said = source.starts_with("estimate:") || source.contains("address unknown");
        assert!(source.contains("https://") || said, "{source}");
    }
}

#[test]
fn two_sites_by_hand() {
    // 10⁹ parameters at 2 bytes, two sites: 2·½·2·10⁹ = 2 GB each, 16 s over 1 Gbit/s and two messages of 30 ms.
    let answers = with(&[("params", "1e9"), ("tokens", "2e10"), ("localsteps", "500"), ("sitebw", "1")]);
    let f = low_bandwidth::figures(&answers).unwrap();
    assert_eq!((f.sites, f.gpus_per_site, f.fits), (2.0, 32, true));
    near(f.sent_bytes_per_sync, 2e9, 1e-12);
    near(f.sync_s, 16.06, 1e-9);
    near(f.efficiency, 500.0 * f.step_s / (500.0 * f.step_s + 16.06), 1e-9);
    // 16-bit gradients in every step: five hundred times the bytes, and as many waits.
    assert!(f.every_step_time_s > f.time_s);
    // 2·10¹⁰ tokens at 1,048,576 a step (256 sequences of 4,096): 19,073.5 steps, 38.15 rounds.
    near(f.sent_bytes, 2e9 * 2e10 / 1_048_576.0 / 500.0, 1e-9);
}

#[test]
fn where_latency_takes_too_long_no_bandwidth_is_said_to_be_enough() {
    // Steps of a quarter of a second leave 29 ms to wait at nine tenths of the speed; two messages take 60.
    let answers = with(&[("params", "1e9"), ("tokens", "2e10")]);
    assert_eq!(low_bandwidth::figures(&answers).unwrap().every_step_needed_bytes_per_s, None);
    assert!(low_bandwidth::show(&answers, Lang::En).table.rows.iter().any(|row| row[1].starts_with("none is enough")));
}

#[test]
fn more_local_steps_never_send_more_nor_take_longer() {
    for sites in ["1", "2", "8"] {
        let all: Vec<_> = ["1", "10", "100", "1000", "100000"]
            .map(|steps| low_bandwidth::figures(&with(&[("params", "1e9"), ("sites", sites), ("localsteps", steps)])).unwrap())
            .to_vec();
        assert!(all.windows(2).all(|pair| pair[1].sent_bytes <= pair[0].sent_bytes), "{sites}");
        assert!(all.windows(2).all(|pair| pair[1].time_s <= pair[0].time_s * (1.0 + 1e-12)), "{sites}");
    }
    let faster = |gbit| low_bandwidth::figures(&with(&[("sitebw", gbit)])).unwrap().time_s;
    assert!(faster("0.1") > faster("1") && faster("1") > faster("100"));
}

#[test]
fn one_site_is_the_cluster() {
    let answers = with(&[("sites", "1")]);
    let f = low_bandwidth::figures(&answers).unwrap();
    assert_eq!((f.sent_bytes, f.efficiency), (0.0, 1.0));
    near(f.time_s, answers.cluster.time_s, 1e-3);
}

#[test]
fn a_federation_by_hand() {
    // 10⁸ parameters, ten clients, all chosen: 200 MB, at 8 Mbit/s up 200 s, ten times as fast down 20 s, 15 ms each.
    let settings = [
        ("params", "1e8"),
        ("tokens", "1e9"),
        ("clients", "10"),
        ("chosen", "1"),
        ("uplink", "8"),
        ("clienttflops", "10"),
        ("localepochs", "1"),
        ("tokenbytes", "2"),
    ];
    let f = federated::figures(&with(&settings));
    near(f.round.download_s, 20.015, 1e-9);
    near(f.round.upload_s, 200.015, 1e-9);
    // 10⁸ tokens of each client · 6·10⁸ FLOP / 10¹³ FLOP/s = 6,000 s.
    near(f.round.compute_s, 6000.0, 1e-9);
    // 9.2 of ten report: two rounds for as many tokens, each of which loads 2 GB and sends 1.84 GB.
    assert_eq!(f.run.rounds, 2.0);
    near(f.run.bytes, 2.0 * 3.84e9, 1e-9);
    // Raw data: 200 MB per client.
    near(f.gathering.bytes, 2e9, 1e-9);
    let rounds = federated::figures(&with(&[&settings[..], &[("rounds", "7")]].concat()));
    assert_eq!(rounds.run.rounds, 7.0);
}

#[test]
fn laws_of_a_federation() {
    let slowest: Vec<f64> =
        ["1", "10", "100", "10000", "1e8"].map(|n| federated::figures(&with(&[("clients", n)])).slowest_factor).to_vec();
    assert!(slowest.windows(2).all(|pair| pair[0] <= pair[1]), "{slowest:?}");
    let bytes = |settings: &[(&str, &str)]| federated::figures(&with(settings)).run.bytes;
    assert!(bytes(&[("secure", "yes")]) > bytes(&[]));
    assert!(bytes(&[("updatebits", "1")]) < bytes(&[]));
    // Masks on one bit: at least ⌈log₂ of those that report⌉ more.
    let masked = federated::figures(&with(&[("secure", "yes"), ("updatebits", "1")])).federation.secure_expansion;
    assert_eq!(masked, 5.0);
    let time = |mbit| federated::figures(&with(&[("uplink", mbit)])).run.total_s;
    assert!(time("1") >= time("10") && time("10") >= time("1000"));
}

#[test]
fn loss_and_batch_by_hand() {
    // 10¹¹ tokens: 5 · 22.91 · 512 · 223.87 = 13.13 million; a batch of 2,097,152 is 0.1597 of it: 1 − 1/1.1597 = 13.77 %.
    let f = learning::figures(&with(&[("tokens", "1e11"), ("batch", "2097152")]));
    near(f.critical_tokens, 13.13e6, 1e-3);
    near(f.wasted_share, 0.1377, 1e-3);
    near(f.steps_factor, 7.261, 1e-3);
    // ln 7e9 · 0.3478 = 7.8845: 482.01/e^… = 0.1815; ln 1e11 · 0.3658 = 9.2651: 2085.43/e^… = 0.1974.
    near(f.loss, 1.8172 + 0.1815 + 0.1974, 1e-3);
    assert!(f.best.loss <= f.loss);
    let wasted: Vec<f64> =
        ["65536", "1048576", "16777216"].map(|batch| learning::figures(&with(&[("batch", batch)])).wasted_share).to_vec();
    assert!(wasted.windows(2).all(|pair| pair[0] < pair[1]), "{wasted:?}");
}

#[test]
fn loading_by_hand() {
    let answers = with(&[("tokens", "1e9"), ("tokenbytes", "1000"), ("storage", "1")]);
    let f = supply::figures(&answers);
    // 1,000 bytes a token; a terabyte in all, 1,000 s at 1 GB/s.
    near(f.reading.needed_bytes_per_s, 1000.0 * f.tokens_per_s, 1e-12);
    near(f.tokens_per_s, answers.cluster.step_seqs * 4096.0 / answers.cluster.step.total(), 1e-12);
    near(f.read_s, 1000.0, 1e-9);
    assert_eq!(f.reading.waits(), f.reading.needed_bytes_per_s > 1e9);
    // Text keeps no storage waiting; raw data of a hundred kilobytes a token does.
    assert!(!supply::figures(&with(&[])).reading.waits());
    let starved = supply::figures(&with(&[("tokenbytes", "100000")])).reading;
    near(starved.speed, 1.25e9 / starved.needed_bytes_per_s, 1e-9);
}

#[test]
fn owning_by_hand() {
    let settings = [
        ("gpus", "8"),
        ("buy", "40000"),
        ("life", "5"),
        ("inuse", "1"),
        ("setup", "0"),
        ("power", "1000"),
        ("pue", "1.5"),
        ("electricity", "0.2"),
        ("price", "3"),
    ];
    let f = ownership::figures(&with(&settings)).unwrap();
    // 40,000 / 43,800 h = 0.9132; 1 kW · 1.5 · 0.2 = 0.30. Rent of 3 saves 2.70 an hour: 14,815 h.
    near(f.hour.total_usd(), 0.913_242 + 0.3, 1e-6);
    near(f.break_even_hours.unwrap(), 40_000.0 / 2.7, 1e-9);
    // Fixed 0.9132 and idling at 300/1275 of 0.30, over 3 less what use adds.
    let idle = 0.3 * 300.0 / 1275.0;
    near(f.break_even_utilisation.unwrap(), (0.913_242 + idle) / (3.0 - (0.3 - idle)), 1e-6);
    // Eight hours of work at 50 dollars on eight GPUs: 50 each.
    let worked = [&settings[..7], &[("setup", "8"), ("wage", "50"), ("price", "3")]].concat();
    near(
        ownership::figures(&with(&[&worked[..], &[("electricity", "0.2"), ("pue", "1.5")]].concat())).unwrap().hour.setup_usd,
        50.0 / 43_800.0,
        1e-9,
    );
    assert_eq!(ownership::figures(&with(&[("gpu", "l4"), ("buy", "")])), None);
}

#[test]
fn dearer_rent_needs_less_use_and_the_network_has_its_price() {
    let share = |rent| ownership::figures(&with(&[("price", rent)])).unwrap().break_even_utilisation;
    assert!(share("0.1").is_none() && share("3").unwrap() > share("6").unwrap());
    let network = |settings: &[(&str, &str)]| ownership::figures(&with(settings)).unwrap().purchase.network_usd_per_gpu;
    assert_eq!((network(&[("gpus", "64")]), network(&[("gpus", "1024")]), network(&[("gpus", "8")])), (1882.0, 4247.0, 0.0));
    assert_eq!(network(&[("network", "eth100-roce")]), 0.0);
}

#[test]
fn carbon_by_hand() {
    // H100: 1,312/8 = 164 kg and 2,500/8 = 312.5 of the server, over 43,800 h · 0.85: 0.0128 kg an hour.
    let answers = with(&[]);
    let f = carbon::figures(&answers);
    near(f.hardware.kg_per_gpu(), 476.5, 1e-12);
    near(f.hardware.kg_per_gpu_hour(), 476.5 / 37_230.0, 1e-9);
    near(f.making_kg[1], answers.cluster.bill.gpu_hours * 476.5 / 37_230.0, 1e-9);
    near(f.share[1], f.making_kg[1] / (f.making_kg[1] + answers.cluster.bill.co2_kg), 1e-12);
    // Cleaner electricity leaves a larger share to the making.
    let share = |grams| carbon::figures(&with(&[("carbon", grams)])).share[1];
    assert!(share("20") > share("400") && share("400") > share("1000"));
}
