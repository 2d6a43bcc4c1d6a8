//! Clients of other systems.

pub mod ordering;
pub mod photo_store;
pub mod session_cache;
