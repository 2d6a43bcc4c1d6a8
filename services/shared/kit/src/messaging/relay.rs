//! Publishes the outbox: claims rows with a short lease, publishes them with publisher confirms and `mandatory`, and
//! moves confirmed rows to `published_events`. Several relays may run; if one dies, its rows are claimed again after the lease.
//!
//! An empty outbox is polled rarely, and soon after this process creates an event. See
//! `docs/decisions/0031-relay-wakes-up.md`.
//!
//! Each event type has a separate channel and limit of unconfirmed events, because event types are routed to different
//! queues: an unavailable or full queue delays only the event types that are routed to it. Publishing never waits for
//! confirms.

use std::{collections::HashMap, time::Duration};

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use lapin::{
    BasicProperties, Channel, Confirmation, Connection,
    options::BasicPublishOptions,
    types::{AMQPValue, FieldTable, ShortString},
};
use sqlx::PgPool;
use tokio::{
    sync::watch,
    time::{Instant, error::Elapsed, timeout, timeout_at},
};

use super::{
    Broker,
    claims::{self, BATCH_SIZE, Row},
    open_confirm_channel, queue_metrics,
};
use crate::{
    backoff::{Backoff, Delays},
    lifecycle::Process,
    metrics::Counter,
    outbox,
    postgres::DatabaseTimeout,
};

static PUBLISHED: Counter = Counter::new("event.published", "Events sent to the broker by result");

/// An event type with this many unconfirmed events is not claimed. RabbitMQ stops reading from a connection when one of its
/// channels has several hundred messages for a slow queue.
const MAX_UNCONFIRMED: usize = 100;
/// Minimum time between two batches, so that a busy relay claims and deletes several rows at once. Full batches follow each
/// other without a pause.
const BATCH_INTERVAL: Duration = Duration::from_millis(20);
/// Time after which an empty outbox is polled again. It doubles with each poll that finds nothing, because the transaction
/// that writes an event ends some time after the event was created.
const FIRST_POLL: Duration = Duration::from_millis(20);
/// Finds the events that another replica wrote and did not publish. Short, because live updates must arrive within a
/// second.
const LAST_POLL: Duration = Duration::from_millis(800);
const PUBLISH_TIMEOUT: Duration = Duration::from_secs(5);
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(5);
/// Pauses after a publish of an event type was not confirmed.
const PAUSE: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(30));

/// Publishes until shutdown, or until the connection is lost.
pub(super) async fn run(
    process: &Process,
    broker: &Broker,
    pool: &PgPool,
    database_timeout: DatabaseTimeout,
) -> anyhow::Result<()> {
    let connection = broker.connect().await?;
    tracing::info!("relay connected to the broker");
    let mut relay = Relay {
        pool,
        database_timeout,
        connection: &connection,
        broker,
        exchange: broker.exchange(),
        lanes: HashMap::new(),
        outcomes: FuturesUnordered::new(),
        confirmed: Vec::new(),
    };
    let result = tokio::select! {
        result = relay.run(process) => result,
        () = queue_metrics::monitor(broker, process.name, &connection) => Ok(()),
    };
    // Runs also after an error, so that confirmed events are not published again.
    let collected = relay.collect(Instant::now() + CONFIRM_TIMEOUT, usize::MAX).await;
    database_timeout.limit(relay.remove_confirmed()).await?;
    result.and(collected)?;
    connection.close(200, "stopping".into()).await?;
    Ok(())
}

/// Result of one publish.
struct Outcome {
    position: i64,
    event_type: String,
    confirmation: Result<lapin::Result<Confirmation>, Elapsed>,
}

/// State of one event type.
struct Lane {
    /// `None` before the first publish and after a failure: a channel with missing confirms is closed.
    channel: Option<Channel>,
    unconfirmed: usize,
    paused_until: Option<Instant>,
    pauses: Delays,
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            channel: None,
            unconfirmed: 0,
            paused_until: None,
            pauses: PAUSE.delays(),
        }
    }
}

impl Lane {
    fn is_available(&self, now: Instant) -> bool {
        self.unconfirmed < MAX_UNCONFIRMED && self.paused_until.is_none_or(|until| until <= now)
    }

