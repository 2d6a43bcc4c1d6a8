//! Test harness in domain terms: consumers with cards and balances, stores, orders, and a system with fault injection.

mod audit;
mod backup;
mod checkout;
mod cleanup;
mod collector;
mod consistency;
mod consumer;
mod event_stream;
mod link;
mod load_balancer;
mod page;
mod program;
mod prometheus;
mod queues;
mod repair;
mod reply;
mod running;
mod sandbox;
mod seeds;
mod servers;
mod settings;
mod shared_servers;
mod stack;
mod stack_config;
mod store;
mod tender;
mod topology;

use std::{fmt::Display, time::Duration};

use tokio::time::{Instant, sleep};

pub use audit::{Databases, audit};
pub use backup::{Backup, Restored, delete_old_backups};
pub use checkout::{Checkout, item};
pub use collector::{Collector, Span};
pub use consumer::Consumer;
pub use link::Link;
pub use page::{Page, RequestTrace};
pub use program::Program;
pub use prometheus::{ALERTS, Prometheus};
pub use repair::check_and_repair;
pub use reply::Reply;
pub use servers::control;
pub use settings::{ONE_STORE_CREDENTIAL, OPERATOR_KEY, PUBLISHABLE_KEY, STORE_CREDENTIAL};
pub use stack::{
    ExclusiveStack, Stack, exclusive_stack, exclusive_stack_with_short_saga_lease, replicated_stack,
    shared_stack,
};
pub use stack_config::PROGRAMS;
pub use store::Store;
pub use tender::Tender;
pub use testing::Fault;

/// Timeout for asynchronous effects.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Polls until the check succeeds; panics with the last error after the timeout.
pub async fn eventually<T, E: Display>(what: &str, mut check: impl AsyncFnMut() -> Result<T, E>) -> T {
    let end = Instant::now() + TIMEOUT;
    loop {
        match check().await {
            Ok(value) => return value,
            Err(reason) => assert!(Instant::now() < end, "never: {what}: {reason}"),
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// All programs except the card provider.
pub fn programs() -> impl Iterator<Item = &'static str> {
    PROGRAMS.into_iter().filter(|name| *name != "card-sandbox")
}

pub fn now() -> jiff::Timestamp {
    types::Clock::now(&types::SystemClock)
}

/// Returns an amount of the API in cents.
pub fn cents(money: &serde_json::Value) -> i64 {
    money["currencyAmount"]
        .as_i64()
        .unwrap_or_else(|| panic!("no money: {money}"))
}
