//! Consumers order, buy stored value and pay debts, and stores make orders, while processes are killed, frozen and restarted, servers
//! too, and links between them are delayed, cut, silenced and garbled. Each request must end. Afterwards the audit must find no order or
//! purchase without its payment, and no payment without its order or purchase.
//!
//! `CHAOS_SEED` repeats the faults and the consumers' choices of a run; `CHAOS_SECONDS` sets the duration.

mod barista;
mod buyer;
mod faults;
mod shopper;

use std::{sync::Arc, time::Duration};

use futures::{StreamExt, future::join_all, stream};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    sync::Notify,
    time::{Instant, sleep},
};

use crate::harness::{Databases, Stack, Store, audit, item, replicated_stack};
use buyer::Buyer;
use faults::Schedule;
use shopper::{Shopper, Tally};

const DEFAULT_SECONDS: u64 = 30;
const SHOPPERS: u64 = 16;
const CONCURRENT_REGISTRATIONS: usize = 4;
const BUYERS: u64 = 4;
const STORES: usize = 4;
/// Settings of ordering, and of no other program. Short, so that orders are canceled automatically during the test.
const ORDER_TIMES: [(&str, &str); 2] = [
    ("ORDER_ACCEPT_SECONDS", "12"),
    ("ORDER_AUTHENTICATION_SECONDS", "8"),
];
/// Longer than the longest timeout of the gateway and the faults that delay its response, so that the gateway has to end each request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(45);
/// Time to finish all work after the last fault ended. Longer than any lease, retry interval and wait for acceptance.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(90);

fn from_env(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text:?}")),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_and_money_match_after_kills_freezes_and_broken_links() {
    let seed = from_env("CHAOS_SEED").unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    let time = Duration::from_secs(from_env("CHAOS_SECONDS").unwrap_or(DEFAULT_SECONDS));
    println!("CHAOS_SEED={seed} CHAOS_SECONDS={}", time.as_secs());
    let mut random = StdRng::seed_from_u64(seed);
    let exclusive = replicated_stack().await;
    let stack = exclusive.stack;
    stack.restart_replicas("ordering", &ORDER_TIMES).await;
    let began = Instant::now();
    let stores: Vec<Store> = (0..STORES).map(|_| stack.store()).collect();
    let latte = item(&stack.consumer().await, &stores[0], "Latte").await;
    let registering = (0..SHOPPERS).map(async |number| {
        let consumer = stack.consumer().await.with_timeout(REQUEST_TIMEOUT);
        Shopper::register(consumer, &stores, &latte, seed ^ (number << 32)).await
    });
    let shoppers: Vec<_> = stream::iter(registering)
        .buffered(CONCURRENT_REGISTRATIONS)
        .collect()
        .await;
    let registering = (0..BUYERS).map(async |number| {
        let consumer = stack.consumer().await.with_timeout(REQUEST_TIMEOUT);
        Buyer::register(consumer, &stores[0], seed ^ ((number + SHOPPERS) << 32)).await
    });
    let buyers: Vec<_> = stream::iter(registering)
        .buffered(CONCURRENT_REGISTRATIONS)
        .collect()
        .await;
    println!("{:5.1} s: started", began.elapsed().as_secs_f32());

    let stop = Arc::new(Notify::new());
    let baristas: Vec<_> = stores
        .iter()
        .map(|store| tokio::spawn(barista::run(store.clone(), random.random(), Arc::clone(&stop))))
        .collect();
    let until = Instant::now() + time;
    let shopping: Vec<_> = shoppers
        .into_iter()
        .map(|shopper| tokio::spawn(shopper.shop(until)))
        .collect();
    let buying: Vec<_> = buyers
        .into_iter()
        .map(|buyer| tokio::spawn(buyer.buy(until)))
        .collect();
    Schedule::new(&mut random, stack, time).run(stack).await;
    for process in stack.processes() {
        process.wait_until_ready().await;
    }
    println!("{:5.1} s: all faults ended", began.elapsed().as_secs_f32());

    let mut tally = Tally::default();
    let repeating = shopping.into_iter().map(async |shopping| {
        let mut shopper = shopping.await.unwrap();
        shopper.repeat_all().await;
        shopper.tally
    });
    let repeating_purchases = buying.into_iter().map(async |buying| {
        let mut buyer = buying.await.unwrap();
        buyer.repeat_all().await;
        buyer.tally
    });
    let (orders, purchases) = tokio::join!(join_all(repeating), join_all(repeating_purchases));
    for seen in orders.into_iter().chain(purchases) {
        tally.add(seen);
    }
    println!("{:5.1} s: {tally}", began.elapsed().as_secs_f32());
    settle(stack).await;
    stop.notify_waiters();
    for barista in baristas {
        barista.await.unwrap();
    }
    settle(stack).await;
    println!("{:5.1} s: audited", began.elapsed().as_secs_f32());
    tally.assert_outcomes_covered();
}

/// Repeats the audit until it has no findings.
pub async fn settle(stack: &'static Stack) {
    let end = Instant::now() + SETTLE_TIMEOUT;
    let mut databases = Databases::open(stack).await;
    loop {
        let provider = stack.sandbox().state().await;
        let findings = audit(&mut databases, &provider).await;
        if findings.is_empty() {
            return;
        }
        let first: Vec<_> = findings.iter().take(40).map(ToString::to_string).collect();
        assert!(
            Instant::now() < end,
            "{} findings, among them:\n{}",
            findings.len(),
            first.join("\n")
        );
        sleep(Duration::from_secs(1)).await;
    }
}
