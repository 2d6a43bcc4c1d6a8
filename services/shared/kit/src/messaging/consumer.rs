//! Takes facts from this service's queue. An event's id is recorded in the transaction of its effect, so that an event
//! that comes again changes nothing. The record is kept for a month ([`crate::prune`]); an event that is nearly as old is
//! not taken any more, whether it was consumed or not.

use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use lapin::{
    message::Delivery as AmqpDelivery,
    options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions, BasicRejectOptions},
    types::FieldTable,
};
use prost::Message;
use sqlx::{PgConnection, PgPool};
use tracing::Instrument;
use types::{Clock, EventId, OrderId, SystemClock};
use uuid::Uuid;

use super::Broker;
use crate::{InternalError, lifecycle::Process, prune::CONSUMED_KEPT, telemetry};

/// Deliveries that are held at once. A few, so that one slow event does not stop the rest.
const PREFETCH: u16 = 16;
const BACKOFF_FIRST: Duration = Duration::from_millis(100);
const BACKOFF_MOST: Duration = Duration::from_secs(10);

/// How old an event may be: a day is left for clocks that differ, and for records that are just being written.
const TAKEN_FOR: Duration = CONSUMED_KEPT.saturating_sub(Duration::from_secs(86_400));

/// What a service does with the facts that it consumes.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Makes the event's effect, in the transaction that records the event. Kinds that it does not know it leaves alone.
    ///
    /// # Errors
    /// [`ConsumeError`].
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError>;
}

/// Why an event has no effect now.
#[derive(Debug, thiserror::Error)]
pub enum ConsumeError {
    /// It can never have one: goes to the dead letters at once.
    #[error("refused: {0}")]
    Rejected(String),
    /// Later it may: retried with backoff while the delivery is held.
    #[error("failed: {0:#}")]
    Transient(#[from] anyhow::Error),
}

impl From<sqlx::Error> for ConsumeError {
    /// What the database says of the data it would say again; whatever else it is may pass.
    fn from(error: sqlx::Error) -> Self {
        let lasting = match &error {
            sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => true,
            // 22 data exception, 23 integrity constraint violation.
            sqlx::Error::Database(error) => error
                .code()
                .is_some_and(|code| code.starts_with("22") || code.starts_with("23")),
            _ => false,
        };
        if lasting {
            Self::Rejected(error.to_string())
        } else {
            Self::Transient(error.into())
        }
    }
}

impl From<InternalError> for ConsumeError {
    /// What may pass is tried again; a broken invariant is not, and waits among the dead letters for a person.
    fn from(fault: InternalError) -> Self {
        match fault {
            InternalError::Database(error) => error.into(),
            fault if fault.is_transient() => Self::Transient(fault.into()),
            fault => Self::Rejected(fault.to_string()),
        }
    }
}

impl From<types::IdError> for ConsumeError {
    fn from(error: types::IdError) -> Self {
        Self::Rejected(error.to_string())
    }
}

/// Returns the field, or an error with its name: proto3 messages may omit any field.
///
/// # Errors
/// [`ConsumeError::Rejected`] if the field is missing.
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
    /// Decodes the envelope.
    ///
    /// # Errors
    /// [`ConsumeError::Rejected`] if the payload is not such a message.
    pub fn decode<M: Message + Default>(&self) -> Result<M, ConsumeError> {
        M::decode(self.payload.as_slice())
            .map_err(|error| ConsumeError::Rejected(format!("cannot decode {}: {error}", self.event_type)))
    }

    /// Whether the record that it was consumed may be gone. Its id says when it came to be.
    fn is_past(&self, now: Timestamp) -> bool {
        let born = self.event_id.uuid().get_timestamp().map(|born| born.to_unix().0);
        let oldest = u64::try_from((now - TAKEN_FOR).as_second()).unwrap_or_default();
        born.is_some_and(|born| born < oldest)
    }

    /// The order that it is about, if it is about one.
    fn order_id(&self) -> Option<&str> {
        let (kind, _) = self.aggregate_id.split_once('_')?;
        (kind == OrderId::PREFIX).then_some(&self.aggregate_id)
    }

