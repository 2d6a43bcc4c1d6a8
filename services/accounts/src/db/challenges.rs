//! Sign-in codes that were sent, and attempts to enter them.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use uuid::Uuid;

/// Numbers of codes sent since an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SentCounts {
    pub(crate) to_phone: i64,
    pub(crate) to_prefix: i64,
    pub(crate) total: i64,
}

pub(crate) async fn count_sent(
    conn: &mut PgConnection,
    phone: &str,
    prefix: &str,
    since: Timestamp,
) -> Result<SentCounts, sqlx::Error> {
    sqlx::query_as!(
        SentCounts,
        r#"SELECT count(*) FILTER (WHERE phone = $1) AS "to_phone!",
                  count(*) FILTER (WHERE starts_with(phone, $2)) AS "to_prefix!",
                  count(*) AS "total!"
           FROM challenges WHERE sent_at > $3"#,
        phone,
        prefix,
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Returns when the last code was sent to a number. Locks the number until the end of the transaction, so that concurrent
/// requests send one code.
pub(crate) async fn lock_last_sent(
    conn: &mut PgConnection,
    phone: &str,
) -> Result<Option<Timestamp>, sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", phone)
        .fetch_one(&mut *conn)
        .await?;
    let last = sqlx::query_scalar!(
        "SELECT sent_at FROM challenges WHERE phone = $1 ORDER BY sent_at DESC LIMIT 1",
        phone
    )
    .fetch_optional(conn)
    .await?;
    Ok(last.map(jiff_sqlx::Timestamp::to_jiff))
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: Uuid,
    phone: &str,
    code_hash: &[u8],
    sent_at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO challenges (id, phone, code_hash, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        id,
        phone,
        code_hash,
        sent_at.to_sqlx(),
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts an attempt and returns the number of attempts in the current window. A window that started before
/// `window_start` is replaced by a new one. `device_hash` is empty for unknown devices.
pub(crate) async fn count_attempt(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
    now: Timestamp,
    window_start: Timestamp,
) -> Result<i32, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO sign_in_attempts AS old (phone, device_hash, window_start, count) VALUES ($1, $2, $3, 1)
         ON CONFLICT ON CONSTRAINT sign_in_attempts_pkey DO UPDATE SET
            count = CASE WHEN old.window_start < $4 THEN 1 ELSE old.count + 1 END,
            window_start = CASE WHEN old.window_start < $4 THEN excluded.window_start ELSE old.window_start END
         RETURNING count",
        phone,
        device_hash,
        now.to_sqlx(),
        window_start.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// A code that was sent and can be entered.
#[derive(Debug)]
pub(crate) struct Challenge {
    pub(crate) id: Uuid,
    pub(crate) code_hash: Vec<u8>,
}

/// Counts an attempt at the newest code of a number and returns that code. Returns `None` if there is no code, or it is
/// used, expired or has no attempts left.
pub(crate) async fn attempt_newest(
    conn: &mut PgConnection,
    phone: &str,
    now: Timestamp,
    max_attempts: i32,
) -> Result<Option<Challenge>, sqlx::Error> {
    sqlx::query_as!(
        Challenge,
        "UPDATE challenges SET attempts = attempts + 1
         WHERE id = (SELECT id FROM challenges WHERE phone = $1 ORDER BY sent_at DESC LIMIT 1)
            AND used_at IS NULL AND expires_at > $2 AND attempts < $3
         RETURNING id, code_hash",
        phone,
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

pub(crate) async fn delete_sent_before(
    conn: &mut PgConnection,
    before: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM challenges WHERE sent_at < $1", before.to_sqlx())
        .execute(conn)
        .await?;
    Ok(())
}
