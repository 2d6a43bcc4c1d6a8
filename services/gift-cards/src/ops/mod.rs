//! One use case a file.

mod books;
pub mod capture;
pub mod close_hold;
pub mod get_wallet;
pub mod hold_value;
pub mod list_transactions;
pub mod remove_consumer;
pub mod seed;

pub use books::{DEPARTED, DEVELOPMENT, IN_FLIGHT, SALES};
