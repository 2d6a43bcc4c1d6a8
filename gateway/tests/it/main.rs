//! The gateway as its clients see it: the real program over HTTP, with services that answer what a test tells them to.
//!
//! `TEST_REDIS_URL` and `TEST_AMQP_URL` name the servers; `make test` starts and names them.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by panicking")]

mod access;
mod away;
mod contract;
mod gateway;
mod limits;
mod live;
mod orders;
mod services;
mod sign_in;
mod store_side;
mod web;
mod wire;
