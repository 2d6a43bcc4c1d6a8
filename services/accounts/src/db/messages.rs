//! Messages to send.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use uuid::Uuid;

/// A message that a worker has claimed.
#[derive(Debug)]
pub struct Row {
    pub id: Uuid,
    pub phone: String,
    pub body: String,
    pub attempts: i32,
}

/// Leaves a message to the worker.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    body: &str,
    at: Timestamp,
    give_up_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO messages (id, phone, body, created_at, give_up_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        phone,
        body,
        at.to_sqlx() as _,
        give_up_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims messages until an instant; whose worker dies, another takes again.
///
/// # Errors
/// The database's.
pub async fn claim(
    conn: &mut PgConnection,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "UPDATE messages SET leased_until = $2, attempts = attempts + 1
         WHERE id IN (
             SELECT id FROM messages WHERE leased_until IS NULL OR leased_until < $1
             ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED)
         RETURNING id, phone, body, attempts",
        now.to_sqlx() as _,
        leased_until.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await
}

/// Removes a message that was sent.
///
/// # Errors
/// The database's.
pub async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM messages WHERE id = $1", id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes messages that nobody waits for any more; answers how many.
///
/// # Errors
/// The database's.
pub async fn give_up(conn: &mut PgConnection, now: Timestamp) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM messages WHERE give_up_at < $1", now.to_sqlx() as _)
        .execute(conn)
        .await?;
    Ok(done.rows_affected())
}
