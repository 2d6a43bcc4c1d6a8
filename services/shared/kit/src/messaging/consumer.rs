//! Consumes the events of this service's queue. The event id is recorded in the transaction of the event's effect, so that
//! a redelivered event has no further effect. Events that arrive together share a transaction. Records are pruned after a
//! month ([`crate::prune`]); older events are dead-lettered, because it is unknown whether they were consumed.

use std::{collections::HashSet, time::Duration};

use async_trait::async_trait;
use jiff::Timestamp;
use lapin::message::Delivery as AmqpDelivery;
use prost::Message;
use sqlx::{PgConnection, PgPool};
use tracing::{Instrument, Span};
use types::EventId;
use uuid::Uuid;

use crate::{InternalError, prune::CONSUMED_EVENT_RETENTION};

/// Age at which an event is rejected. A day less than the retention of records, to allow for clock differences and slow
/// transactions.
const DEDUP_WINDOW: Duration = CONSUMED_EVENT_RETENTION.saturating_sub(Duration::from_hours(24));

/// A service's event handler.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Applies the event in the transaction that records it. Gets only events of types that the topology lists for the service.
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError>;
}

#[derive(Debug, thiserror::Error)]
pub enum ConsumeError {
    /// The event can never be applied. It is dead-lettered at once.
    #[error("rejected: {0}")]
    Rejected(String),
    /// The event may be applied later. It is retried with backoff while the delivery is held.
    #[error("failed: {0:#}")]
    Transient(#[from] anyhow::Error),
}

impl From<sqlx::Error> for ConsumeError {
    /// Errors caused by the data are permanent; all others are transient.
    fn from(error: sqlx::Error) -> Self {
        let is_permanent = match &error {
            sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => true,
            // 22 data exception, 23 integrity constraint violation.
            sqlx::Error::Database(error) => error
                .code()
                .is_some_and(|code| code.starts_with("22") || code.starts_with("23")),
            _ => false,
        };
        if is_permanent {
            Self::Rejected(error.to_string())
        } else {
            Self::Transient(error.into())
        }
    }
}

impl From<InternalError> for ConsumeError {
    /// Broken invariants are dead-lettered, because they need manual repair.
    fn from(error: InternalError) -> Self {
        match error {
            InternalError::Database(error) => error.into(),
            error if error.is_transient() => Self::Transient(error.into()),
            error => Self::Rejected(error.to_string()),
        }
    }
}

impl From<types::IdError> for ConsumeError {
    fn from(error: types::IdError) -> Self {
        Self::Rejected(error.to_string())
    }
}

/// Returns the field, or [`ConsumeError::Rejected`] with its name: proto3 messages may omit any field.
pub fn require_field<T>(field: Option<T>, name: &str) -> Result<T, ConsumeError> {
    field.ok_or_else(|| ConsumeError::Rejected(format!("missing field {name}")))
}

/// A delivered event before its payload is decoded.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Stable across redeliveries; the deduplication key.
    pub event_id: EventId,
    /// Fully qualified, for example `ordering.OrderPlaced`.
    pub event_type: String,
    pub aggregate_id: String,
    pub aggregate_version: i64,
    /// Protobuf-encoded envelope.
    pub payload: Vec<u8>,
}

impl Delivery {
    /// Decodes the envelope, or returns [`ConsumeError::Rejected`].
    pub fn decode<M: Message + Default>(&self) -> Result<M, ConsumeError> {
        M::decode(self.payload.as_slice())
            .map_err(|error| ConsumeError::Rejected(format!("cannot decode {}: {error}", self.event_type)))
    }

    /// Returns whether the record of the event's consumption may have been pruned.
    pub(super) fn is_older_than_dedup_window(&self, now: Timestamp) -> bool {
        created_at(self.event_id).is_some_and(|created| created < now - DEDUP_WINDOW)
    }

    /// Returns when the event of a delivery was created, or `None` if the message is not an event.
    pub(super) fn created_at(delivery: &AmqpDelivery) -> Option<Timestamp> {
        created_at(event_id(delivery)?)
    }

    pub(super) fn from_delivery(delivery: &AmqpDelivery) -> Option<Self> {
        Some(Self {
            event_id: event_id(delivery)?,
            event_type: delivery.properties.kind().as_ref()?.as_str().to_owned(),
            aggregate_id: Self::header(delivery, "aggregate-id").unwrap_or_default(),
            aggregate_version: Self::header(delivery, "aggregate-version")
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
            payload: delivery.data.clone(),
        })
    }

    pub(super) fn header(delivery: &AmqpDelivery, name: &str) -> Option<String> {
        let value = delivery.properties.headers().as_ref()?.inner().get(name)?;
        Some(String::from_utf8_lossy(value.as_long_string()?.as_bytes()).into_owned())
    }
}

fn event_id(delivery: &AmqpDelivery) -> Option<EventId> {
    let id = Uuid::parse_str(delivery.properties.message_id().as_ref()?.as_str()).ok()?;
    Some(EventId::from_uuid(id))
}

/// Returns when an event was created, in whole seconds: UUIDv7 contains that time.
fn created_at(id: EventId) -> Option<Timestamp> {
    let (seconds, _) = id.uuid().get_timestamp()?.to_unix();
    Timestamp::from_second(seconds.try_into().ok()?).ok()
}

/// Records the event and applies it in one transaction. Does nothing if the event is already recorded.
pub async fn handle_once(pool: &PgPool, handler: &dyn Handler, event: &Delivery) -> Result<(), ConsumeError> {
    handle_all(pool, handler, &[(event, &Span::current())]).await
}

/// Records events and applies each of them in its span, all in one transaction. Ignores events that are already recorded.
pub(super) async fn handle_all(
    pool: &PgPool,
    handler: &dyn Handler,
    events: &[(&Delivery, &Span)],
) -> Result<(), ConsumeError> {
    let ids: Vec<Uuid> = events.iter().map(|(event, _)| event.event_id.uuid()).collect();
    let mut tx = crate::postgres::begin(pool).await?;
    if events.len() > 1 {
        // Batches lock the rows of their events in different orders. Instead of a deadlock, the events are then applied alone.
        sqlx::query("SET LOCAL lock_timeout = '100ms'")
            .execute(&mut *tx)
            .await?;
    }
    // Ordered, so that transactions with the same events cannot deadlock.
    let recorded = sqlx::query_scalar!(
        "INSERT INTO consumed_events (event_id) SELECT id FROM unnest($1::uuid[]) AS event (id) ORDER BY id
         ON CONFLICT DO NOTHING RETURNING event_id",
        &ids,
    )
    .fetch_all(&mut *tx)
    .await?;
    if recorded.is_empty() {
        return Ok(());
    }
    let mut recorded: HashSet<Uuid> = recorded.into_iter().collect();
    for (event, span) in events {
        // Removed, because the event may have been delivered twice.
        if recorded.remove(&event.event_id.uuid()) {
            let handled = handler.handle(event, &mut tx).instrument((*span).clone());
            handled.await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
