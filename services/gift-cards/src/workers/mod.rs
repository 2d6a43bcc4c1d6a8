//! Background jobs.

pub(crate) mod prune;
