//! While all processes restart, one replica of each program after the other, no request fails.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
};

use futures::future::join_all;

use crate::{
    chaos::settle,
    harness::{Consumer, Program, Stack, Store, Tender, programs, replicated_stack},
};

const CONSUMERS: usize = 4;

/// Orders, reads, makes or cancels until `stop`. Each response other than a success fails the test.
async fn order_repeatedly(
    consumer: Consumer,
    store: Store,
    tenders: [Tender; 2],
    stop: Arc<AtomicBool>,
    orders: Arc<AtomicUsize>,
) {
    while !stop.load(Relaxed) {
        for tender in &tenders {
            let order = consumer.place_order("Latte", &store, tender).await;
            if orders.fetch_add(1, Relaxed).is_multiple_of(2) {
                store.make(&order).await;
            } else {
                consumer.cancel(&order).await.data();
            }
            for path in [
                "user/wallet",
                "user/points",
                "user/profile",
                "payments/list?type=external",
            ] {
                consumer.get(path).await.data();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_while_all_processes_restart() {
    let exclusive = replicated_stack().await;
    let stack: &'static Stack = exclusive.stack;
    let settings = stack.settings_without_proxies();
    let settings: Vec<_> = settings
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let restarted: Vec<_> = stack
        .processes()
        .iter()
        .filter(|process| process.name != "card-sandbox")
        .collect();
    for process in &restarted {
        process.kill();
        process.start(&settings);
    }
    for process in &restarted {
        process.wait_until_ready().await;
    }
    let (stop, orders) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let consumers = join_all((0..CONSUMERS).map(async |_| {
        let consumer = stack.consumer().await.without_keep_alive();
        let tenders = [
            consumer.with_card("4242424242424242").await,
            consumer.with_joepass(1_000_000).await,
        ];
        (consumer, tenders)
    }))
    .await;
    let load: Vec<_> = consumers
        .into_iter()
        .map(|(consumer, tenders)| {
            let store = stack.store().without_keep_alive();
            tokio::spawn(order_repeatedly(
                consumer,
                store,
                tenders,
                Arc::clone(&stop),
                Arc::clone(&orders),
            ))
        })
        .collect();
    let mut replicas: BTreeMap<&str, Vec<&Program>> = BTreeMap::new();
    for name in programs() {
        let all = stack.processes().iter().filter(|process| process.name == name);
        replicas.insert(name, all.collect());
    }
    join_all(replicas.values().map(async |replicas| {
        for process in replicas {
            let before = orders.load(Relaxed);
            let ended = process.stop().await;
            assert!(ended.success(), "{}: {ended}", process.name);
            process.start(&settings);
            process.wait_until_ready().await;
            // The load runs during each restart.
            while orders.load(Relaxed) <= before {
                assert!(
                    load.iter().all(|task| !task.is_finished()),
                    "a request failed; see above"
                );
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
    }))
    .await;
    stop.store(true, Relaxed);
    for task in load {
        task.await.unwrap();
    }
    settle(stack).await;
}
