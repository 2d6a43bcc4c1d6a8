//! Sign-in, attempt limits, sessions and names on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod devices;
mod harness;
mod known_devices;
mod messages;
mod migration;
mod prune;
mod redis_server;
mod sessions;
mod sign_in;
mod tombstones;
