//! Deletes capacity slots, reservations and counts of orders that are no longer used.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kit::lifecycle::Process;

use crate::{
    Stores, db,
    domain::{
        capacity::slot_at,
        suggestions::{first_day, utc_day},
    },
};

const INTERVAL: Duration = Duration::from_hours(1);
/// Slots in the past are not used. A day of them is kept for investigations.
const SLOT_RETENTION: SignedDuration = SignedDuration::from_hours(24);
/// A reservation or tombstone is needed until the last call or event of its order has arrived.
const RESERVATION_RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Prunes every hour until the process stops.
pub(crate) async fn run(process: Process, cx: Arc<Stores>) {
    loop {
        match prune(&cx, cx.clock.now()).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, "old rows deleted"),
            Err(error) => tracing::warn!(%error, "deleting old rows failed"),
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

async fn prune(cx: &Stores, now: Timestamp) -> Result<u64, sqlx::Error> {
    let mut conn = cx.pool.acquire().await?;
    let min_slot = slot_at(now - SLOT_RETENTION);
    let capacity_rows = db::capacity::prune(&mut conn, min_slot, now - RESERVATION_RETENTION).await?;
    let first_day = first_day(utc_day(now));
    let count_rows = db::item_sales::prune(&mut conn, first_day).await?;
    let promise_rows = db::promises::prune(&mut conn, first_day).await?;
    Ok(capacity_rows + count_rows + promise_rows)
}
