//! Crossover: compares two ways of doing a thing and lets the reader try every claim.
//!
//! The rooms, from the ground up; a room uses only rooms below it:
//! `model` (a crate of its own: it is built for speed, the rest for size), `locale`, `chart` · `catalog`, `content` · `scenario` · `report`, `ui` · `pages` · `browser`, `prerender` · `cli`.
#![warn(missing_docs)]
// Views are nested types; the layout of the deepest ones goes beyond the default of 128.
#![recursion_limit = "256"]

#[cfg(target_arch = "wasm32")]
pub mod browser;
pub mod catalog;
pub mod chart;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(not(target_arch = "wasm32"))]
pub mod content;
pub mod export;
#[cfg(not(target_arch = "wasm32"))]
pub mod head;
pub mod locale;
pub mod measured;
pub mod pages;
#[cfg(not(target_arch = "wasm32"))]
pub mod prerender;
pub mod report;
pub mod scenario;
pub mod ui;

pub use crossover_model as model;
