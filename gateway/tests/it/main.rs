//! Tests of the gateway over HTTP: the compiled binary runs against fake services.
//!
//! `TEST_REDIS_URL` and `TEST_AMQP_URL` name the servers; `make test` starts them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod account;
mod api_docs;
mod broker;
mod carts;
mod companies;
mod connections;
mod contract;
mod fake_services;
mod fixtures;
mod hand_over;
mod harness;
mod invalid_requests;
mod live;
mod menus;
mod metrics;
mod offers;
mod operators;
mod orders;
mod page_calls;
mod payment_methods;
mod public_reads;
mod rate_limits;
mod receipts;
mod redis_faults;
mod shutdown;
mod sign_in;
mod staff;
mod store_api;
mod store_changes;
mod store_side;
mod stored_value;
mod unavailable_services;
mod web;
