//! Measured runs: reading them, predicting them, fitting the stacks' constants to them, and how far predictions lie from what was measured.

pub mod case;
pub mod collectives;
pub mod fit;
mod least_squares;
pub mod row;
pub mod score;
pub mod totals;
pub mod validate;

pub use case::{Case, case};
pub use row::{BadRow, Measured, Row};
pub use score::{Pair, Score, score};