    fn resume(&mut self) {
        self.paused_until = None;
        self.pauses.reset();
    }

    /// Returns the length of the pause, or `None` if the event type is paused already.
    fn pause(&mut self, now: Instant) -> Option<Duration> {
        if self.paused_until.is_some_and(|until| until > now) {
            return None;
        }
        let pause = self.pauses.next_delay();
        self.paused_until = Some(now + pause);
        Some(pause)
    }

    /// Returns whether the broker closed the channel, for example because the exchange does not exist.
    fn is_closed_by_broker(&self) -> bool {
        self.channel
            .as_ref()
            .is_some_and(|channel| !channel.status().connected())
    }
}

struct Relay<'a> {
    pool: &'a PgPool,
    database_timeout: DatabaseTimeout,
    connection: &'a Connection,
    broker: &'a Broker,
    exchange: ShortString,
    /// By event type.
    lanes: HashMap<String, Lane>,
    outcomes: FuturesUnordered<BoxFuture<'static, Outcome>>,
    /// Positions of confirmed rows that are still in the outbox.
    confirmed: Vec<i64>,
}

impl Relay<'_> {
    async fn run(&mut self, process: &Process) -> anyhow::Result<()> {
        let mut created = outbox::subscribe();
        let mut poll_after = FIRST_POLL;
        while !process.shutdown.is_cancelled() {
            if created.has_changed()? {
                created.mark_unchanged();
                poll_after = FIRST_POLL;
            }
            let started = Instant::now();
            let rows = self.database_timeout.limit(self.claim()).await?;
            timeout(PUBLISH_TIMEOUT, self.publish(&rows))
                .await
                .map_err(|_| anyhow::anyhow!("publish timed out"))??;
            self.collect(started + BATCH_INTERVAL, MAX_UNCONFIRMED).await?;
            anyhow::ensure!(
                self.connection.status().connected(),
                "connection to the broker lost"
            );
            if !rows.is_empty() {
                poll_after = FIRST_POLL;
                if rows.len() < BATCH_SIZE {
                    process
                        .sleep(BATCH_INTERVAL.saturating_sub(started.elapsed()))
                        .await;
                }
            } else if self.confirmed.is_empty() {
                self.wait(process, poll_after, &mut created).await?;
                poll_after = (poll_after * 2).min(LAST_POLL);
            }
        }
        Ok(())
    }

    /// Waits until the next poll: for `time`, or until an event may have been written, or an outcome is known.
    async fn wait(
        &mut self,
        process: &Process,
        time: Duration,
        created: &mut watch::Receiver<()>,
    ) -> anyhow::Result<()> {
        let has_outcomes = !self.outcomes.is_empty();
        tokio::select! {
            _ = process.sleep(time) => Ok(()),
            changed = created.changed() => {
                // Also polls soon if the transaction has not written the event by then.
                created.mark_changed();
                process.sleep(BATCH_INTERVAL).await;
                Ok(changed?)
            }
            Some(outcome) = self.outcomes.next(), if has_outcomes => self.settle(outcome),
        }
    }

    fn unavailable_types(&self) -> Vec<String> {
        let now = Instant::now();
        self.lanes
            .iter()
            .filter(|(_, lane)| !lane.is_available(now))
            .map(|(event_type, _)| event_type.clone())
            .collect()
    }

    /// Moves confirmed rows to `published_events`, and claims the oldest rows that are not leased, except those of unavailable event types.
    async fn claim(&mut self) -> Result<Vec<Row>, sqlx::Error> {
        if !self.confirmed.is_empty() {
            crate::fault_point::reach("relay.confirmed");
        }
        let unavailable = self.unavailable_types();
        let mut rows = if unavailable.is_empty() {
            claims::claim_oldest(self.pool, &self.confirmed).await?
        } else {
            claims::claim_other_types(self.pool, &self.confirmed, &unavailable).await?
        };
        self.confirmed.clear();
        // `UPDATE .. RETURNING` has no order. Consumers do not rely on the order of events, but ordered events need less
        // work.
        rows.sort_unstable_by_key(|row| row.position);
        Ok(rows)
    }

    async fn publish(&mut self, rows: &[Row]) -> anyhow::Result<()> {
        for row in rows {
            crate::fault_point::reach("relay.publish");
            let lane = self.lanes.entry(row.event_type.clone()).or_default();
            let channel = match &lane.channel {
                Some(channel) => channel,
                None => lane.channel.insert(open_confirm_channel(self.connection).await?),
            };
            let options = BasicPublishOptions {
                mandatory: true,
                ..Default::default()
            };
            let confirm = channel
                .basic_publish(
                    self.exchange.clone(),
                    row.event_type.as_str().into(),
                    options,
                    &row.payload,
                    properties(row, self.broker.is_consumed(&row.event_type)),
                )
                .await?;
            lane.unconfirmed += 1;
            let (position, event_type) = (row.position, row.event_type.clone());
            let outcome = timeout(CONFIRM_TIMEOUT, confirm).map(move |confirmation| Outcome {
                position,
                event_type,
                confirmation,
            });
            self.outcomes.push(outcome.boxed());
        }
        Ok(())
    }

    /// Collects outcomes until `end`, until there are `limit`, or until none remain.
    async fn collect(&mut self, end: Instant, limit: usize) -> anyhow::Result<()> {
        let mut result = Ok(());
        let mut collected = 0;
        while collected < limit
            && let Ok(Some(outcome)) = timeout_at(end, self.outcomes.next()).await
        {
            result = result.and(self.settle(outcome));
            collected += 1;
        }
        result
    }

    /// Records an outcome. A row without a confirm stays in the outbox until its lease ends and is published again then.
    fn settle(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        let Outcome {
            position,
            event_type,
            confirmation,
        } = outcome;
        let lane = self.lanes.entry(event_type.clone()).or_default();
        lane.unconfirmed = lane.unconfirmed.saturating_sub(1);
        let error = match confirmation {
            Ok(Ok(Confirmation::Ack(None))) => {
                lane.resume();
                PUBLISHED.add(1, &[("result", "confirmed")]);
                self.confirmed.push(position);
                return Ok(());
            }
            Ok(Ok(other)) => format!("not confirmed: {other:?}"),
            Ok(Err(error)) if lane.is_closed_by_broker() => return Err(error.into()),
            // The channel was already closed after the timeout of another event.
            Ok(Err(error)) => error.to_string(),
            Err(_) => {
                lane.channel = None;
                "confirm timed out".to_owned()
            }
        };
        PUBLISHED.add(1, &[("result", "not_confirmed")]);
        if let Some(retry_in) = lane.pause(Instant::now()) {
            tracing::error!(
                event_type,
                position,
                error,
                ?retry_in,
                "publish failed; events of this type stay in the outbox"
            );
        }
        Ok(())
    }

    async fn remove_confirmed(&mut self) -> Result<(), sqlx::Error> {
        if self.confirmed.is_empty() {
            return Ok(());
        }
        crate::fault_point::reach("relay.confirmed");
        claims::remove(self.pool, &self.confirmed).await?;
        self.confirmed.clear();
        Ok(())
    }
}

/// Events that no service consumes are not written to the broker's disk. `published_events` has them, too. Quorum queues write
/// all messages.
fn properties(row: &Row, is_consumed: bool) -> BasicProperties {
    /// Survives a restart of the broker.
    const PERSISTENT: u8 = 2;
    const TRANSIENT: u8 = 1;
    let mut headers = FieldTable::default();
    let mut header = |name: &str, value: &str| {
        headers.insert(name.into(), AMQPValue::LongString(value.into()));
    };
    header("aggregate-id", &row.aggregate_id);
    header("aggregate-version", &row.aggregate_version.to_string());
    header("version", "1");
    if let Some(parent) = &row.trace_parent {
        header("traceparent", parent);
    }
    BasicProperties::default()
        .with_message_id(row.event_id.to_string().into())
        .with_type(row.event_type.as_str().into())
        .with_content_type("application/x-protobuf".into())
        .with_delivery_mode(if is_consumed { PERSISTENT } else { TRANSIENT })
        .with_headers(headers)
}
