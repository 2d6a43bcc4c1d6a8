//! Deletes tombstones that no event or request can refer to anymore.

use std::time::Duration;

use kit::prune::CONSUMED_EVENT_RETENTION;

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
    let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    let mut rows = 0;
    loop {
        let mut conn = cx.pool.acquire().await?;
        let batch = holds::delete_closed(&mut conn, before, limit).await?;
        rows += batch;
        if batch < BATCH_SIZE {
            return Ok(rows);
        }
    }
}

/// Deletes the counts of wrong PINs of past minutes, and returns their number.
pub async fn prune_pin_attempts(cx: &GiftCards) -> sqlx::Result<u64> {
    let before = cx.clock.now() - PIN_ATTEMPT_RETENTION;
    let mut conn = cx.pool.acquire().await?;
    counter::prune_attempts(&mut conn, before).await
}

/// Deletes freezes of automatic reloads that have ended, and returns their number.
pub async fn prune_freezes(cx: &GiftCards) -> sqlx::Result<u64> {
    let mut conn = cx.pool.acquire().await?;
    auto_reload::prune_freezes(&mut conn, cx.clock.now()).await
}
