//! Deletes old capacity slots, reservations, counts of orders, special days and shifts.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp, civil::Date};
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
        let rows = prune(&process, &cx).await;
        if rows > 0 {
            tracing::info!(rows, "pruned");
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

/// Prunes each table, also if another one fails, until the process stops. Returns the number of deleted rows.
pub async fn prune(process: &Process, cx: &Stores) -> u64 {
    let mut rows = 0;
    for old in Old::all(cx.clock.now()) {
        match prune_in_batches(process, cx, old).await {
            Ok(deleted) => rows += deleted,
            Err(error) => tracing::warn!(?old, %error, "prune failed; will retry"),
        }
    }
    rows
}

/// Rows to delete: before a time, a slot or a day.
#[derive(Debug, Clone, Copy)]
enum Old {
    Slots(i64),
    /// By the time at which they ended.
    Reservations(Timestamp),
    ItemSales(Date),
    ItemPairSales(Date),
    Promises(Date),
    Ratings(Date),
    SpecialDays(Date),
    Shifts(Date),
}

impl Old {
    fn all(now: Timestamp) -> [Self; 8] {
        let first_day = first_day(utc_day(now));
        // A local day may begin a day before or after the UTC day.
        let past_day = utc_day(now - SLOT_RETENTION * 3);
        [
            Self::Slots(slot_at(now - SLOT_RETENTION)),
            Self::Reservations(now - RESERVATION_RETENTION),
            Self::ItemSales(first_day),
            Self::ItemPairSales(first_day),
            Self::Promises(first_day),
            Self::Ratings(first_day),
            Self::SpecialDays(past_day),
            Self::Shifts(past_day),
        ]
    }

    async fn delete_batch(self, cx: &Stores) -> Result<u64, sqlx::Error> {
        let mut conn = cx.pool.acquire().await?;
        match self {
            Self::Slots(min_slot) => db::capacity::prune_slots(&mut conn, min_slot, BATCH_SIZE).await,
            Self::Reservations(ended_before) => {
                db::capacity::prune_reservations(&mut conn, ended_before, BATCH_SIZE).await
            }
            Self::ItemSales(day) => db::item_sales::prune(&mut conn, day, BATCH_SIZE).await,
            Self::ItemPairSales(day) => db::item_sales::prune_pairs(&mut conn, day, BATCH_SIZE).await,
            Self::Promises(day) => db::promises::prune(&mut conn, day, BATCH_SIZE).await,
            Self::Ratings(day) => db::ratings::prune(&mut conn, day, BATCH_SIZE).await,
            Self::SpecialDays(day) => db::special_days::prune(&mut conn, day, BATCH_SIZE).await,
            Self::Shifts(day) => db::shifts::prune(&mut conn, day, BATCH_SIZE).await,
        }
    }
}

/// Deletes batches until one is not full. One statement for all rows could exceed the statement timeout, at each attempt again.
async fn prune_in_batches(process: &Process, cx: &Stores, old: Old) -> Result<u64, sqlx::Error> {
    let mut rows = 0;
    loop {
        let deleted = old.delete_batch(cx).await?;
        rows += deleted;
        if deleted < BATCH_SIZE.unsigned_abs() || !process.sleep(PAUSE).await {
            return Ok(rows);
        }
    }
}
