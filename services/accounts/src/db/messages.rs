//! Queue of text messages. Leases use the database's clock, which all replicas share.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use tokio::sync::Notify;
use uuid::Uuid;

/// Notified when this process inserts a message, soon before its transaction ends.
static INSERTED: Notify = Notify::const_new();

/// Waits until this process inserts a message.
pub(crate) async fn wait_for_insert() {
    INSERTED.notified().await;
}

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
    INSERTED.notify_one();
    Ok(())
}

/// Leases up to `limit` messages, oldest first. After its lease, a message can be leased again.
pub(crate) async fn lease(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    limit: i64,
) -> Result<Vec<Message>, sqlx::Error> {
    sqlx::query_as!(
        Message,
        "UPDATE messages SET leased_until = now() + make_interval(secs => $2), attempts = attempts + 1
         WHERE id IN (
             SELECT id FROM messages
             WHERE (leased_until IS NULL OR leased_until < now()) AND expires_at > $1
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING id, phone, body, attempts",
        now.to_sqlx(),
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Ends the lease of a message that was not sent: it can be leased again after `delay`. Does nothing if it was leased
/// again already.
pub(crate) async fn retry_after(
    conn: &mut PgConnection,
    message: &Message,
    delay: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE messages SET leased_until = now() + make_interval(secs => $3) WHERE id = $1 AND attempts = $2",
        message.id,
        message.attempts,
        delay.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM messages WHERE id = $1", id)
        .execute(conn)
        .await?;
    Ok(())
}
