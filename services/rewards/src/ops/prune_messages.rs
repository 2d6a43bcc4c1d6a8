//! Deletes old messages of the inbox.

use crate::{Rewards, db::messages};

const BATCH_SIZE: u64 = 1_000;

#[derive(Debug, Clone, Copy)]
enum Old {
    /// Seen, or removed from the inbox.
    Handled,
    Unseen,
}

/// Deletes messages that were seen or removed long ago, and unseen ones that are even older. Returns their number.
pub async fn prune_messages(cx: &Rewards) -> sqlx::Result<u64> {
    let mut rows = 0;
    for old in [Old::Handled, Old::Unseen] {
        loop {
            let batch = delete_batch(cx, old).await?;
            rows += batch;
            if batch < BATCH_SIZE {
                break;
            }
        }
    }
    Ok(rows)
}

async fn delete_batch(cx: &Rewards, old: Old) -> sqlx::Result<u64> {
    let (now, limit) = (cx.clock.now(), i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX));
    let mut conn = cx.pool.acquire().await?;
    match old {
        Old::Handled => messages::delete_handled(&mut conn, now - cx.retention.handled(), limit).await,
        Old::Unseen => messages::delete_unseen(&mut conn, now - cx.retention.unseen(), limit).await,
    }
}
