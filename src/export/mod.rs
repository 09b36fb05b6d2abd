//! What a reader takes away: launch plans.

pub mod launch;
