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

/// Records an event in the transaction of its effect. Returns `false` if it was recorded before.
pub async fn record(
    conn: &mut PgConnection,
    id: &str,
    event_type: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO provider_events (id, type, received_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT provider_events_pkey DO NOTHING",
        id,
        event_type,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}
