//! One use case per file.

pub mod audit;
pub mod capture_hold;
pub mod close_hold;
pub mod get_wallet;
pub mod hold_value;
pub mod list_transactions;
pub mod prune_tombstones;
mod publish_balance_changed;
pub mod remove_consumer;
pub mod seed;
