//! From estimates to what is shown: charts, sentences, tables. Plain data, no pixels, no DOM.

pub mod answers;
pub mod arithmetic;
pub mod band;
pub mod bars;
pub mod charts;
pub mod sentences;
pub mod strip;
pub mod sweep;

pub use answers::{Answers, answers};
