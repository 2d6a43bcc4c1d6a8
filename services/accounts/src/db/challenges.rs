//! Sign-in codes that were sent.
//!
//! `device_hash` is the hash of a known device, or empty: a code for an unknown device can be entered on any unknown
//! device.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use uuid::Uuid;

/// Codes sent since an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentCodes {
    pub(crate) to_device: i64,
    pub(crate) to_prefix: i64,
    pub(crate) total: i64,
    /// Time of the first code to this number and device.
    pub(crate) first_to_device: Option<jiff_sqlx::Timestamp>,
}

pub(crate) async fn count_sent(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
    prefix: &str,
    since: Timestamp,
) -> Result<SentCodes, sqlx::Error> {
    sqlx::query_as!(
        SentCodes,
        r#"SELECT count(*) FILTER (WHERE phone = $1 AND device_hash = $2) AS "to_device!",
                  count(*) FILTER (WHERE starts_with(phone, $3)) AS "to_prefix!",
                  count(*) AS "total!",
                  min(sent_at) FILTER (WHERE phone = $1 AND device_hash = $2) AS "first_to_device"
           FROM challenges WHERE sent_at > $4"#,
        phone,
        device_hash,
        prefix,
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Locks a number until the end of the transaction, so that concurrent calls for it are counted one after another.
pub(crate) async fn lock_phone(conn: &mut PgConnection, phone: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", phone)
        .fetch_one(conn)
        .await?;
    Ok(())
}

pub(crate) async fn find_last_sent(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
) -> Result<Option<Timestamp>, sqlx::Error> {
    let last = sqlx::query_scalar!(
        "SELECT sent_at FROM challenges WHERE phone = $1 AND device_hash = $2 ORDER BY sent_at DESC LIMIT 1",
        phone,
        device_hash,
    )
    .fetch_optional(conn)
    .await?;
    Ok(last.map(jiff_sqlx::Timestamp::to_jiff))
}

/// A code to store. Only its hash is stored.
#[derive(Debug)]
pub(crate) struct NewChallenge<'a> {
    pub(crate) id: Uuid,
    pub(crate) phone: &'a str,
    pub(crate) device_hash: &'a [u8],
    pub(crate) code_hash: &'a [u8],
    pub(crate) sent_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

pub(crate) async fn insert(conn: &mut PgConnection, new: &NewChallenge<'_>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO challenges (id, phone, device_hash, code_hash, sent_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        new.id,
        new.phone,
        new.device_hash,
        new.code_hash,
        new.sent_at.to_sqlx(),
        new.expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A code that was sent and can be entered.
#[derive(Debug)]
pub(crate) struct Challenge {
    pub(crate) id: Uuid,
    pub(crate) code_hash: Vec<u8>,
}

/// Counts an attempt at the newest code of a number and device and returns that code. Returns `None` if there is no
/// code, or it is used, expired or has no attempts left.
pub(crate) async fn attempt_newest(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
    now: Timestamp,
    max_attempts: i32,
) -> Result<Option<Challenge>, sqlx::Error> {
    sqlx::query_as!(
        Challenge,
        "UPDATE challenges SET attempts = attempts + 1
         WHERE id = (SELECT id FROM challenges WHERE phone = $1 AND device_hash = $2
                     ORDER BY sent_at DESC LIMIT 1)
            AND used_at IS NULL AND expires_at > $3 AND attempts < $4
         RETURNING id, code_hash",
        phone,
        device_hash,
        now.to_sqlx(),
        max_attempts,
    )
    .fetch_optional(conn)
    .await
}

/// Marks a code as used. Returns `false` if it was used already.
pub(crate) async fn mark_used(conn: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE challenges SET used_at = $2 WHERE id = $1 AND used_at IS NULL",
        id,
        at.to_sqlx()
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}
