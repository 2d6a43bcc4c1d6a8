//! Deletes tombstones of orders that nothing can refer to any more.

use std::time::Duration;

use kit::prune::CONSUMED_EVENT_RETENTION;

use crate::{GiftCards, db::holds};

/// Later than any event: consumers reject events that are older than the retention of their records.
const RETENTION: Duration = CONSUMED_EVENT_RETENTION.saturating_add(Duration::from_hours(24));
const BATCH_SIZE: u64 = 1_000;

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
