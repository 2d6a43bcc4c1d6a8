//! Facts on their way out: written in the transaction that makes them true, published by the relay afterwards.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use proto::events::Event;
use sqlx::PgConnection;
use types::EventId;

use crate::telemetry;

/// Writes a fact to the outbox, in the caller's transaction.
///
/// # Errors
/// The database's.
pub async fn append<E: Event>(
    conn: &mut PgConnection,
    aggregate_id: &str,
    aggregate_version: i64,
    at: Timestamp,
    event: &E,
) -> Result<EventId, sqlx::Error> {
    let id = EventId::new(at);
    sqlx::query(
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id.uuid())
    .bind(E::KIND)
    .bind(aggregate_id)
    .bind(aggregate_version)
    .bind(event.encode_to_vec())
    .bind(telemetry::trace_parent())
    .bind(at.to_sqlx())
    .execute(conn)
    .await?;
    Ok(id)
}
