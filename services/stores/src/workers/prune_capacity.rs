//! Deletes old capacity slots, reservations and counts of orders.

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
/// Rows of one statement.
const BATCH_SIZE: i64 = 1_000;
/// Pause between batches, so that pruning does not delay other statements.
const PAUSE: Duration = Duration::from_millis(50);
/// Past slots are not used. They are kept for a day for investigations.
const SLOT_RETENTION: SignedDuration = SignedDuration::from_hours(24);
/// Longer than a call or event of the order can be delayed.
const RESERVATION_RETENTION: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Prunes every hour until the process stops.
pub(crate) async fn run(process: Process, cx: Arc<Stores>) {
    loop {
        match prune(&cx, cx.clock.now()).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, "pruned"),
            Err(error) => tracing::warn!(%error, "prune failed; will retry"),
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

async fn prune(cx: &Stores, now: Timestamp) -> Result<u64, sqlx::Error> {
    let min_slot = slot_at(now - SLOT_RETENTION);
    let slot_rows = prune_in_batches(cx, Old::Slots(min_slot)).await?;
    let reservation_rows = prune_in_batches(cx, Old::Reservations(now - RESERVATION_RETENTION)).await?;
    let mut conn = cx.pool.acquire().await?;
    let first_day = first_day(utc_day(now));
    let count_rows = db::item_sales::prune(&mut conn, first_day).await?;
    let promise_rows = db::promises::prune(&mut conn, first_day).await?;
    let rating_rows = db::ratings::prune(&mut conn, first_day).await?;
    // A local day may begin a day before or after the UTC day.
    let past_day = utc_day(now - SLOT_RETENTION * 3);
    let day_rows = db::special_days::prune(&mut conn, past_day).await?;
    Ok(slot_rows + reservation_rows + count_rows + promise_rows + rating_rows + day_rows)
}

/// Rows to delete.
#[derive(Clone, Copy)]
enum Old {
    /// Slots before this one.
    Slots(i64),
    /// Reservations that ended before this time.
    Reservations(Timestamp),
}

impl Old {
    async fn delete_batch(self, cx: &Stores) -> Result<u64, sqlx::Error> {
        let mut conn = cx.pool.acquire().await?;
        match self {
            Self::Slots(min_slot) => db::capacity::prune_slots(&mut conn, min_slot, BATCH_SIZE).await,
            Self::Reservations(ended_before) => {
                db::capacity::prune_reservations(&mut conn, ended_before, BATCH_SIZE).await
            }
        }
    }
}

/// Deletes batches until one is not full. One statement for all rows could exceed the statement timeout, at each attempt again.
async fn prune_in_batches(cx: &Stores, old: Old) -> Result<u64, sqlx::Error> {
    let mut rows = 0;
    loop {
        let deleted = old.delete_batch(cx).await?;
        rows += deleted;
        if deleted < BATCH_SIZE.unsigned_abs() {
            return Ok(rows);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
