//! The sandbox driven over HTTP, as its callers drive it.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by panicking")]

mod bank_debits;
mod browsers;
mod cards;
mod faults;
mod harness;
mod idempotency;
mod journal;
mod official_client;
mod webhooks;
