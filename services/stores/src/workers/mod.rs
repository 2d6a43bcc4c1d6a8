//! Background jobs.

pub mod count_webhooks;
pub(crate) mod end_pauses;
pub mod prune;
pub mod send_webhooks;
