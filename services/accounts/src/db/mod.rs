//! SQL: free functions that take the caller's connection or transaction.

pub(crate) mod challenges;
pub(crate) mod consumers;
pub(crate) mod messages;
pub(crate) mod sessions;
