//! Integration tests of payments with PostgreSQL, RabbitMQ and the card sandbox. Before running them alone:
//! `deploy/dev/backing-services start test && cargo build -p card-sandbox -p seed-test-card`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod harness;

mod audit;
mod authorize;
mod bank;
mod bank_accounts;
mod clocks;
mod close;
mod debts;
mod debts_after_removal;
mod disputes;
mod effects;
mod failed_captures;
mod faults;
mod late_objects;
mod localstripe;
mod many_consumers;
mod missing_customers;
mod order_events;
mod payment_methods;
mod process;
mod provider_comparison;
mod purchases;
mod recoveries;
mod recovery_faults;
mod refunds;
mod removal;
mod seed_test_card;
mod webhooks;
