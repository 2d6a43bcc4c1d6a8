//! Tombstones of removed consumers. Statements that write personal data check them.

use std::time::Duration;

use sqlx::PgConnection;
use types::ConsumerId;

/// Writes a tombstone, unless the consumer has one. Their data is due to be erased again after `erase_again_after`, by the
/// database's clock.
pub async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    erase_again_after: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO removed_consumers (consumer_id, erase_again_at) VALUES ($1, now() + make_interval(secs => $2))
         ON CONFLICT ON CONSTRAINT removed_consumers_pkey DO NOTHING",
        consumer_id.uuid(),
        erase_again_after.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns consumers whose data is due to be erased again, and marks it as erased. Skips consumers of other tasks.
pub async fn take_due(conn: &mut PgConnection, limit: i64) -> Result<Vec<ConsumerId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "UPDATE removed_consumers SET erase_again_at = NULL
         WHERE consumer_id IN (
           SELECT consumer_id FROM removed_consumers WHERE erase_again_at < now()
           ORDER BY erase_again_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING consumer_id",
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(ConsumerId::from_uuid).collect())
}
