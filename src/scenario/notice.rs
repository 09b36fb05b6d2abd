//! What is wrong with an input, in words: what was expected, what was found, and where.

use super::param::Kind;
use super::{Param, Scenario};
use crate::locale::{Lang, number};

/// Why a value could not be set.
#[derive(Clone, Debug, PartialEq)]
pub enum SetError {
    /// There is no parameter with this key.
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A number was expected.
    NotANumber {
        /// The parameter.
        param: Param,
        /// What was found.
        found: String,
    },
    /// Nothing was found.
    Empty {
        /// The parameter.
        param: Param,
    },
    /// The value lies outside the range.
    OutOfRange {
        /// The parameter.
        param: Param,
        /// What was found.
        value: f64,
    },
    /// A whole number was expected.
    NotWhole {
        /// The parameter.
        param: Param,
        /// What was found.
        value: f64,
    },
    /// The list has no such key.
    NotAChoice {
        /// The parameter.
        param: Param,
        /// What was found.
        found: String,
    },
}

/// Parameters that cannot hold together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Conflict {
    /// Query heads are not a multiple of key/value heads, or fewer.
    KvHeads {
        /// Query heads.
        heads: f64,
        /// Key/value heads.
        kv: f64,
    },
    /// The hidden size is not a multiple of the heads.
    HiddenHeads {
        /// Hidden size.
        hidden: f64,
        /// Query heads.
        heads: f64,
    },
    /// The heads cannot be shared evenly by the tensor-parallel GPUs.
    TensorHeads {
        /// Tensor-parallel degree.
        tp: f64,
        /// Query heads.
        heads: f64,
    },
    /// More pipeline stages than layers.
    PipelineLayers {
        /// Stages.
        pp: f64,
        /// Layers.
        layers: f64,
    },
    /// The plan needs more GPUs than there are.
    TooFewGpus {
        /// Tensor-parallel degree.
        tp: f64,
        /// Stages.
        pp: f64,
        /// Context-parallel degree.
        cp: f64,
        /// GPUs of the cluster.
        gpus: f64,
    },
    /// A token cannot pass more experts than there are.
    ExpertsPerToken {
        /// Experts per token.
        topk: f64,
        /// Experts per layer.
        experts: f64,
    },
    /// The experts cannot be spread evenly.
    ExpertRanks {
        /// Expert-parallel degree.
        ep: f64,
        /// Experts per layer.
        experts: f64,
    },
    /// Experts are spread over the ranks that hold the same weights; there are fewer.
    TooFewReplicas {
        /// Expert-parallel degree.
        ep: f64,
        /// Such ranks.
        replicas: f64,
    },
    /// The global batch holds not one sequence.
    BatchSeq {
        /// Tokens per step.
        batch: f64,
        /// Tokens per sequence.
        seq: f64,
    },
    /// The micro-batch is larger than the global one.
    MicroBatch {
        /// Sequences per micro-batch.
        micro: f64,
        /// Sequences per step.
        batch_seqs: f64,
    },
    /// The GPU has no units for the number format.
    NoSuchPrecision {
        /// Name of the GPU.
        gpu: &'static str,
        /// Key of the format.
        precision: &'static str,
    },
    /// The offer is for another GPU.
    OtherGpu {
        /// The offer.
        offer: &'static str,
        /// Name of the GPU.
        gpu: &'static str,
    },
}

/// Something the reader should know about what they asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A value could not be set.
    Set(SetError),
    /// A value lay outside its range; the nearest one is used.
    Clamped {
        /// The parameter.
        param: Param,
        /// What was found.
        found: f64,
        /// What is used.
        used: f64,
    },
    /// Parameters contradict each other.
    Conflict(Conflict),
    /// The link is of a version that is not known.
    Version {
        /// What was found.
        found: String,
    },
}

fn show(value: f64, lang: Lang) -> String {
    number::significant(value, 6, lang)
}

fn range(param: Param, lang: Lang) -> String {
    let (min, max) = param.row().kind.range();
    let and = if lang == Lang::De { "bis" } else { "to" };
    format!("{} {and} {}", show(min, lang), show(max, lang))
}

