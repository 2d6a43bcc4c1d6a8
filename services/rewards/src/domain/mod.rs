//! Points, promo codes, claims and inbox messages, without I/O.

pub mod claim;
pub mod inbox;
pub mod notification;
pub mod order;
pub mod points;
pub mod promo;
