//! How far an answer may be off.

use crate::catalog;
use crate::model::Estimate;

/// Factors on a time, and with it on cost and energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lower end, below 1.
    pub low: f64,
    /// Upper end, above 1.
    pub high: f64,
}

impl Band {
    /// The band of an estimate.
    pub fn of(_: &Estimate) -> Band {
        let error = catalog::BAND.value;
        Band { low: 1.0 / (1.0 + error), high: 1.0 + error }
    }
}
