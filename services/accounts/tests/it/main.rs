//! Sign-in, attempt limits, sessions and names on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod harness;
mod migration;
mod sessions;
mod sign_in;
