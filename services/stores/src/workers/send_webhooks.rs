//! Sends due webhook deliveries.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, lifecycle::Process};
use tokio::task::JoinSet;

use crate::{
    Stores,
    db::webhook_deliveries::{self, SendLimits},
    domain::webhook::LeasedDelivery,
    ops::send_webhook::send_webhook,
    webhook_client::SEND_TIMEOUT,
};

const INTERVAL: Duration = Duration::from_millis(500);
/// Longer than `SEND_TIMEOUT`, so that no other replica sends the delivery at the same time.
const LEASE: Duration = Duration::from_secs(40);
const MAX_CONCURRENT: usize = 32;
/// Of one subscription, on all replicas.
const MAX_CONCURRENT_PER_SUBSCRIPTION: i64 = 8;
/// Of a subscription whose newest attempt failed, so that receivers that do not respond do not use all sends. Two, so that a single event
/// that the receiver rejects does not hold up its other events.
const MAX_CONCURRENT_PER_FAILING_SUBSCRIPTION: i64 = 2;
/// Of all subscriptions whose newest attempt failed, on all replicas.
const MAX_CONCURRENT_FAILING: i64 = 16;

const _: () = assert!(SEND_TIMEOUT.as_secs() < LEASE.as_secs());

/// Runs until the process stops. Finishes the deliveries that were leased.
pub(crate) async fn run(process: Process, cx: Arc<Stores>) {
    let mut sending = JoinSet::new();
    while process.sleep(INTERVAL).await {
        while let Some(result) = sending.try_join_next() {
            log_panic(result);
        }
        match lease(&cx, MAX_CONCURRENT - sending.len()).await {
            Ok(leased) => {
                for delivery in leased {
                    sending.spawn(send(Arc::clone(&cx), delivery));
                }
            }
            Err(error) => tracing::warn!(%error, "webhooks not leased; will retry"),
        }
    }
    while let Some(result) = sending.join_next().await {
        log_panic(result);
    }
}

/// Sends the deliveries that are due now, each once. Returns their number.
pub async fn send_due_webhooks(cx: &Arc<Stores>) -> Result<usize, InternalError> {
    let leased = lease(cx, MAX_CONCURRENT).await?;
    let count = leased.len();
    let mut sending: JoinSet<()> = leased
        .into_iter()
        .map(|delivery| send(Arc::clone(cx), delivery))
        .collect();
    while let Some(result) = sending.join_next().await {
        log_panic(result);
    }
    Ok(count)
}

/// The lease of the delivery expires, and it is sent again.
fn log_panic(result: Result<(), tokio::task::JoinError>) {
    if let Err(error) = result {
        tracing::error!(%error, "sending a webhook panicked; will retry");
    }
}

async fn lease(cx: &Stores, free: usize) -> Result<Vec<LeasedDelivery>, InternalError> {
    let total = i64::try_from(free).unwrap_or(i64::MAX);
    if total == 0 {
        return Ok(Vec::new());
    }
    let limits = SendLimits {
        total,
        per_subscription: MAX_CONCURRENT_PER_SUBSCRIPTION,
        per_failing_subscription: MAX_CONCURRENT_PER_FAILING_SUBSCRIPTION,
        all_failing: MAX_CONCURRENT_FAILING,
    };
    let mut conn = cx.pool.acquire().await?;
    Ok(webhook_deliveries::lease_due(&mut conn, cx.clock.now(), LEASE, limits).await?)
}

async fn send(cx: Arc<Stores>, delivery: LeasedDelivery) {
    if let Err(error) = send_webhook(&cx, &delivery).await {
        tracing::warn!(id = %delivery.id, %error, "webhook result not recorded; sent again when its lease expires");
    }
}
