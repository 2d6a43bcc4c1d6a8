//! Helpers for the integration tests of all services: databases, requests, events, captured logs,
//! and proxies with faults.
//!
//! `TEST_DATABASE_URL` names a PostgreSQL server and a role that may create databases; `make test` starts one and sets it.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod call;
mod database;
mod event;
mod log;
mod proxy;

use jiff::Timestamp;

pub use call::{into_result, request_from, request_from_consumer, request_from_service, usd};
pub use database::{Database, server_url, unique_name};
pub use event::delivery;
pub use log::Log;
pub use proxy::{Fault, PROXIES, Proxy};

/// Returns the default instant for tests, in September 2026.
#[must_use]
pub fn at() -> Timestamp {
    Timestamp::from_second(1_790_000_000).expect("valid timestamp")
}
