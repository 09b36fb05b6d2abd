//! Widths for a model of any size, in the manner of the published ones.

use super::{Param, Scenario};
use crate::catalog::{self, Shape};

/// Widths of a dense transformer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widths {
    /// Layers.
    pub layers: f64,
    /// Hidden size.
    pub hidden: f64,
    /// Attention heads.
    pub heads: f64,
    /// Key/value heads.
    pub kv_heads: f64,
    /// Width of the MLP.
    pub ffn: f64,
    /// Vocabulary.
    pub vocab: f64,
}

/// Parameters and layers along which the depth of a model of any size is read: the GPT-3 family (arXiv 2005.14165, table 2.1),
/// MT-NLG (arXiv 2201.11990) and the largest of arXiv 2104.04473.
const DEPTH: &[(f64, f64)] =
    &[(1e6, 2.0), (125e6, 12.0), (1.3e9, 24.0), (6.7e9, 32.0), (13e9, 40.0), (175e9, 96.0), (530e9, 105.0), (1e12, 128.0), (1e13, 220.0)];

/// Values per attention head in the Llama and GPT-3 families from a few billion parameters on.
const HEAD_WIDTH: f64 = 128.0;

/// Vocabulary of Llama 2 (arXiv 2307.09288); small models get less, so that the embeddings stay a quarter of the model.
const VOCABULARY: f64 = 32_000.0;

/// The published model that the scenario names, if it names one.
pub fn published(scenario: &Scenario) -> Option<&'static Shape> {
    // The list of choices is the catalogue behind one entry for "automatic".
    let index = scenario.choice_index(Param::Shape).checked_sub(1)?;
    catalog::SHAPES.get(index)
}

/// Widths for `params` parameters: depth read along the published models, width from 12·L·h² parameters in the layers.
pub fn widths(params: f64) -> Widths {
    let layers = depth(params);
    let raw = (params / (12.0 * layers)).sqrt();
    let (hidden, heads) = if raw >= 4.0 * HEAD_WIDTH {
        let heads = (raw / HEAD_WIDTH).round();
        // Eight GPUs of a machine share the heads evenly from eight heads on.
        let heads = if heads >= 16.0 { (heads / 8.0).round() * 8.0 } else { heads };
        (heads * HEAD_WIDTH, heads)
    } else {
        let hidden = (raw / 64.0).round().max(1.0) * 64.0;
        (hidden, hidden / 64.0)
    };
    Widths {
        layers,
        hidden,
        heads,
        kv_heads: heads,
        // A gated MLP of 8/3·h has as many weights as a plain one of 4·h.
        ffn: (hidden * 8.0 / 3.0 / 64.0).round().max(1.0) * 64.0,
        vocab: (params / 8.0 / hidden).floor().clamp(256.0, VOCABULARY),
    }
}

fn depth(params: f64) -> f64 {
    let x = params.clamp(1e6, 1e13).ln();
    let segment = DEPTH.windows(2).find(|pair| x <= pair[1].0.ln()).unwrap_or(&DEPTH[DEPTH.len() - 2..]);
    let ((p0, l0), (p1, l1)) = (segment[0], segment[1]);
    let share = (x - p0.ln()) / (p1.ln() - p0.ln());
    (l0.ln() + share * (l1.ln() - l0.ln())).exp().round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_between_the_published_ones_look_like_them() {
        let seven = widths(6.7e9);
        assert_eq!((seven.layers, seven.hidden, seven.heads), (32.0, 4096.0, 32.0));
        let gpt3 = widths(175e9);
        assert_eq!((gpt3.layers, gpt3.hidden, gpt3.heads), (96.0, 12288.0, 96.0));
    }

    #[test]
    fn every_size_of_the_slider_has_sane_widths() {
        for step in 0..=140 {
            let params = 10f64.powf(6.0 + f64::from(step) / 20.0);
            let w = widths(params);
            let counted = 12.0 * w.layers * w.hidden * w.hidden;
            assert!(w.heads >= 1.0 && w.hidden % w.heads == 0.0 && w.vocab >= 256.0, "{params}: {w:?}");
            assert!(params < 3e7 || (0.6..1.5).contains(&(counted / params)), "{params}: {w:?} counts {counted}");
        }
    }
}
