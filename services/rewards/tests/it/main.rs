//! Tests of the service on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod claims;
mod constraints;
mod ended_orders;
mod harness;
mod inbox;
mod points;
mod prune;
mod removal;
