//! Polls the queue and advances each order when its time in its status has passed.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use crate::{
    pace::Pace,
    store_api::{QueuedOrder, Status, Step, StoreApi},
};

const POLL_INTERVAL: Duration = Duration::from_millis(500);
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// Since when each order has its status, as far as this process has seen. After a restart, orders wait a little longer.
#[derive(Debug, Default)]
struct Progress {
    since: HashMap<String, (Status, Instant)>,
    placed_count: u64,
}

/// Runs until it is dropped.
pub async fn run(api: &StoreApi, pace: &Pace, skip_stores: &[String]) {
    let mut progress = Progress::default();
    let mut is_unavailable = false;
    loop {
        match api.fetch_queue().await {
            Ok(mut queue) => {
                queue.retain(|order| {
                    !skip_stores
                        .iter()
                        .any(|skipped| is_match(skipped, &order.store_name))
                });
                if std::mem::take(&mut is_unavailable) {
                    tracing::info!("queue available again");
                }
                progress.retain(&queue);
                for order in queue {
                    advance(api, pace, &mut progress, &order).await;
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            Err(error) => {
                if !std::mem::replace(&mut is_unavailable, true) {
                    tracing::warn!(error = format!("{error:#}"), "queue unavailable; will retry");
                }
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        }
    }
}

async fn advance(api: &StoreApi, pace: &Pace, progress: &mut Progress, order: &QueuedOrder) {
    let waited = progress.time_in_status(order);
    let Some(required) = pace.time_in_status(order.status) else {
        return;
    };
    if waited < required {
        return;
    }
    let step = match order.status {
        Status::Placed => {
            progress.placed_count += 1;
            if pace.rejects(progress.placed_count) {
                Step::Reject
            } else {
                Step::Accept
            }
        }
        Status::Accepted => Step::Start,
        Status::Preparing => Step::MarkReady,
        Status::Ready => Step::Complete,
    };
    match api.advance(&order.order_id, step).await {
        Ok(()) => tracing::info!(order_id = order.order_id, step = step.as_str(), "order advanced"),
        Err(error) => tracing::info!(
            order_id = order.order_id,
            step = step.as_str(),
            error = format!("{error:#}"),
            "order not advanced"
        ),
    }
}

impl Progress {
    fn time_in_status(&mut self, order: &QueuedOrder) -> Duration {
        let now = Instant::now();
        let entry = self
            .since
            .entry(order.order_id.clone())
            .or_insert((order.status, now));
        if entry.0 != order.status {
            *entry = (order.status, now);
        }
        entry.1.elapsed()
    }

    /// Removes the orders that are no longer in the queue.
    fn retain(&mut self, queue: &[QueuedOrder]) {
        self.since
            .retain(|id, _| queue.iter().any(|order| order.order_id == *id));
    }
}

fn is_match(pattern: &str, name: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == name, |prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_the_rest_of_a_name() {
        assert!(is_match("Hayes & Octavia", "Hayes & Octavia"));
        assert!(is_match("Test Street *", "Test Street 7"));
        assert!(!is_match("Test Street", "Test Street 7"));
    }
}
