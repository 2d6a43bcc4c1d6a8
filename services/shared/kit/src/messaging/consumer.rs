//! Consumes the events of this service's queue. The event id is recorded in the transaction of the event's effect, so that
//! a redelivered event has no further effect. Records are pruned after a month ([`crate::prune`]); older events are
//! dead-lettered, because it is unknown whether they were consumed.

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
use tokio::{sync::Semaphore, time::Instant};
use tracing::Instrument;
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

use super::Broker;
use crate::{
    InternalError, backoff::Backoff, lifecycle::Process, metrics::DurationHistogram,
    prune::CONSUMED_EVENT_RETENTION, supervision::catch_panic, telemetry,
};

static DURATION: DurationHistogram = DurationHistogram::new(
    "event.consume.duration",
    "Time from the delivery of an event until it is applied or dead-lettered, with its retries",
);

/// Maximum number of unacknowledged deliveries. Greater than one, so that a slow event does not delay the others.
const PREFETCH: u16 = 16;
/// Divisor of the pool size: events use half of the connections, calls, the relay and workers the other half.
const POOL_DIVISOR: u32 = 2;
/// Number of panics of a handler after which the event is dead-lettered.
const MAX_PANICS: usize = 5;
const BACKOFF: Backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(10));

/// Age at which an event is rejected. A day less than the retention of records, to allow for clock differences and slow
/// transactions.
const DEDUP_WINDOW: Duration = CONSUMED_EVENT_RETENTION.saturating_sub(Duration::from_hours(24));

/// A service's event handler.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Applies the event in the transaction that records it. Ignores unknown event types.
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

    /// Returns whether the record of the event's consumption may have been pruned. UUIDv7 contains the creation time.
    fn is_older_than_dedup_window(&self, now: Timestamp) -> bool {
        let created = self.event_id.uuid().get_timestamp().map(|time| time.to_unix().0);
        let oldest = u64::try_from((now - DEDUP_WINDOW).as_second()).unwrap_or_default();
        created.is_some_and(|created| created < oldest)
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

/// Limits the events that use a connection at the same time.
///
/// # Errors
/// The pool is too small.
pub(super) fn connections(pool: &PgPool) -> anyhow::Result<Semaphore> {
    let max = pool.options().get_max_connections();
    anyhow::ensure!(
        max >= POOL_DIVISOR,
        "bad configuration: DATABASE_CONNECTIONS: {max}: expected at least {POOL_DIVISOR}"
    );
    let permits = (max / POOL_DIVISOR).min(u32::from(PREFETCH));
    Ok(Semaphore::new(usize::try_from(permits)?))
}

/// Consumes until shutdown, or until the connection is lost.
pub(super) async fn run(
    process: &Process,
    broker: &Broker,
    pool: &PgPool,
    connections: &Semaphore,
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
    let cancelled = stream::once(async { Err(anyhow::anyhow!("consumer cancelled by the broker")) });
    deliveries
        .map_err(anyhow::Error::from)
        .chain(cancelled)
        .take_until(process.shutdown.clone().cancelled_owned())
        // When the connection is lost, drops the deliveries in progress instead of waiting for them: they are redelivered,
        // and an event that is retried forever must not prevent the reconnect.
        .try_for_each_concurrent(usize::from(PREFETCH), |delivery| {
            consume(process, pool, connections, handler, delivery)
        })
        .await?;
    connection.close(200, "stopping".into()).await?;
    Ok(())
}

async fn consume(
    process: &Process,
    pool: &PgPool,
    connections: &Semaphore,
    handler: &dyn Handler,
    delivery: AmqpDelivery,
) -> anyhow::Result<()> {
    let Some(event) = Delivery::from_delivery(&delivery) else {
        tracing::error!(routing_key = %delivery.routing_key, "message is not an event; dead-lettered");
        return dead_letter(&delivery).await.map(drop);
    };
    let span = tracing::info_span!(
        "consume",
        otel.name = format!("consume {}", event.event_type),
        otel.kind = "consumer",
        event_type = event.event_type,
        event_id = %event.event_id,
        aggregate_id = event.aggregate_id,
    );
    telemetry::link(&span, header(&delivery, "traceparent").as_deref());
    let started = Instant::now();
    let result = handle_with_retries(process, pool, connections, handler, &delivery, &event)
        .instrument(span)
        .await?;
    if let Some(result) = result {
        DURATION.record(started.elapsed(), &[("result", result)]);
    }
    Ok(())
}

/// Returns the result for metrics, or `None` if the event was not handled before shutdown.
async fn handle_with_retries(
    process: &Process,
    pool: &PgPool,
    connections: &Semaphore,
    handler: &dyn Handler,
    delivery: &AmqpDelivery,
    event: &Delivery,
) -> anyhow::Result<Option<&'static str>> {
    if event.is_older_than_dedup_window(SystemClock.now()) {
        tracing::error!("event is older than the deduplication window; dead-lettered for manual repair");
        return dead_letter(delivery).await.map(Some);
    }
    let mut delays = BACKOFF.delays();
    let mut panics = 0;
    loop {
        // The permit is released while waiting for a retry.
        let permit = connections.acquire().await?;
        let handled = catch_panic(handle_once(pool, handler, event)).await;
        drop(permit);
        let result = handled.unwrap_or_else(|panic| {
            panics += 1;
            Err(after_panic(&panic, panics))
        });
        let error = match result {
            Ok(()) => {
                crate::fault_point::reach("consumer.committed");
                delivery.ack(BasicAckOptions::default()).await?;
                return Ok(Some("applied"));
            }
            Err(ConsumeError::Rejected(error)) => {
                tracing::error!(error, "event rejected; dead-lettered");
                return dead_letter(delivery).await.map(Some);
            }
            Err(ConsumeError::Transient(error)) => error,
        };
        let delay = delays.next_delay();
        tracing::warn!(error = format!("{error:#}"), retry_in = ?delay, "event failed; will retry");
        if !process.sleep(delay).await {
            // At shutdown, the event stays unacknowledged and is redelivered.
            return Ok(None);
        }
    }
}

fn after_panic(panic: &str, panics: usize) -> ConsumeError {
    tracing::error!(panic, panics, "event handler panicked");
    let error = format!("handler panicked: {panic}");
    if panics < MAX_PANICS {
        ConsumeError::Transient(anyhow::anyhow!(error))
    } else {
        ConsumeError::Rejected(error)
    }
}

/// Returns the result for metrics.
async fn dead_letter(delivery: &AmqpDelivery) -> anyhow::Result<&'static str> {
    delivery.reject(BasicRejectOptions { requeue: false }).await?;
    Ok("dead_lettered")
}

/// Records the event and applies it in one transaction. Does nothing if the event is already recorded.
pub async fn handle_once(pool: &PgPool, handler: &dyn Handler, event: &Delivery) -> Result<(), ConsumeError> {
    let mut tx = pool.begin().await?;
    let recorded = sqlx::query!(
        "INSERT INTO consumed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING",
        event.event_id.uuid(),
    )
    .execute(&mut *tx)
    .await?;
    if recorded.rows_affected() == 1 {
        handler.handle(event, &mut tx).await?;
        tx.commit().await?;
    }
    Ok(())
}
