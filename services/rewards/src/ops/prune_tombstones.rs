//! Deletes tombstones that no event or request can refer to anymore.

use std::time::Duration;

use kit::prune::CONSUMED_EVENT_RETENTION;

use crate::{Rewards, db::claims};

/// Longer than any event is accepted: consumers reject events that are older than `CONSUMED_EVENT_RETENTION`.
const RETENTION: Duration = CONSUMED_EVENT_RETENTION.saturating_add(Duration::from_hours(24));
const BATCH_SIZE: u64 = 1_000;

/// Deletes tombstones that are a month old, and returns their number.
pub async fn prune_tombstones(cx: &Rewards) -> sqlx::Result<u64> {
    let before = cx.clock.now() - RETENTION;
    let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    let mut rows = 0;
    loop {
        let mut conn = cx.pool.acquire().await?;
        let batch = claims::delete_closed(&mut conn, before, limit).await?;
        rows += batch;
        if batch < BATCH_SIZE {
            return Ok(rows);
        }
    }
}
