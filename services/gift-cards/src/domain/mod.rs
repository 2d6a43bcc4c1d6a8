//! Holds, balances and transactions, without I/O.

pub mod hold;
pub mod wallet;
