//! Clients of other systems.

pub mod session_cache;
