//! Background jobs.

pub mod effects;
pub mod reconcile_charges;
