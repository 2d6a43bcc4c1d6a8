//! The ledger on a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by panicking")]

mod books;
mod constraints;
mod model;
mod posting;
mod spenders;
mod watch;
