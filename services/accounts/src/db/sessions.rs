//! Sessions, found by the hash of their token.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::SessionId;

use crate::domain::session::Session;

pub(crate) async fn insert(
    conn: &mut PgConnection,
    session: &Session,
    token_hash: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO sessions (id, consumer_id, token_hash, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
        session.id.uuid(),
        session.consumer_id.uuid(),
        token_hash,
        at.to_sqlx(),
        session.expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the session of a token if it has neither ended nor expired.
pub(crate) async fn find_active(
    conn: &mut PgConnection,
    token_hash: &[u8],
    now: Timestamp,
) -> Result<Option<Session>, sqlx::Error> {
    sqlx::query_as!(
        Session,
        "SELECT id, consumer_id, expires_at FROM sessions
         WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > $2",
        token_hash,
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Extends a session that was last seen before `seen_before`.
pub(crate) async fn extend(
    conn: &mut PgConnection,
    id: SessionId,
    now: Timestamp,
    seen_before: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET seen_at = $2, expires_at = $4 WHERE id = $1 AND seen_at < $3 AND ended_at IS NULL",
        id.uuid(),
        now.to_sqlx(),
        seen_before.to_sqlx(),
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the session of a token. Does nothing if it has ended.
pub(crate) async fn end(
    conn: &mut PgConnection,
    token_hash: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET ended_at = $2 WHERE token_hash = $1 AND ended_at IS NULL",
        token_hash,
        at.to_sqlx()
    )
    .execute(conn)
    .await?;
    Ok(())
}
