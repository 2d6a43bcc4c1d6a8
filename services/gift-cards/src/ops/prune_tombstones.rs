//! Deletes tombstones that no event or request can refer to anymore.

use std::time::Duration;

use futures::future::BoxFuture;
use kit::prune::CONSUMED_EVENT_RETENTION;
use sqlx::PgConnection;

use crate::{
    GiftCards,
    db::{auto_reload, counter, holds},
};

/// Longer than any event is accepted: consumers reject events that are older than `CONSUMED_EVENT_RETENTION`.
const RETENTION: Duration = CONSUMED_EVENT_RETENTION.saturating_add(Duration::from_hours(24));
const BATCH_SIZE: u64 = 1_000;
/// Limits are per minute.
const PIN_ATTEMPT_RETENTION: Duration = Duration::from_hours(1);

/// Deletes tombstones that are a month old, and returns their number.
pub async fn prune_tombstones(cx: &GiftCards) -> sqlx::Result<u64> {
    let before = cx.clock.now() - RETENTION;
    delete_batches(cx, |conn, limit| {
        Box::pin(holds::delete_closed(conn, before, limit))
    })
    .await
}

/// Deletes the counts of wrong PINs of past minutes, and returns their number.
pub async fn prune_pin_attempts(cx: &GiftCards) -> sqlx::Result<u64> {
    let before = cx.clock.now() - PIN_ATTEMPT_RETENTION;
    let mut conn = cx.pool.acquire().await?;
    counter::prune_attempts(&mut conn, before).await
}

/// Deletes freezes of automatic reloads that have ended, and returns their number.
pub async fn prune_freezes(cx: &GiftCards) -> sqlx::Result<u64> {
    let now = cx.clock.now();
    delete_batches(cx, |conn, limit| {
        Box::pin(auto_reload::delete_ended_freezes(conn, now, limit))
    })
    .await
}

/// Calls `delete` with the size of a batch until a batch is not full, and returns the number of deleted rows.
async fn delete_batches(
    cx: &GiftCards,
    delete: impl for<'a> Fn(&'a mut PgConnection, i64) -> BoxFuture<'a, sqlx::Result<u64>>,
) -> sqlx::Result<u64> {
    let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    let mut rows = 0;
    loop {
        let mut conn = cx.pool.acquire().await?;
        let batch = delete(&mut conn, limit).await?;
        rows += batch;
        if batch < BATCH_SIZE {
            return Ok(rows);
        }
    }
}
