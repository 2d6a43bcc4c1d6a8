//! What an order is and what may become of it. Pure.

pub mod cart;
pub mod order;
pub mod own_words;
pub mod pricing;
