//! Applies deliveries: all of a batch in one transaction, or, if one of them cannot be applied, each in its own with retries.

use std::time::Duration;

use futures::{TryStreamExt, stream::FuturesUnordered};
use jiff::Timestamp;
use lapin::message::Delivery as AmqpDelivery;
use sqlx::PgPool;
use tokio::{sync::Semaphore, time::Instant};
use tracing::{Instrument, Span};
use types::{Clock, SystemClock};

use super::{
    acks::Acks,
    batches::Batch,
    consumer::{ConsumeError, Delivery, Handler, handle_all, handle_once},
};
use crate::{
    backoff::Backoff, lifecycle::Process, metrics::DurationHistogram, postgres::DatabaseTimeout,
    supervision::catch_panic, telemetry,
};

static DURATION: DurationHistogram = DurationHistogram::new(
    "event.consume.duration",
    "Time from the delivery of an event until it is applied or dead-lettered, with its retries",
);

/// Number of panics of a handler after which the event is dead-lettered.
const MAX_PANICS: usize = 5;
const BACKOFF: Backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(10));

/// The database of the consumer, and the limits of its use.
#[derive(Clone, Copy)]
pub(super) struct Database<'a> {
    pub(super) pool: &'a PgPool,
    /// Limits the transactions at the same time.
    pub(super) connections: &'a Semaphore,
    pub(super) timeout: DatabaseTimeout,
}

/// What the deliveries of one consumer share.
#[derive(Clone, Copy)]
pub(super) struct Consumption<'a> {
    pub(super) process: &'a Process,
    pub(super) database: Database<'a>,
    pub(super) handler: &'a dyn Handler,
    /// The types that this release binds to the queue.
    pub(super) event_types: &'static [&'static str],
    pub(super) acks: &'a Acks,
}

/// An event, its delivery, and the span of its work.
struct Received {
    delivery: AmqpDelivery,
    event: Delivery,
    span: Span,
    at: Instant,
}

impl Received {
    fn new(delivery: AmqpDelivery, event: Delivery, at: Instant) -> Self {
        let span = tracing::info_span!(
            "consume",
            otel.name = format!("consume {}", event.event_type),
            otel.kind = "consumer",
            event_type = event.event_type,
            event_id = %event.event_id,
            aggregate_id = event.aggregate_id,
        );
        telemetry::link(&span, Delivery::header(&delivery, "traceparent").as_deref());
        Self {
            delivery,
            event,
            span,
            at,
        }
    }

    fn record_duration(&self, result: &'static str) {
        DURATION.record(self.at.elapsed(), &[("result", result)]);
    }
}

impl Consumption<'_> {
    pub(super) async fn consume(self, batch: Batch<'_>) -> anyhow::Result<()> {
        let events = self.receive(batch.deliveries).await?;
        // An event without others gets all its attempts alone.
        if events.len() > 1 && self.apply_together(&events).await? {
            return Ok(());
        }
        drop(batch.permit);
        let alone = events.into_iter().map(|received| self.apply_alone(received));
        alone.collect::<FuturesUnordered<_>>().try_collect().await
    }

    /// Returns the events. Dead-letters other messages, events of types that only a newer release consumes, and events whose
    /// record of consumption may have been pruned.
    async fn receive(self, deliveries: Vec<AmqpDelivery>) -> anyhow::Result<Vec<Received>> {
        let (at, now) = (Instant::now(), SystemClock.now());
        let mut events = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            let Some(event) = Delivery::from_delivery(&delivery) else {
                tracing::error!(routing_key = %delivery.routing_key, "message is not an event; dead-lettered");
                self.acks.dead_letter(&delivery).await?;
                continue;
            };
            let received = Received::new(delivery, event, at);
            if let Some(reason) = self.rejection(&received.event, now) {
                received
                    .span
                    .in_scope(|| tracing::error!(reason, "event dead-lettered"));
                self.acks.dead_letter(&received.delivery).await?;
                received.record_duration("dead_lettered");
            } else {
                events.push(received);
            }
        }
        Ok(events)
    }

    /// Returns the reason why an event cannot be passed to the handler.
    fn rejection(self, event: &Delivery, now: Timestamp) -> Option<&'static str> {
        if !self.event_types.contains(&event.event_type.as_str()) {
            // A newer release has bound the queue to this type. Acknowledged, the event would be lost for it.
            return Some("its type is unknown to this release");
        }
        event
            .is_older_than_dedup_window(now)
            .then_some("it is older than the deduplication window")
    }

    /// Returns false, and changes nothing, if an event cannot be applied.
    async fn apply_together(self, events: &[Received]) -> anyhow::Result<bool> {
        let with_spans: Vec<_> = events
            .iter()
            .map(|received| (&received.event, &received.span))
            .collect();
        let Database { pool, timeout, .. } = self.database;
        let applied = catch_panic(timeout.limit(handle_all(pool, self.handler, &with_spans))).await;
        let error = match applied {
            Ok(Ok(())) => {
                crate::fault_point::reach("consumer.committed");
                let deliveries: Vec<_> = events.iter().map(|received| &received.delivery).collect();
                self.acks.acknowledge(&deliveries).await?;
                for received in events {
                    received.record_duration("applied");
                }
                return Ok(true);
            }
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic,
        };
        tracing::info!(
            error,
            events = events.len(),
            "events not applied together; each is applied alone"
        );
        Ok(false)
    }

    /// Retries until the event is applied or dead-lettered, or until shutdown.
    async fn apply_alone(self, received: Received) -> anyhow::Result<()> {
        let result = self
            .apply_with_retries(&received)
            .instrument(received.span.clone())
            .await?;
        if let Some(result) = result {
            received.record_duration(result);
        }
        Ok(())
    }

    /// Returns the result for metrics, or `None` if the event was not applied before shutdown.
    async fn apply_with_retries(self, received: &Received) -> anyhow::Result<Option<&'static str>> {
        let Database {
            pool,
            connections,
            timeout,
        } = self.database;
        let mut delays = BACKOFF.delays();
        let mut panics = 0;
        loop {
            // The permit is released while waiting for a retry.
            let permit = connections.acquire().await?;
            let handled = timeout.limit(handle_once(pool, self.handler, &received.event));
            let handled = catch_panic(handled).await;
            drop(permit);
            let result = handled.unwrap_or_else(|panic| {
                panics += 1;
                Err(after_panic(&panic, panics))
            });
            let error = match result {
                Ok(()) => {
                    crate::fault_point::reach("consumer.committed");
                    self.acks.acknowledge(&[&received.delivery]).await?;
                    return Ok(Some("applied"));
                }
                Err(ConsumeError::Rejected(error)) => {
                    tracing::error!(error, "event rejected; dead-lettered");
                    self.acks.dead_letter(&received.delivery).await?;
                    return Ok(Some("dead_lettered"));
                }
                Err(ConsumeError::Transient(error)) => error,
            };
            let delay = delays.next_delay();
            tracing::warn!(error = format!("{error:#}"), retry_in = ?delay, "event failed; will retry");
            if !self.process.sleep(delay).await {
                // At shutdown, the event stays unacknowledged and is redelivered.
                return Ok(None);
            }
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
