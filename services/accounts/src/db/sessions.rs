//! Sessions, found by the hash of their token.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, SessionId};

use crate::domain::{device::SignedInDevice, session::Session};

/// A session to store.
#[derive(Debug)]
pub(crate) struct NewRow<'a> {
    pub(crate) session: &'a Session,
    pub(crate) token_hash: &'a [u8],
    pub(crate) device_hash: Option<&'a [u8]>,
    pub(crate) device_name: &'a str,
    pub(crate) created_at: Timestamp,
}

pub(crate) async fn insert(conn: &mut PgConnection, row: &NewRow<'_>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO sessions (id, consumer_id, token_hash, device_hash, device_name, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
        row.session.id.uuid(),
        row.session.consumer_id.uuid(),
        row.token_hash,
        row.device_hash,
        row.device_name,
        row.created_at.to_sqlx(),
        row.session.expires_at.to_sqlx(),
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

/// Returns the active sessions of a consumer, most recently used first.
pub(crate) async fn list_active(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<Vec<SignedInDevice>, sqlx::Error> {
    sqlx::query_as!(
        SignedInDevice,
        "SELECT id AS session_id, device_name, created_at AS signed_in_at, seen_at AS last_seen_at FROM sessions
         WHERE consumer_id = $1 AND ended_at IS NULL AND expires_at > $2
         ORDER BY seen_at DESC LIMIT 100",
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await
}

/// A session of a consumer, active or not.
#[derive(Debug)]
pub(crate) struct OwnSession {
    pub(crate) token_hash: Vec<u8>,
    pub(crate) device_hash: Option<Vec<u8>>,
}

pub(crate) async fn find_of_consumer(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    id: SessionId,
) -> Result<Option<OwnSession>, sqlx::Error> {
    sqlx::query_as!(
        OwnSession,
        "SELECT token_hash, device_hash FROM sessions WHERE id = $1 AND consumer_id = $2",
        id.uuid(),
        consumer.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns the hashes of the tokens of the sessions on a device that have not ended.
pub(crate) async fn list_tokens_of_device(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    device_hash: &[u8],
) -> Result<Vec<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT token_hash FROM sessions
         WHERE consumer_id = $1 AND device_hash = $2 AND ended_at IS NULL",
        consumer.uuid(),
        device_hash,
    )
    .fetch_all(conn)
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

/// Ends the session of a token and records that its tombstone must be written to the session cache. Returns `false` if it
/// has ended already or is unknown.
pub(crate) async fn end(
    conn: &mut PgConnection,
    token_hash: &[u8],
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "WITH ended AS (
             UPDATE sessions SET ended_at = $2 WHERE token_hash = $1 AND ended_at IS NULL RETURNING token_hash)
         INSERT INTO session_tombstones (token_hash, ended_at) SELECT token_hash, $2 FROM ended",
        token_hash,
        at.to_sqlx()
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}
