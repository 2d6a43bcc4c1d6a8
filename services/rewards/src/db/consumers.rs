//! Consumers we have met, and those who left.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// A consumer who is with us, and stays so until the transaction ends.
pub struct Entered {
    /// Keyed hash of the phone number, once their registration was heard of.
    pub phone_hash: Option<String>,
}

/// Notes a consumer; `None` for one who was removed.
pub async fn enter(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<Option<Entered>> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer.uuid()
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"SELECT phone_hash, removed_at IS NULL AS "here!" FROM consumers WHERE consumer_id = $1 FOR SHARE"#,
        consumer.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(row.here.then_some(Entered {
        phone_hash: row.phone_hash,
    }))
}

/// Notes a consumer's phone number; `false` for one who was removed.
pub async fn register(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    phone_hash: Option<&str>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO consumers (consumer_id, phone_hash) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET phone_hash = coalesce(excluded.phone_hash, consumers.phone_hash)
         WHERE consumers.removed_at IS NULL",
        consumer.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes that a consumer left. Waits for whoever has entered them.
pub async fn remove(conn: &mut PgConnection, consumer: ConsumerId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id, removed_at) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET removed_at = coalesce(consumers.removed_at, excluded.removed_at), phone_hash = NULL",
        consumer.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
