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

pub async fn contains(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1) AS "contains!""#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Returns a consumer whose data is due to be erased again. If the task does not finish, another one takes the consumer after
/// `retry_after`.
pub async fn take_due(
    conn: &mut PgConnection,
    retry_after: Duration,
) -> Result<Option<ConsumerId>, sqlx::Error> {
    let id = sqlx::query_scalar!(
        "UPDATE removed_consumers SET erase_again_at = now() + make_interval(secs => $1)
         WHERE consumer_id = (
           SELECT consumer_id FROM removed_consumers WHERE erase_again_at < now()
           ORDER BY erase_again_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING consumer_id",
        retry_after.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(id.map(ConsumerId::from_uuid))
}

/// Records that the data was erased again.
pub async fn set_erased(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE removed_consumers SET erase_again_at = NULL WHERE consumer_id = $1",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
