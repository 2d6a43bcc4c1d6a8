//! Speaks the domain: consumers with cards and balances, stores, orders; and of a system that can be broken.

mod books;
mod checkout;
mod collector;
mod consumer;
mod keeper;
mod page;
mod program;
mod proxy;
mod reply;
mod sandbox;
mod seeds;
mod servers;
mod settings;
mod stack;
mod store;

use std::{fmt::Display, time::Duration};

use tokio::time::{Instant, sleep};

pub use checkout::{Checkout, Tender, item};
pub use collector::{Collector, Span};
pub use consumer::Consumer;
pub use page::{Page, Tap};
pub use reply::Reply;
pub use settings::{ONE_STORE_CREDENTIAL, PUBLISHABLE_KEY};
pub use stack::{PROGRAMS, Stack, own, shared};
pub use store::Store;

/// How long anything may take that happens by itself.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks again until there is an answer; panics with the last reason why not.
pub async fn eventually<T, E: Display>(what: &str, mut ask: impl AsyncFnMut() -> Result<T, E>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(reason) => assert!(Instant::now() < end, "never: {what}: {reason}"),
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Everything of ours that runs: all but the card provider.
pub fn programs() -> impl Iterator<Item = &'static str> {
    PROGRAMS.into_iter().filter(|name| *name != "card-sandbox")
}

/// What time it is.
pub fn now() -> jiff::Timestamp {
    types::Clock::now(&types::SystemClock)
}

/// Money of the wire, in cents.
pub fn cents(money: &serde_json::Value) -> i64 {
    money["currencyAmount"]
        .as_i64()
        .unwrap_or_else(|| panic!("no money: {money}"))
}
