//! Background jobs.

pub(crate) mod prune_capacity;
