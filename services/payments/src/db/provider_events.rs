//! The provider's webhook events that were processed.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

pub async fn is_recorded(conn: &mut PgConnection, id: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query!("SELECT id FROM provider_events WHERE id = $1", id)
        .fetch_optional(conn)
        .await?;
    Ok(found.is_some())
}

/// Records an event in the transaction of its effect, if it had one. Returns `false` if it was recorded before.
pub async fn record(
    conn: &mut PgConnection,
    id: &str,
    event_type: &str,
    is_applied: bool,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO provider_events (id, type, is_applied, received_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT provider_events_pkey DO NOTHING",
        id,
        event_type,
        is_applied,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Deletes up to `limit` events that were received before an instant, oldest first. Returns their number.
pub async fn delete_received(
    conn: &mut PgConnection,
    received_before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM provider_events WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM provider_events WHERE received_at < $1
             ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        received_before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
