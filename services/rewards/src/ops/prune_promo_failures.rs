//! Deletes wrong promo codes that no longer count.

use crate::{Rewards, db::promo_failures, domain::promo::FAILURE_WINDOW};

const BATCH_SIZE: u64 = 1_000;

/// Deletes wrong codes that are older than an hour, and returns their number.
pub async fn prune_promo_failures(cx: &Rewards) -> sqlx::Result<u64> {
    let before = cx.clock.now() - FAILURE_WINDOW;
    let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    let mut rows = 0;
    loop {
        let mut conn = cx.pool.acquire().await?;
        let batch = promo_failures::delete_before(&mut conn, before, limit).await?;
        rows += batch;
        if batch < BATCH_SIZE {
            return Ok(rows);
        }
    }
}
