//! Points, promos and the inbox on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by panicking")]

mod claims;
mod constraints;
mod endings;
mod harness;
mod inbox;
mod points;
mod removal;
