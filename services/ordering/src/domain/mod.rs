//! What an order is and what may become of it. Pure.

pub mod cart;
pub mod order;
pub mod pricing;
