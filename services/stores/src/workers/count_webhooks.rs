//! Measures and prunes webhook deliveries.

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use kit::{InternalError, lifecycle::Process, metrics::Gauge};

use crate::{Stores, db::webhook_deliveries};

static PENDING: Gauge = Gauge::new(
    "stores.webhook.pending",
    "Webhook deliveries that wait for an attempt",
);
static FAILED: Gauge = Gauge::new(
    "stores.webhook.failed",
    "Webhook deliveries that failed in the last 24 hours, after three days of attempts",
);

const INTERVAL: Duration = Duration::from_mins(1);
const FAILED_WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// Runs until the process stops.
pub(crate) async fn run(process: Process, cx: Arc<Stores>) {
    loop {
        if let Err(error) = count_and_prune(&cx).await {
            tracing::warn!(%error, "webhooks not counted; will retry");
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

async fn count_and_prune(cx: &Stores) -> Result<(), InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let counts = webhook_deliveries::count(&mut conn, now - FAILED_WINDOW).await?;
    PENDING.set_count(counts.pending, &[]);
    FAILED.set_count(counts.failed, &[]);
    drop(conn);
    let rows = prune_webhooks(cx).await?;
    if rows > 0 {
        tracing::info!(rows, "webhook deliveries pruned");
    }
    Ok(())
}

/// Deletes all deliveries past their retention, in batches. Returns their number.
pub async fn prune_webhooks(cx: &Stores) -> Result<u64, InternalError> {
    let now = cx.clock.now();
    let mut rows = 0;
    loop {
        let mut conn = cx.pool.acquire().await?;
        let finished = webhook_deliveries::prune(&mut conn, now).await?;
        let paused = webhook_deliveries::prune_paused(&mut conn, now).await?;
        rows += finished + paused;
        // A smaller batch also means that another replica deletes the others.
        if finished.max(paused) < webhook_deliveries::PRUNE_BATCH.unsigned_abs() {
            return Ok(rows);
        }
    }
}
