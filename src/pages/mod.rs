//! One file per page, and what all pages share. Pages are prerendered; in the browser only their living parts run.

pub mod actions;
pub mod beyond;
pub mod compact;
pub mod decision;
pub mod instrument;
pub mod island;
pub mod launch;
pub mod own_run;
pub mod panels;
pub mod trial;

#[cfg(not(target_arch = "wasm32"))]
pub mod calculator;
#[cfg(not(target_arch = "wasm32"))]
pub mod claim;
#[cfg(not(target_arch = "wasm32"))]
pub mod comparison;
#[cfg(not(target_arch = "wasm32"))]
pub mod embed;
#[cfg(not(target_arch = "wasm32"))]
pub mod embedding;
#[cfg(not(target_arch = "wasm32"))]
pub mod frame;
#[cfg(not(target_arch = "wasm32"))]
pub mod index;
#[cfg(not(target_arch = "wasm32"))]
pub mod method;
#[cfg(not(target_arch = "wasm32"))]
pub mod myths;
#[cfg(not(target_arch = "wasm32"))]
pub mod place;
#[cfg(not(target_arch = "wasm32"))]
pub mod root;
#[cfg(not(target_arch = "wasm32"))]
pub mod validation;

#[cfg(not(target_arch = "wasm32"))]
pub use place::Place;
