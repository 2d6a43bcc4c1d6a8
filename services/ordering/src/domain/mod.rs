//! Orders, carts and prices: pure types and rules.

mod text_enum;

pub mod cart;
pub mod charge;
pub mod end;
pub mod line;
pub mod order;
pub mod place_order;
pub mod pricing;
pub mod queue;
pub mod quote;
pub(crate) mod sanitize;
pub mod status;
pub mod store;
pub mod tender;

pub use text_enum::UnknownValue;
