//! The whole system as a black box: real programs behind the gateway, talked to over HTTP as the app, a store and the
//! card provider would. `TEST_DATABASE_URL`, `TEST_AMQP_URL` and `TEST_REDIS_URL` name the servers, `BIN_DIR` the programs.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says what went wrong by panicking"
)]

mod authentication;
mod authorization;
mod bad_input;
mod broker;
mod crashes;
mod declined;
mod expired_holds;
mod harness;
mod late_charge;
mod lifecycle;
mod limits;
mod logs;
mod place;
mod races;
mod release;
mod traces;