    fn from_delivery(delivery: &AmqpDelivery) -> Option<Self> {
        let id = Uuid::parse_str(delivery.properties.message_id().as_ref()?.as_str()).ok()?;
        Some(Self {
            event_id: EventId::from_uuid(id),
            event_type: delivery.properties.kind().as_ref()?.as_str().to_owned(),
            aggregate_id: header(delivery, "aggregate-id").unwrap_or_default(),
            aggregate_version: header(delivery, "aggregate-version")
                .and_then(|text| text.parse().ok())
                .unwrap_or_default(),
            payload: delivery.data.clone(),
        })
    }
}

fn header(delivery: &AmqpDelivery, name: &str) -> Option<String> {
    let value = delivery.properties.headers().as_ref()?.inner().get(name)?;
    Some(String::from_utf8_lossy(value.as_long_string()?.as_bytes()).into_owned())
}

/// Consumes until the process is told to stop or the broker is lost.
pub(super) async fn run(
    process: &Process,
    broker: &Broker,
    pool: &PgPool,
    handler: &dyn Handler,
) -> anyhow::Result<()> {
    let connection = broker.connect().await?;
    let channel = connection.create_channel().await?;
    channel.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
    let deliveries = channel
        .basic_consume(
            broker.queue(process.name),
            process.name.into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        )
        .await?;
    tracing::info!("consumer connected to the broker");
    let lost = stream::once(async { Err(anyhow::anyhow!("the broker ended the consumer")) });
    deliveries
        .map_err(anyhow::Error::from)
        .chain(lost)
        .take_until(process.shutdown.clone().cancelled_owned())
        // Once the broker is lost, what is held is dropped, not waited for: it comes again, and an event that is retried
        // for ever must not keep the rest from the broker.
        .try_for_each_concurrent(usize::from(PREFETCH), |delivery| {
            consume(process, pool, handler, delivery)
        })
        .await?;
    connection.close(200, "stopping".into()).await?;
    Ok(())
}

async fn consume(
    process: &Process,
    pool: &PgPool,
    handler: &dyn Handler,
    delivery: AmqpDelivery,
) -> anyhow::Result<()> {
    let Some(event) = Delivery::from_delivery(&delivery) else {
        tracing::error!(routing_key = %delivery.routing_key, "message is no event of ours; moved to the dead letters");
        return Ok(delivery
            .reject(BasicRejectOptions { requeue: false })
            .await
            .map(drop)?);
    };
    let span = tracing::info_span!(
        "consume",
        otel.name = format!("consume {}", event.event_type),
        otel.kind = "consumer",
        event_type = event.event_type,
        event_id = %event.event_id,
        aggregate_id = event.aggregate_id,
        order_id = event.order_id(),
    );
    telemetry::link(&span, header(&delivery, "traceparent").as_deref());
    async {
        if event.is_past(SystemClock.now()) {
            tracing::error!(
                "event is too old to know whether it was consumed; moved to the dead letters, to be mended by hand"
            );
            return Ok(delivery.reject(BasicRejectOptions { requeue: false }).await.map(drop)?);
        }
        let mut backoff = BACKOFF_FIRST;
        loop {
            match once(pool, handler, &event).await {
                Ok(()) => {
                    crate::fault_point::reach("consumer.committed");
                    return Ok(delivery.ack(BasicAckOptions::default()).await.map(drop)?);
                }
                Err(ConsumeError::Rejected(why)) => {
                    tracing::error!(why, "event refused; moved to the dead letters");
                    return Ok(delivery.reject(BasicRejectOptions { requeue: false }).await.map(drop)?);
                }
                Err(ConsumeError::Transient(error)) => {
                    tracing::warn!(error = format!("{error:#}"), retry_in = ?backoff, "event failed, trying again");
                }
            }
            if !process.sleep(backoff).await {
                // Told to stop: unacknowledged, so it comes again to whoever is there.
                return Ok(());
            }
            backoff = (backoff * 2).min(BACKOFF_MOST);
        }
    }
    .instrument(span)
    .await
}

/// One try: record the event and make its effect, together.
///
/// # Errors
/// What the handler or the database says.
pub async fn once(pool: &PgPool, handler: &dyn Handler, event: &Delivery) -> Result<(), ConsumeError> {
    let mut tx = pool.begin().await?;
    let recorded = sqlx::query("INSERT INTO consumed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(event.event_id.uuid())
        .execute(&mut *tx)
        .await?;
    if recorded.rows_affected() == 1 {
        handler.handle(event, &mut tx).await?;
        tx.commit().await?;
    }
    Ok(())
}
