//! Deletes rows that are no longer needed, at most `limit` at a time. Rows that another replica has locked are skipped.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

pub(crate) async fn delete_code_attempts(
    conn: &mut PgConnection,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM code_attempts WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM code_attempts WHERE attempted_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// This version does not write the table. Replicas of the previous version may still count attempts there.
pub(crate) async fn delete_sign_in_attempts(
    conn: &mut PgConnection,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM sign_in_attempts WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM sign_in_attempts WHERE window_start < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

pub(crate) async fn delete_challenges(
    conn: &mut PgConnection,
    sent_before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM challenges WHERE id = ANY (ARRAY (
             SELECT id FROM challenges WHERE sent_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        sent_before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes messages that were not sent in time.
pub(crate) async fn delete_expired_messages(
    conn: &mut PgConnection,
    now: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM messages WHERE id = ANY (ARRAY (
             SELECT id FROM messages WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes sessions that ended or expired before an instant.
pub(crate) async fn delete_sessions(
    conn: &mut PgConnection,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM sessions WHERE id = ANY (ARRAY (
             SELECT id FROM sessions WHERE coalesce(ended_at, expires_at) < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes devices that last signed in before an instant and have no session.
pub(crate) async fn delete_devices(
    conn: &mut PgConnection,
    before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM devices WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM devices
             WHERE seen_at < $1 AND NOT EXISTS (
                 SELECT 1 FROM sessions
                 WHERE sessions.consumer_id = devices.consumer_id AND sessions.device_hash = devices.device_hash
                    AND sessions.ended_at IS NULL)
             LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deletes hand-over codes that have expired.
pub(crate) async fn delete_hand_over_codes(
    conn: &mut PgConnection,
    now: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM hand_over_codes WHERE code_hash = ANY (ARRAY (
             SELECT code_hash FROM hand_over_codes WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
