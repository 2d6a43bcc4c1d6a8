//! SQL only: free functions that take the caller's connection or transaction.

pub mod carts;
pub mod history;
pub mod leases;
pub mod orders;
pub mod steps;
