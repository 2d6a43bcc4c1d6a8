//! SQL only. Every function takes the caller's connection or transaction.

pub mod accounts;
pub mod claims;
pub mod consumers;
pub mod messages;
pub mod order_points;
pub mod promos;
pub mod reward_tiers;
