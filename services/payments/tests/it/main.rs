//! Payments against a real PostgreSQL and, over HTTP, the provider's sandbox as a program of its own.
//! Both come with `make test`; alone: `cargo build -p card-sandbox` and `deploy/dev/backing-services start test`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says what went wrong by panicking"
)]

mod harness;

mod authorize;
mod bank;
mod close;
mod customers;
mod faults;
mod methods;
mod orders;
mod process;
mod removal;
mod webhooks;
