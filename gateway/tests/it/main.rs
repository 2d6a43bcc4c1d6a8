//! Tests of the gateway over HTTP: the compiled binary runs against fake services.
//!
//! `TEST_REDIS_URL` and `TEST_AMQP_URL` name the servers; `make test` starts them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod broker;
mod carts;
mod connections;
mod contract;
mod fake_services;
mod fixtures;
mod harness;
mod live;
mod menus;
mod metrics;
mod orders;
mod public_reads;
mod rate_limits;
mod receipts;
mod redis_faults;
mod shutdown;
mod sign_in;
mod staff;
mod store_api;
mod unavailable_services;
mod web;
