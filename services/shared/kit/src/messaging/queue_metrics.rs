//! Measures what a service has not consumed: its queue and the age of the events in progress, its dead letters, and the events that a
//! service consumes, but that were published while its queue or binding was missing. The last are kept in a separate queue until they
//! are replayed ([`Broker::unrouted_consumed`]).

use std::time::Duration;

use lapin::{
    Channel, Connection,
    options::QueueDeclareOptions,
    types::{FieldTable, ShortString},
};
use types::{Clock, SystemClock};

use super::{Broker, acks::Acks};
use crate::metrics::Gauge;

static UNROUTED: Gauge = Gauge::new(
    "event.unrouted",
    "Events that a service consumes, but that were published while its queue was missing; replay them",
);
static DEAD_LETTERS: Gauge = Gauge::new(
    "event.dead_letters",
    "Messages in the service's dead-letter queue",
);
static QUEUED: Gauge = Gauge::new(
    "event.queued",
    "Messages in the service's queue that were not delivered yet",
);
static OLDEST_AGE: Gauge = Gauge::seconds(
    "event.consume.oldest.age",
    "Age of the oldest event that was delivered and is not consumed yet",
);

const MONITOR_INTERVAL: Duration = Duration::from_secs(5);

/// Monitors the queues. Does not return.
pub(super) async fn monitor(broker: &Broker, service: &str, connection: &Connection) {
    let mut reported = 0;
    loop {
        match sample_unrouted(broker, connection).await {
            Ok(unrouted) => {
                if unrouted > reported {
                    tracing::error!(
                        events = unrouted,
                        queue = broker.unrouted_consumed().as_str(),
                        "events were published without the queue of their consumer; run `replay-unrouted`"
                    );
                }
                reported = unrouted;
            }
            Err(error) => tracing::warn!(%error, "cannot read the length of the queue of unrouted events"),
        }
        if broker.has_consumer(service)
            && let Err(error) = sample_own(broker, service, connection).await
        {
            tracing::warn!(%error, "cannot read the lengths of the queues of this service");
        }
        tokio::time::sleep(MONITOR_INTERVAL).await;
    }
}

/// Measures the age of the deliveries in progress. Does not return.
pub(super) async fn monitor_deliveries(acks: &Acks) {
    loop {
        let age = acks.oldest_age(SystemClock.now()).await;
        OLDEST_AGE.set(age.as_secs(), &[]);
        tokio::time::sleep(MONITOR_INTERVAL).await;
    }
}

/// Records that no delivery is in progress.
pub(super) fn reset_deliveries() {
    OLDEST_AGE.set(0, &[]);
}

/// Records and returns the number of unrouted events.
async fn sample_unrouted(broker: &Broker, connection: &Connection) -> lapin::Result<u32> {
    let channel = connection.create_channel().await?;
    let unrouted = length(&channel, broker.unrouted_consumed()).await?;
    UNROUTED.set(unrouted.into(), &[]);
    channel.close(200, "sampled".into()).await?;
    Ok(unrouted)
}

/// Records the lengths of the service's queues, on a channel of its own: the broker closes it if a queue does not exist.
async fn sample_own(broker: &Broker, service: &str, connection: &Connection) -> lapin::Result<()> {
    let channel = connection.create_channel().await?;
    let dead_letters = length(&channel, broker.dead_letter_queue(service)).await?;
    DEAD_LETTERS.set(dead_letters.into(), &[]);
    let queued = length(&channel, broker.queue(service)).await?;
    QUEUED.set(queued.into(), &[]);
    channel.close(200, "sampled".into()).await?;
    Ok(())
}

pub(super) async fn length(channel: &Channel, queue: ShortString) -> lapin::Result<u32> {
    let options = QueueDeclareOptions {
        passive: true,
        ..Default::default()
    };
    let queue = channel
        .queue_declare(queue, options, FieldTable::default())
        .await?;
    Ok(queue.message_count())
}
