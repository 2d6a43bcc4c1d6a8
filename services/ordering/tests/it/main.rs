//! The ordering service on a real PostgreSQL. The saga with the services that it calls is tested in `tests/system`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod carts;
mod constraints;
mod harness;
mod leases;
mod lifecycle;
mod migrations;
mod payment_loss;
mod removal;
mod steps;
mod user_feedback;
