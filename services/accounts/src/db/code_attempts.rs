//! Attempts to enter a code, counted per number and known device.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

/// Attempts since an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecentAttempts {
    pub(crate) count: i64,
    pub(crate) oldest: Option<jiff_sqlx::Timestamp>,
}

/// `device_hash` is empty for unknown devices, which share one count. The caller holds the lock of the number.
pub(crate) async fn find_recent(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
    since: Timestamp,
) -> Result<RecentAttempts, sqlx::Error> {
    sqlx::query_as!(
        RecentAttempts,
        r#"SELECT count(*) AS "count!", min(attempted_at) AS "oldest" FROM code_attempts
           WHERE phone = $1 AND device_hash = $2 AND attempted_at > $3"#,
        phone,
        device_hash,
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO code_attempts (phone, device_hash, attempted_at) VALUES ($1, $2, $3)",
        phone,
        device_hash,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
