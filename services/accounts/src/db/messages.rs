//! Queue of text messages.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use uuid::Uuid;

/// A message leased by a worker.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: Uuid,
    pub(crate) phone: String,
    pub(crate) body: String,
    pub(crate) attempts: i32,
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    body: &str,
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO messages (id, phone, body, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        phone,
        body,
        at.to_sqlx(),
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases messages to a worker. After the lease, any worker may lease them again.
pub(crate) async fn lease(
    conn: &mut PgConnection,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<Vec<Message>, sqlx::Error> {
    sqlx::query_as!(
        Message,
        "UPDATE messages SET leased_until = $2, attempts = attempts + 1
         WHERE id IN (
             SELECT id FROM messages WHERE leased_until IS NULL OR leased_until < $1
             ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED)
         RETURNING id, phone, body, attempts",
        now.to_sqlx(),
        leased_until.to_sqlx(),
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM messages WHERE id = $1", id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes messages that were not sent in time and returns their number.
pub(crate) async fn delete_expired(conn: &mut PgConnection, now: Timestamp) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!("DELETE FROM messages WHERE expires_at < $1", now.to_sqlx())
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected())
}
