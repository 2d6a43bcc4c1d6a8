//! Background jobs.

pub mod count_webhooks;
pub(crate) mod end_pauses;
pub(crate) mod prune_capacity;
pub mod send_webhooks;
