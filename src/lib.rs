//! Crossover: compares two ways of doing a thing and lets the reader try every claim.
#![warn(missing_docs)]
pub mod catalog;
pub mod content;
pub mod locale;
pub mod model;
