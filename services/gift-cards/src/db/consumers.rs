//! Known consumers, and tombstones of removed ones.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// Inserts the consumer if they are new, and returns whether they are active. They cannot be removed until the
/// transaction ends.
pub async fn ensure_active(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT removed_at IS NULL AS "is_active!" FROM consumers WHERE consumer_id = $1 FOR SHARE"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Locks the consumer until the transaction ends, so that limits on the consumer's purchases hold, and returns whether they
/// are active. Inserts the consumer if they are new.
pub async fn lock_active(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT removed_at IS NULL AS "is_active!" FROM consumers WHERE consumer_id = $1 FOR NO KEY UPDATE"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Returns whether the consumer is known and was not removed. The owner of a closed account is not known.
pub async fn is_active(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM consumers WHERE consumer_id = $1 AND removed_at IS NULL) AS "is_active!""#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Writes a tombstone. Waits for transactions that called [`ensure_active`].
pub async fn remove(conn: &mut PgConnection, consumer_id: ConsumerId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id, removed_at) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET removed_at = coalesce(consumers.removed_at, excluded.removed_at)",
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
