//! What the integration tests of every service share: a database of their own for each test on a real server, calls and
//! events as they arrive, and what is logged.
//!
//! `TEST_DATABASE_URL` names a server whose role may create databases; `make test` starts one and sets it.
#![expect(
    clippy::expect_used,
    reason = "a test that cannot get what it needs fails there and says so"
)]

mod call;
mod database;
mod event;
mod log;

use jiff::Timestamp;

pub use call::{request_from, request_from_consumer, request_from_service, into_result, usd};
pub use database::{Database, server_url, unique_name};
pub use event::delivery;
pub use log::Log;

/// The instant that tests happen at where no other is said.
#[must_use]
pub fn at() -> Timestamp {
    Timestamp::from_second(1_790_000_000).expect("an instant")
}
