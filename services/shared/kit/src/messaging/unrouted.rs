//! Events that a service consumes, but that were published while its queue or binding was missing. They are kept in a
//! separate queue until they are replayed ([`Broker::unrouted_consumed`]). This module monitors that queue and the dead letters.

use std::time::Duration;

use lapin::{
    Channel, Connection,
    options::QueueDeclareOptions,
    types::{FieldTable, ShortString},
};

use super::Broker;
use crate::metrics::Gauge;

static UNROUTED: Gauge = Gauge::new(
    "event.unrouted",
    "Events that a service consumes, but that were published while its queue was missing; replay them",
);
static DEAD_LETTERS: Gauge = Gauge::new(
    "event.dead_letters",
    "Messages in the service's dead-letter queue",
);

const MONITOR_INTERVAL: Duration = Duration::from_secs(5);

/// Monitors the queues that need manual action. Does not return.
pub(super) async fn monitor(broker: &Broker, service: &str, connection: &Connection) {
    let mut reported = 0;
    loop {
        match sample(broker, service, connection).await {
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
        tokio::time::sleep(MONITOR_INTERVAL).await;
    }
}

/// Records the lengths of the queues, and returns the number of unrouted events.
async fn sample(broker: &Broker, service: &str, connection: &Connection) -> lapin::Result<u32> {
    // The broker closes the channel if a queue does not exist.
    let channel = connection.create_channel().await?;
    let unrouted = length(&channel, broker.unrouted_consumed()).await?;
    UNROUTED.set(unrouted.into(), &[]);
    if broker.has_consumer(service) {
        let dead_letters = length(&channel, broker.dead_letter_queue(service)).await?;
        DEAD_LETTERS.set(dead_letters.into(), &[]);
    }
    channel.close(200, "sampled".into()).await?;
    Ok(unrouted)
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
