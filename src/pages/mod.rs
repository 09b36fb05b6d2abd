//! One file per page, and what all pages share.

pub mod calculator;
pub mod comparison;
pub mod embed;
pub mod frame;
pub mod index;
pub mod instrument;
pub mod method;
pub mod not_found;
pub mod place;
pub mod root;

pub use place::Place;
