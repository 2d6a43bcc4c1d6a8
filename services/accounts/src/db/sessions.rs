//! Sessions, by the hash of their token.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{ConsumerId, SessionId};
use uuid::Uuid;

/// A live session.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    pub consumer_id: Uuid,
    pub expires_at: SqlTimestamp,
}

/// Begins a session.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    id: SessionId,
    consumer: ConsumerId,
    token_hash: &[u8],
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO sessions (id, consumer_id, token_hash, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
        id.uuid(),
        consumer.uuid(),
        token_hash,
        at.to_sqlx() as _,
        expires_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The live session of a token.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, consumer_id, expires_at as "expires_at: SqlTimestamp" FROM sessions
           WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > $2"#,
        token_hash,
        now.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
}

/// Rolls a session on, at most once in a while: reading a session should not write each time.
///
/// # Errors
/// The database's.
pub async fn touch(
    conn: &mut PgConnection,
    id: Uuid,
    now: Timestamp,
    seen_before: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET seen_at = $2, expires_at = $4 WHERE id = $1 AND seen_at < $3 AND ended_at IS NULL",
        id,
        now.to_sqlx() as _,
        seen_before.to_sqlx() as _,
        expires_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the session of a token. Ending an ended one changes nothing.
///
/// # Errors
/// The database's.
pub async fn end(conn: &mut PgConnection, token_hash: &[u8], at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET ended_at = $2 WHERE token_hash = $1 AND ended_at IS NULL",
        token_hash,
        at.to_sqlx() as _
    )
    .execute(conn)
    .await?;
    Ok(())
}
