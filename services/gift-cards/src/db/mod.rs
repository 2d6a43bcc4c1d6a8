//! SQL only. Every function takes the caller's connection or transaction.

pub mod consumers;
pub mod holds;
