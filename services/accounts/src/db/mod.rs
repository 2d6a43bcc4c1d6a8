//! SQL only: free functions that take the caller's connection or transaction.

pub mod challenges;
pub mod consumers;
pub mod messages;
pub mod sessions;
