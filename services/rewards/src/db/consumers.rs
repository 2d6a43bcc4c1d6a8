//! Known consumers, and tombstones of removed ones.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// A consumer who was not removed, and cannot be until the transaction ends.
pub struct ActiveConsumer {
    /// Keyed hash of the phone number; `None` until the registration is received.
    pub phone_hash: Option<String>,
}

/// Inserts the consumer if they are new. Returns `None` if they were removed.
pub async fn ensure_active(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<ActiveConsumer>> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"SELECT phone_hash, removed_at IS NULL AS "is_active!" FROM consumers WHERE consumer_id = $1 FOR SHARE"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(row.is_active.then_some(ActiveConsumer {
        phone_hash: row.phone_hash,
    }))
}

/// Like [`ensure_active`], and locks the consumer against other transactions that call this function.
pub async fn lock_active(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<ActiveConsumer>> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"SELECT phone_hash, removed_at IS NULL AS "is_active!" FROM consumers WHERE consumer_id = $1
           FOR NO KEY UPDATE"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(row.is_active.then_some(ActiveConsumer {
        phone_hash: row.phone_hash,
    }))
}

/// Writes the phone number's hash and returns `true`, or `false` if the consumer was removed.
pub async fn register(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: Option<&str>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO consumers (consumer_id, phone_hash) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET phone_hash = coalesce(excluded.phone_hash, consumers.phone_hash)
         WHERE consumers.removed_at IS NULL",
        consumer_id.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes a tombstone. Waits for transactions that called [`ensure_active`].
pub async fn remove(conn: &mut PgConnection, consumer_id: ConsumerId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id, removed_at) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET removed_at = coalesce(consumers.removed_at, excluded.removed_at), phone_hash = NULL",
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
