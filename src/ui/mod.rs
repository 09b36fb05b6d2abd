//! Components that know no page: slider, number field, choice, chart, table, tabs, card.

pub mod bar;
#[cfg(target_arch = "wasm32")]
pub(crate) mod canvas;
pub mod chart;
pub mod control;
pub mod file;
pub mod fold;
pub mod history;
pub mod save;
pub mod source;
pub mod state;
pub mod table;
pub mod tabs;
pub mod theme;

pub use state::State;
