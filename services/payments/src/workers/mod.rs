//! What runs by itself.

pub mod effects;
pub mod look;
