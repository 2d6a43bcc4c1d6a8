//! Sessions, found by the hash of their token.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, SessionId};

use crate::domain::{device::SignedInDevice, journey_step::JourneyStep, session::Session};

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
        "INSERT INTO sessions (id, consumer_id, token_hash, device_hash, device_name, created_at, seen_at, expires_at,
             journey_step)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8)",
        row.session.id.uuid(),
        row.session.consumer_id.uuid(),
        row.token_hash,
        row.device_hash,
        row.device_name,
        row.created_at.to_sqlx(),
        row.session.expires_at.to_sqlx(),
        row.session.journey_step.as_str(),
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
        "SELECT id, consumer_id, expires_at, journey_step FROM sessions
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

/// A consumer's session, which may have ended or expired.
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

/// Ends all sessions of a consumer and records that their tombstones must be written to the session cache. Returns the
/// hashes of their tokens.
pub(crate) async fn end_all(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    at: Timestamp,
) -> Result<Vec<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "WITH ended AS (
             UPDATE sessions SET ended_at = $2 WHERE consumer_id = $1 AND ended_at IS NULL RETURNING token_hash)
         INSERT INTO session_tombstones (token_hash, ended_at) SELECT token_hash, $2 FROM ended RETURNING token_hash",
        consumer.uuid(),
        at.to_sqlx()
    )
    .fetch_all(conn)
    .await
}

/// Returns where a session runs, if it has not ended.
pub(crate) async fn find_journey_step(
    conn: &mut PgConnection,
    id: SessionId,
) -> Result<Option<JourneyStep>, sqlx::Error> {
    let step = sqlx::query_scalar!(
        "SELECT journey_step FROM sessions WHERE id = $1 AND ended_at IS NULL",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(step.map(JourneyStep::from))
}
