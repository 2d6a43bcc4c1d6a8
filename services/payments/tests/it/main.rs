//! Integration tests of payments with PostgreSQL, RabbitMQ and the card sandbox. To run them alone:
//! `cargo build -p card-sandbox && deploy/dev/backing-services start test`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod harness;

mod authorize;
mod bank;
mod close;
mod faults;
mod missing_customers;
mod order_events;
mod payment_methods;
mod process;
mod removal;
mod webhooks;
