//! Tests of the sandbox over HTTP.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bank_debits;
mod browsers;
mod cards;
mod faults;
mod harness;
mod idempotency;
mod journal;
mod official_client;
mod webhooks;
