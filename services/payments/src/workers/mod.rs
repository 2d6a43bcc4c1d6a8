//! What runs by itself.

pub mod effects;
