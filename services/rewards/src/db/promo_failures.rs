//! Wrong promo codes that consumers typed.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// Serializes the attempts of a consumer until the transaction ends, so that concurrent ones cannot exceed the limit.
pub async fn lock(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    let lock_name = format!("promo_failures:{consumer_id}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock_name)
        .fetch_one(conn)
        .await
        .map(drop)
}

/// Counts the different wrong codes of a consumer since an instant.
pub async fn count_since(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    since: Timestamp,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM promo_failures WHERE consumer_id = $1 AND failed_at > $2"#,
        consumer_id.uuid(),
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Records a wrong code. A code that was recorded since `since` counts once.
pub async fn record(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    code: &str,
    since: Timestamp,
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO promo_failures (consumer_id, code_hash, failed_at)
         VALUES ($1, sha256(convert_to($2, 'UTF8')), $3)
         ON CONFLICT ON CONSTRAINT promo_failures_pkey
         DO UPDATE SET failed_at = excluded.failed_at WHERE promo_failures.failed_at <= $4",
        consumer_id.uuid(),
        code,
        at.to_sqlx(),
        since.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

pub async fn delete_of_consumer(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM promo_failures WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes up to `limit` records from before an instant. Returns their number.
pub async fn delete_before(conn: &mut PgConnection, before: Timestamp, limit: i64) -> sqlx::Result<u64> {
    sqlx::query!(
        "DELETE FROM promo_failures WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM promo_failures WHERE failed_at <= $1
             ORDER BY failed_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}
