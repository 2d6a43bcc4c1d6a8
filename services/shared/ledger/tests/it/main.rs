//! Tests of the ledger on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod audit;
mod concurrency;
mod constraints;
mod harness;
mod model;
mod posting;
