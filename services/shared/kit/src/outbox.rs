//! Facts on their way out: written in the transaction that makes them true, published by the relay afterwards.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use proto::events::Event;
use sqlx::PgConnection;
use types::EventId;

use crate::telemetry;

/// A row of the outbox, for whoever writes it together with what makes it true; [`append`] for everybody else.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The fact's own id.
    pub id: EventId,
    /// What it says: `ordering.OrderPlaced`.
    pub kind: &'static str,
    /// What it is about.
    pub aggregate_id: String,
    /// Which change of that it is.
    pub aggregate_version: i64,
    /// The message.
    pub payload: Vec<u8>,
    /// The trace that it belongs to.
    pub trace_parent: Option<String>,
    /// When it became true.
    pub at: Timestamp,
}

impl Entry {
    /// The row of a fact.
    #[must_use]
    pub fn of<E: Event>(aggregate_id: String, aggregate_version: i64, at: Timestamp, event: &E) -> Self {
        Self {
            id: EventId::new(at),
            kind: E::KIND,
            aggregate_id,
            aggregate_version,
            payload: event.encode_to_vec(),
            trace_parent: telemetry::trace_parent(),
            at,
        }
    }
}

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
    let entry = Entry::of(aggregate_id.to_owned(), aggregate_version, at, event);
    sqlx::query(
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(entry.id.uuid())
    .bind(entry.kind)
    .bind(entry.aggregate_id)
    .bind(entry.aggregate_version)
    .bind(entry.payload)
    .bind(entry.trace_parent)
    .bind(entry.at.to_sqlx())
    .execute(conn)
    .await?;
    Ok(entry.id)
}
