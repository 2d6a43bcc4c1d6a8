//! Background jobs.

pub(crate) mod end_pauses;
pub(crate) mod prune_capacity;
