//! Transactional outbox: events are written in the transaction that makes the change; the relay publishes them.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use prost::Message;
use sqlx::PgConnection;
use tokio::sync::watch;
use types::EventId;

use crate::telemetry;

/// Changes when this process creates an event, soon before the transaction that writes it ends.
static CREATED: LazyLock<watch::Sender<()>> = LazyLock::new(watch::Sender::default);

/// Returns a receiver that changes with each event that this process creates.
pub(crate) fn subscribe() -> watch::Receiver<()> {
    CREATED.subscribe()
}

/// A row of the outbox. Written by [`append`], or by a service in the same statement as its change.
#[derive(Debug, Clone)]
pub struct OutboxEntry {
    /// Stable across redeliveries; the deduplication key of consumers.
    pub event_id: EventId,
    /// Fully qualified, for example `ordering.OrderPlaced`; also the routing key.
    pub event_type: &'static str,
    pub aggregate_id: String,
    pub aggregate_version: i64,
    /// Protobuf-encoded envelope.
    pub payload: Vec<u8>,
    /// W3C trace context of the span that created the event.
    pub trace_parent: Option<String>,
    pub occurred_at: Timestamp,
}

impl OutboxEntry {
    /// Encodes an event, records the current trace, and lets the relay look at the outbox soon.
    #[must_use]
    pub fn new(
        event_type: &'static str,
        event: &impl Message,
        aggregate_id: String,
        aggregate_version: i64,
        occurred_at: Timestamp,
    ) -> Self {
        CREATED.send_replace(());
        Self {
            event_id: EventId::new(occurred_at),
            event_type,
            aggregate_id,
            aggregate_version,
            payload: event.encode_to_vec(),
            trace_parent: telemetry::trace_parent(),
            occurred_at,
        }
    }
}

/// Writes an event to the outbox in the caller's transaction.
pub async fn append(conn: &mut PgConnection, entry: OutboxEntry) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        entry.event_id.uuid(),
        entry.event_type,
        entry.aggregate_id,
        entry.aggregate_version,
        entry.payload,
        entry.trace_parent,
        entry.occurred_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
