//! What runs by itself.

pub mod prune;
