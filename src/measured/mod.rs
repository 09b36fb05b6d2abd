//! Measured runs: reading them, predicting them, and how far the predictions lie from what was measured.

pub mod row;
pub mod score;

pub use row::{BadRow, Measured, Row};
pub use score::{Pair, Score, score};
