//! SQL and ledger postings. Every function takes the caller's connection or transaction.

pub mod accounts;
pub mod consumers;
pub mod holds;
pub mod postings;
