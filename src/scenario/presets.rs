//! Scenarios to start from.

use crate::locale::Text;

/// A named scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Stable name in addresses.
    pub key: &'static str,
    /// What the reader sees.
    pub label: Text,
    /// The scenario, as a link's part behind `?`.
    pub link: &'static str,
}

const fn preset(key: &'static str, de: &'static str, en: &'static str, link: &'static str) -> Preset {
    Preset { key, label: Text { de, en }, link }
}

/// The presets, from small to large.
pub const PRESETS: &[Preset] = &[
    preset(
        "gaming-pc",
        "Ein Spiele-PC",
        "A gaming PC",
        "v=1&params=1.25e8&tokens=3e9&gpu=rtx4090&single=1&gpus=4&node=1&network=eth1&seq=1024&batch=524288",
    ),
    preset("fine-tune-7b", "7 Mrd. anpassen, eine Maschine", "Fine-tune 7B on one machine", "v=1&shape=llama2-7b&method=lora&tokens=1e9"),
    preset(
        "office-ethernet",
        "Kleines Modell über Büro-Ethernet",
        "A small model over office Ethernet",
        "v=1&params=1.25e8&tokens=3e9&single=1&gpus=64&node=1&network=eth1&batch=524288&seq=2048&strategy=ddp",
    ),
    preset("64-h100", "64 H100", "64 H100s", "v=1&params=1.3e10&tokens=3e11&gpus=64"),
    preset("llama3-8b", "Wie Llama 3 8B", "Llama-3-like 8B", "v=1&shape=llama3-8b&tokens=1.5e13&gpus=1024&batch=4194304"),
    preset("llama3-70b", "Wie Llama 3 70B", "Llama-3-like 70B", "v=1&shape=llama3-70b&tokens=1.5e13&gpus=4096&batch=8388608"),
    preset("llama3-405b", "Wie Llama 3 405B", "Llama-3-like 405B", "v=1&shape=llama3-405b&tokens=1.56e13&gpus=16384"),
    preset(
        "federated-hospitals",
        "Krankenhäuser, föderiert",
        "Hospitals, federated",
        "v=1&params=1.25e8&tokens=3e9&gpu=rtx4090&single=1&gpus=8&node=1&network=eth1&batch=524288&seq=1024&clients=20&chosen=1&uplink=100&clienttflops=50&localepochs=1&secure=yes&tokenbytes=500",
    ),
    preset(
        "diloco-two-sites",
        "Zwei Standorte über das Internet (DiLoCo)",
        "Two sites over the Internet (DiLoCo)",
        "v=1&params=1e9&tokens=2e10&gpus=64&sites=2&localsteps=500&sitebw=1",
    ),
    preset(
        "gpt3-a100",
        "GPT-3 auf A100",
        "GPT-3 on A100s",
        "v=1&shape=gpt3-175b&tokens=3e11&gpu=a100-80gb-sxm&gpus=1024&network=ib-hdr&stack=megatron-2021",
    ),
    preset(
        "deepseek-v3",
        "Wie DeepSeek-V3: Mischung von Experten",
        "DeepSeek-V3-like mixture of experts",
        "v=1&shape=deepseek-v3&tokens=1.48e13&gpus=2048",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::url;

    #[test]
    fn every_preset_is_read_in_full_and_resolves() {
        for preset in PRESETS {
            let read = url::read(preset.link);
            assert!(read.notices.is_empty() && read.foreign.is_empty(), "{}: {:?}", preset.link, read.notices);
            assert!(read.scenario.resolve().is_ok(), "{}: {:?}", preset.link, read.scenario.conflicts());
        }
    }
}
