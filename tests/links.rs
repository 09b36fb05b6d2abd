//! A link opens the scenario that it was made from, today and in later versions.

use crossover::scenario::{Param, Scenario, slider, url};
use proptest::prelude::*;

fn scenarios() -> impl Strategy<Value = Scenario> {
    proptest::collection::vec((0..Param::ALL.len(), 0.0..=1.0f64), 0..20).prop_map(|settings| {
        let mut scenario = Scenario::default();
        for (index, share) in settings {
            let param = Param::ALL[index];
            let position = (share * f64::from(slider::last(param))).round() as u32;
            scenario.set(param, slider::value_at(param, position)).unwrap();
        }
        scenario
    })
}

/// What holds for every parameter: two scenarios with the same values are the same to a reader.
fn values(scenario: &Scenario) -> Vec<Option<f64>> {
    Param::ALL.iter().map(|&param| scenario.value(param)).collect()
}

proptest! {
    #[test]
    fn any_scenario_survives_its_link(scenario in scenarios()) {
        let read = url::read(&url::write(&scenario, &[]));
        prop_assert!(read.notices.is_empty(), "{:?}", read.notices);
        prop_assert_eq!(values(&read.scenario), values(&scenario));
    }

    #[test]
    fn any_text_is_read_without_panic(query in ".{0,200}") {
        let _ = url::read(&query);
    }

    #[test]
    fn any_value_of_any_key_is_taken_or_named(index in 0..Param::ALL.len(), text in ".{0,20}") {
        let mut scenario = Scenario::default();
        if let Err(error) = scenario.set_text(Param::ALL[index], &text, None) {
            prop_assert_eq!(scenario, Scenario::default());
            prop_assert!(error.words(crossover::locale::Lang::De).contains(Param::ALL[index].key()));
        }
    }
}

/// Links of version 1 that are out in the world. They keep their meaning: change the code, not these lines.
#[test]
fn old_links_keep_their_meaning() {
    for (link, expected) in [
        ("v=1&params=7e10&gpus=512", &[(Param::Params, 7e10), (Param::Gpus, 512.0)][..]),
        ("v=1&shape=llama3-8b&seq=8192&bandwidth=25", &[(Param::Layers, 32.0), (Param::Seq, 8192.0), (Param::Bandwidth, 25.0)]),
        ("v=1&gpu=a100-80gb-sxm&tp=8&pp=4&gpus=256&recompute=full", &[(Param::Tp, 8.0), (Param::Pp, 4.0), (Param::Gpus, 256.0)]),
        ("v=1&data=1e9&epochs=3", &[(Param::Tokens, 3e9)]),
        ("v=1&price=2.5&pue=1.2", &[(Param::Price, 2.5), (Param::Pue, 1.2)]),
        (
            "",
            &[
                (Param::Params, 7e9),
                (Param::Tokens, 300e9),
                (Param::Gpus, 64.0),
                (Param::Single, 8.0),
                (Param::Bandwidth, 400.0),
                (Param::Seq, 4096.0),
                (Param::Batch, 2_097_152.0),
            ],
        ),
    ] {
        let read = url::read(link);
        assert!(read.notices.is_empty(), "{link}: {:?}", read.notices);
        for (param, value) in expected {
            assert_eq!(read.scenario.value(*param), Some(*value), "{link}: {}", param.key());
        }
    }
}
