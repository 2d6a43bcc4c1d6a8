//! Tests of the service on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod audit;
mod constraints;
mod events;
mod harness;
mod holds;
mod metrics;
mod prune;
mod removal;
mod wallet;
