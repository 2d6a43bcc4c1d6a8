//! The barista's day: look at the queue, take each order one step on when its time has come.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::{
    pace::Pace,
    store_api::{QueuedOrder, StoreApi},
};

const LOOK_EVERY: Duration = Duration::from_millis(500);
const WAIT_WHEN_AWAY: Duration = Duration::from_secs(2);

/// Since when each order is in the state that it was last seen in. The queue itself is the truth: a barista that starts
/// anew waits a little longer, nothing else.
#[derive(Debug, Default)]
struct Seen {
    since: HashMap<String, (String, Instant)>,
    count: u64,
}

/// Works until dropped.
pub async fn work(api: &StoreApi, pace: &Pace) {
    let mut seen = Seen::default();
    let mut away = false;
    loop {
        match api.queue().await {
            Ok(queue) => {
                if std::mem::take(&mut away) {
                    tracing::info!("the gateway is back");
                }
                seen.forget_gone(&queue);
                for order in queue {
                    advance(api, pace, &mut seen, &order).await;
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
            Err(error) => {
                if !std::mem::replace(&mut away, true) {
                    tracing::warn!(error = format!("{error:#}"), "no queue to work from, waiting");
                }
                tokio::time::sleep(WAIT_WHEN_AWAY).await;
            }
        }
    }
}

async fn advance(api: &StoreApi, pace: &Pace, seen: &mut Seen, order: &QueuedOrder) {
    let waited = seen.waited(order);
    let Some(wanted) = pace.before_leaving(&order.status) else {
        return;
    };
    if waited < wanted {
        return;
    }
    let step = match order.status.as_str() {
        "Placed" => {
            seen.count += 1;
            if pace.rejects(seen.count) {
                "reject"
            } else {
                "accept"
            }
        }
        "Accepted" => "start",
        "Preparing" => "ready",
        _ => "complete",
    };
    match api.step(&order.order_id, step).await {
        Ok(()) => tracing::info!(order_id = order.order_id, step, "order moved"),
        Err(error) => tracing::info!(
            order_id = order.order_id,
            step,
            error = format!("{error:#}"),
            "not moved"
        ),
    }
}

impl Seen {
    fn waited(&mut self, order: &QueuedOrder) -> Duration {
        let now = Instant::now();
        let entry = self
            .since
            .entry(order.order_id.clone())
            .or_insert_with(|| (order.status.clone(), now));
        if entry.0 != order.status {
            *entry = (order.status.clone(), now);
        }
        entry.1.elapsed()
    }

    fn forget_gone(&mut self, queue: &[QueuedOrder]) {
        self.since
            .retain(|id, _| queue.iter().any(|order| order.order_id == *id));
    }
}
