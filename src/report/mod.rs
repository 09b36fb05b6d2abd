//! From estimates to what is shown: charts, sentences, tables. Plain data, no pixels, no DOM.

pub mod answers;
pub mod arithmetic;
pub mod band;
pub mod bars;
pub mod beyond;
pub mod charts;
pub mod cite;
pub mod claims;
pub mod decision;
pub mod difference;
pub mod json;
pub mod map;
pub mod needed;
pub mod own_run;
#[cfg(not(target_arch = "wasm32"))]
pub mod pictures;
pub mod plans;
pub mod recovery;
pub mod sentences;
pub mod strip;
pub mod sweep;
pub mod take;

pub use answers::{Answers, answers, answers_after};
