//! One use case per file.

mod add_inbox_message;
mod adjust_points;
pub mod audit;
pub mod award_points;
pub mod claim_discount;
pub mod close_claim;
pub mod end_order;
pub mod get_points;
pub mod list_inbox;
pub mod list_point_entries;
pub mod mark_inbox_as_seen;
pub mod notify_order_delayed;
pub mod notify_order_ready;
pub mod price_discount;
pub mod prune_tombstones;
pub mod record_payment_failure;
pub mod record_refund;
pub mod register_consumer;
pub mod remove_consumer;
pub mod remove_from_inbox;
pub mod seed;
