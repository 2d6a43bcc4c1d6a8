//! Codes that were sent, and tries at them.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// How many codes were sent since an instant.
#[derive(Debug, Clone, Copy)]
pub struct Sent {
    /// To this number.
    pub to_phone: i64,
    /// To numbers that begin like it.
    pub to_prefix: i64,
    /// To everybody.
    pub in_all: i64,
}

/// Counts the codes sent since an instant.
///
/// # Errors
/// The database's.
pub async fn count_sent(
    conn: &mut PgConnection,
    phone: &str,
    prefix: &str,
    since: Timestamp,
) -> Result<Sent, sqlx::Error> {
    sqlx::query_as!(
        Sent,
        r#"SELECT count(*) FILTER (WHERE phone = $1) as "to_phone!",
                  count(*) FILTER (WHERE starts_with(phone, $2)) as "to_prefix!",
                  count(*) as "in_all!"
           FROM challenges WHERE sent_at > $3"#,
        phone,
        prefix,
        since.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
}

/// When the last code was sent to a number. Waits for another sender to the same number, and keeps the next one waiting
/// until this transaction ends.
///
/// # Errors
/// The database's.
pub async fn lock_last_sent(conn: &mut PgConnection, phone: &str) -> Result<Option<Timestamp>, sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", phone)
        .fetch_one(&mut *conn)
        .await?;
    let last = sqlx::query_scalar!(
        r#"SELECT sent_at as "sent_at: SqlTimestamp" FROM challenges WHERE phone = $1 ORDER BY sent_at DESC LIMIT 1"#,
        phone
    )
    .fetch_optional(conn)
    .await?;
    Ok(last.map(SqlTimestamp::to_jiff))
}

/// Keeps a code that is about to be sent.
///
/// # Errors
/// The database's.
pub async fn insert(
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
        sent_at.to_sqlx() as _,
        expires_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts a try in the current hour and answers how many there were with it.
///
/// # Errors
/// The database's.
pub async fn count_try(
    conn: &mut PgConnection,
    phone: &str,
    device: &[u8],
    now: Timestamp,
    since: Timestamp,
) -> Result<i32, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO tries (phone, device, window_start, count) VALUES ($1, $2, $3, 1)
         ON CONFLICT ON CONSTRAINT tries_pkey DO UPDATE SET
            count = CASE WHEN tries.window_start < $4 THEN 1 ELSE tries.count + 1 END,
            window_start = CASE WHEN tries.window_start < $4 THEN excluded.window_start ELSE tries.window_start END
         RETURNING count",
        phone,
        device,
        now.to_sqlx() as _,
        since.to_sqlx() as _,
    )
    .fetch_one(conn)
    .await
}

/// The code that a number may be answered with.
#[derive(Debug)]
pub struct Challenge {
    /// Its id.
    pub id: Uuid,
    /// Its keyed hash.
    pub code_hash: Vec<u8>,
}

/// Counts a try at the newest code of a number, before it is compared. None: there is no code, or its tries are used up.
///
/// # Errors
/// The database's.
pub async fn try_newest(
    conn: &mut PgConnection,
    phone: &str,
    now: Timestamp,
    most: i32,
) -> Result<Option<Challenge>, sqlx::Error> {
    sqlx::query_as!(
        Challenge,
        "UPDATE challenges SET tries = tries + 1
         WHERE id = (SELECT id FROM challenges WHERE phone = $1 ORDER BY sent_at DESC LIMIT 1)
            AND used_at IS NULL AND expires_at > $2 AND tries < $3
         RETURNING id, code_hash",
        phone,
        now.to_sqlx() as _,
        most,
    )
    .fetch_optional(conn)
    .await
}

/// Uses a code up. Answers whether it was still unused.
///
/// # Errors
/// The database's.
pub async fn use_up(conn: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE challenges SET used_at = $2 WHERE id = $1 AND used_at IS NULL",
        id,
        at.to_sqlx() as _
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets codes that are of no use any more.
///
/// # Errors
/// The database's.
pub async fn forget(conn: &mut PgConnection, before: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM challenges WHERE sent_at < $1", before.to_sqlx() as _)
        .execute(conn)
        .await?;
    Ok(())
}
