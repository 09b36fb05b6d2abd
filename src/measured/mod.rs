//! Measured runs: reading them, predicting them, fitting the stacks' constants to them, and how far predictions lie from what was measured.

pub mod case;
#[cfg(not(target_arch = "wasm32"))]
pub mod collectives;
#[cfg(not(target_arch = "wasm32"))]
pub mod fit;
#[cfg(not(target_arch = "wasm32"))]
mod least_squares;
pub mod row;
#[cfg(not(target_arch = "wasm32"))]
pub mod score;
#[cfg(not(target_arch = "wasm32"))]
pub mod totals;
#[cfg(not(target_arch = "wasm32"))]
pub mod validate;

pub use case::{Case, case};
pub use row::{BadRow, Measured, Row};
#[cfg(not(target_arch = "wasm32"))]
pub use score::{Pair, Score, score};
