//! A simulated barista of one store, who leaves some orders to the automatic cancellation.

use std::{sync::Arc, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use tokio::{sync::Notify, time::timeout};

use crate::harness::Store;

const INTERVAL: Duration = Duration::from_millis(300);

/// Works until `stop`. Errors are ignored, as a person would press the button again.
pub async fn run(store: Store, seed: u64, stop: Arc<Notify>) {
    let mut random = StdRng::seed_from_u64(seed);
    let stopped = stop.notified();
    let mut stopped = std::pin::pin!(stopped);
    loop {
        for (order, status) in store.try_queue().await.unwrap_or_default() {
            let step = match status.as_str() {
                // Some orders are left to the automatic cancellation.
                "Placed" => match random.random_range(0..10) {
                    0 => "reject",
                    1..=6 => "accept",
                    _ => continue,
                },
                "Accepted" => match random.random_range(0..12) {
                    0 => "reject",
                    _ => "start",
                },
                "Preparing" => "ready",
                "Ready" => "complete",
                _ => continue,
            };
            let body = (step == "reject").then(|| serde_json::json!({ "reason": "We ran out of milk." }));
            let _repeated = store
                .try_send(Method::POST, &format!("orders/{order}/{step}"), body)
                .await;
        }
        if timeout(INTERVAL, &mut stopped).await.is_ok() {
            return;
        }
    }
}
