//! Black-box tests of the whole system: real programs, called over HTTP as the app, a store and the card provider do.
//! `TEST_DATABASE_URL`, `TEST_AMQP_URL` and `TEST_REDIS_URL` name the backing services, `BIN_DIR` the programs.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod access;
mod alerts;
mod audit;
mod authentication;
mod authorization;
mod backup;
mod bad_input;
mod broker;
mod chaos;
mod compose;
mod crashes;
mod declined;
mod examples;
mod expired_holds;
mod failed_payments;
mod guessing;
mod harness;
mod late_charge;
mod lifecycle;
mod limits;
mod live;
mod logs;
mod metrics;
mod money_difference;
mod network;
mod newer_release;
mod order_xray;
mod place;
mod races;
mod refunds;
mod release;
mod removal;
mod reward_tiers;
mod rolling_restart;
mod slow_provider;
mod split_tenders;
mod store_changes;
mod stored_value;
mod traces;
mod webhooks;
