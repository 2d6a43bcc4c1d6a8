//! Stored value on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by panicking")]

mod constraints;
mod events;
mod harness;
mod holds;
mod removal;
mod wallet;