/// What a parameter takes, in words.
fn expected(param: Param, lang: Lang) -> String {
    match (param.row().kind, lang) {
        (Kind::Choice(choices), lang) => {
            let keys: Vec<&str> = choices().iter().take(12).map(|choice| choice.key).collect();
            let more = if choices().len() > keys.len() { ", …" } else { "" };
            format!("{}{}{more}", if lang == Lang::De { "eines von " } else { "one of " }, keys.join(", "))
        }
        (Kind::Whole { .. }, Lang::De) => format!("eine ganze Zahl, {}", range(param, lang)),
        (Kind::Whole { .. }, Lang::En) => format!("a whole number, {}", range(param, lang)),
        (_, Lang::De) => format!("eine Zahl, {}", range(param, lang)),
        (_, Lang::En) => format!("a number, {}", range(param, lang)),
    }
}

impl SetError {
    /// The parameter, if it is a known one.
    pub fn param(&self) -> Option<Param> {
        match *self {
            SetError::UnknownKey { .. } => None,
            SetError::NotANumber { param, .. }
            | SetError::Empty { param }
            | SetError::OutOfRange { param, .. }
            | SetError::NotWhole { param, .. }
            | SetError::NotAChoice { param, .. } => Some(param),
        }
    }

    /// The error in words: where, what was expected, what was found.
    pub fn words(&self, lang: Lang) -> String {
        let Some(param) = self.param() else {
            let SetError::UnknownKey { key } = self else { return String::new() };
            return match lang {
                Lang::De => format!("„{key}“: diesen Parameter gibt es nicht"),
                Lang::En => format!("“{key}”: there is no such parameter"),
            };
        };
        let found = match self {
            SetError::NotANumber { found, .. } | SetError::NotAChoice { found, .. } => found.clone(),
            SetError::OutOfRange { value, .. } | SetError::NotWhole { value, .. } => show(*value, lang),
            SetError::Empty { .. } | SetError::UnknownKey { .. } => String::new(),
        };
        let (label, key) = (param.row().label.in_lang(lang), param.key());
        let expected = expected(param, lang);
        match (lang, found.is_empty()) {
            (Lang::De, true) => format!("{label} ({key}): erwartet {expected}; das Feld ist leer"),
            (Lang::De, false) => format!("{label} ({key}): erwartet {expected}; gefunden „{found}“"),
            (Lang::En, true) => format!("{label} ({key}): expected {expected}; the field is empty"),
            (Lang::En, false) => format!("{label} ({key}): expected {expected}; found “{found}”"),
        }
    }
}

