//! The ordering service on a real PostgreSQL. The saga with the services that it calls is tested in `tests/system`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod carts;
mod client_secrets;
mod clocks;
mod constraints;
mod delays;
mod fake_services;
mod harness;
mod known_balances;
mod known_debts;
mod leases;
mod lifecycle;
mod limits;
mod migrations;
mod money_audit;
mod order_feedback;
mod order_moves;
mod order_timeline;
mod payment_loss;
mod pending;
mod place_order;
mod promo_codes;
mod queue;
mod races;
mod receipts;
mod recovery;
mod refunds;
mod removal;
mod removal_orders;
mod split_tenders;
mod steps;
mod store_side;
mod user_feedback;
