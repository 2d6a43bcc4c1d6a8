//! The provider's events that were taken in.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

/// Whether an event was taken in before.
///
/// # Errors
/// The database's.
pub async fn seen(conn: &mut PgConnection, id: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query!("SELECT id FROM provider_events WHERE id = $1", id)
        .fetch_optional(conn)
        .await?;
    Ok(found.is_some())
}

/// Records an event, in the transaction of its effect. False: it was there before.
///
/// # Errors
/// The database's.
pub async fn record(
    conn: &mut PgConnection,
    id: &str,
    kind: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let written = sqlx::query!(
        "INSERT INTO provider_events (id, type, received_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT provider_events_pkey DO NOTHING",
        id,
        kind,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}
