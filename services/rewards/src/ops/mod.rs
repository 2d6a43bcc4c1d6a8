//! One use case a file.

mod books;
pub mod claim_discount;
pub mod close_claim;
pub mod get_points;
pub(crate) mod give_points;
pub mod list_inbox;
pub mod list_point_entries;
pub mod mark_inbox_as_seen;
pub mod price_discount;
pub(crate) mod register_consumer;
pub(crate) mod remove_consumer;
pub mod remove_from_inbox;
pub mod seed;
pub(crate) mod tell;

pub use books::{DEPARTED, DEVELOPMENT, EARNED};
