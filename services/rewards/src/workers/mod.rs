//! What runs by itself.

pub mod audit;