impl Conflict {
    /// The contradiction in words, and what would resolve it.
    pub fn words(&self, lang: Lang) -> String {
        let n = |value: f64| show(value, lang);
        match (*self, lang) {
            (Conflict::KvHeads { heads, kv }, Lang::De) => format!(
                "{} Attention-Köpfe (heads) lassen sich nicht auf {} Schlüssel-/Wertköpfe (kv) aufteilen; erwartet ein Teiler",
                n(heads),
                n(kv)
            ),
            (Conflict::KvHeads { heads, kv }, Lang::En) => {
                format!("{} attention heads (heads) cannot be shared by {} key/value heads (kv); expected a divisor", n(heads), n(kv))
            }
            (Conflict::HiddenHeads { hidden, heads }, Lang::De) => {
                format!("die Breite {} (hidden) ist nicht durch {} Köpfe (heads) teilbar", n(hidden), n(heads))
            }
            (Conflict::HiddenHeads { hidden, heads }, Lang::En) => {
                format!("the hidden size {} (hidden) is not divisible by {} heads (heads)", n(hidden), n(heads))
            }
            (Conflict::TensorHeads { tp, heads }, Lang::De) => {
                format!("Tensorgrad {} (tp) teilt {} Köpfe (heads) nicht; erwartet ein Teiler von {}", n(tp), n(heads), n(heads))
            }
            (Conflict::TensorHeads { tp, heads }, Lang::En) => {
                format!("tensor parallel {} (tp) does not divide {} heads (heads); expected a divisor of {}", n(tp), n(heads), n(heads))
            }
            (Conflict::PipelineLayers { pp, layers }, Lang::De) => {
                format!("{} Pipeline-Stufen (pp) sind mehr als {} Schichten (layers)", n(pp), n(layers))
            }
            (Conflict::PipelineLayers { pp, layers }, Lang::En) => {
                format!("{} pipeline stages (pp) are more than {} layers (layers)", n(pp), n(layers))
            }
            (Conflict::TooFewGpus { tp, pp, cp, gpus }, Lang::De) => format!(
                "Tensorgrad {} mal {} Pipeline-Stufen mal Kontextgrad {} braucht {} GPUs; der Cluster hat {} (gpus)",
                n(tp),
                n(pp),
                n(cp),
                n(tp * pp * cp),
                n(gpus)
            ),
            (Conflict::TooFewGpus { tp, pp, cp, gpus }, Lang::En) => format!(
                "tensor parallel {} times {} pipeline stages times context parallel {} needs {} GPUs; the cluster has {} (gpus)",
                n(tp),
                n(pp),
                n(cp),
                n(tp * pp * cp),
                n(gpus)
            ),
            (Conflict::ExpertsPerToken { topk, experts }, Lang::De) => {
                format!("{} Experten je Token (topk) sind mehr als {} Experten (experts)", n(topk), n(experts))
            }
            (Conflict::ExpertsPerToken { topk, experts }, Lang::En) => {
                format!("{} experts per token (topk) are more than {} experts (experts)", n(topk), n(experts))
            }
            (Conflict::ExpertRanks { ep, experts }, Lang::De) => {
                format!("Expertengrad {} (ep) teilt {} Experten nicht; erwartet ein Teiler davon", n(ep), n(experts))
            }
            (Conflict::ExpertRanks { ep, experts }, Lang::En) => {
                format!("expert parallel {} (ep) does not divide {} experts; expected a divisor", n(ep), n(experts))
            }
            (Conflict::TooFewReplicas { ep, replicas }, Lang::De) => {
                format!(
                    "Expertengrad {} (ep) ist größer als die {} Ränge mit gleichen Gewichten; erwartet höchstens so viele",
                    n(ep),
                    n(replicas)
                )
            }
            (Conflict::TooFewReplicas { ep, replicas }, Lang::En) => {
                format!(
                    "expert parallel {} (ep) exceeds the {} ranks that hold the same weights; expected at most as many",
                    n(ep),
                    n(replicas)
                )
            }
            (Conflict::BatchSeq { batch, seq }, Lang::De) => {
                format!("der globale Batch von {} Token (batch) fasst keine Sequenz von {} Token (seq)", n(batch), n(seq))
            }
            (Conflict::BatchSeq { batch, seq }, Lang::En) => {
                format!("the global batch of {} tokens (batch) does not hold one sequence of {} tokens (seq)", n(batch), n(seq))
            }
            (Conflict::MicroBatch { micro, batch_seqs }, Lang::De) => {
                format!("der Micro-Batch von {} Sequenzen (micro) ist größer als der globale Batch von {}", n(micro), n(batch_seqs))
            }
            (Conflict::MicroBatch { micro, batch_seqs }, Lang::En) => {
                format!("the micro-batch of {} sequences (micro) is larger than the global batch of {}", n(micro), n(batch_seqs))
            }
            (Conflict::NoSuchPrecision { gpu, precision }, Lang::De) => format!("{gpu} rechnet nicht in {precision} (precision)"),
            (Conflict::NoSuchPrecision { gpu, precision }, Lang::En) => format!("{gpu} does not compute in {precision} (precision)"),
            (Conflict::OtherGpu { offer, gpu }, Lang::De) => format!("das Angebot „{offer}“ (offer) gilt nicht für {gpu} (gpu)"),
            (Conflict::OtherGpu { offer, gpu }, Lang::En) => format!("the offer “{offer}” (offer) is not for {gpu} (gpu)"),
        }
    }
}

impl Notice {
    /// The notice in words.
    pub fn words(&self, lang: Lang) -> String {
        match (self, lang) {
            (Notice::Set(error), lang) => error.words(lang),
            (Notice::Conflict(conflict), lang) => conflict.words(lang),
            (Notice::Clamped { param, found, used }, Lang::De) => {
                format!(
                    "{} ({}): {} liegt außerhalb von {}; gerechnet wird mit {}",
                    param.row().label.de,
                    param.key(),
                    show(*found, lang),
                    range(*param, lang),
                    show(*used, lang)
                )
            }
            (Notice::Clamped { param, found, used }, Lang::En) => {
                format!(
                    "{} ({}): {} lies outside {}; {} is used",
                    param.row().label.en,
                    param.key(),
                    show(*found, lang),
                    range(*param, lang),
                    show(*used, lang)
                )
            }
            (Notice::Version { found }, Lang::De) => {
                format!("der Link hat die Version „{found}“; erwartet v=1, gelesen wurde, was bekannt ist")
            }
            (Notice::Version { found }, Lang::En) => format!("the link has version “{found}”; expected v=1, what is known was read"),
        }
    }
}

/// The value that is used for one outside its range.
pub fn clamped(param: Param, found: f64) -> Notice {
    Notice::Clamped { param, found, used: Scenario::nearest(param, found) }
}
