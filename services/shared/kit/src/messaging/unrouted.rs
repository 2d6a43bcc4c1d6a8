//! Events that a service consumes, but that were published while its queue or binding was missing. They are kept in a
//! separate queue until they are replayed ([`Broker::unrouted_consumed`]).

use std::time::Duration;

use anyhow::ensure;
use lapin::{
    Channel, Confirmation, Connection,
    options::{BasicAckOptions, BasicGetOptions, BasicPublishOptions, QueueDeclareOptions},
    types::{FieldTable, ShortString},
};
use tokio::time::timeout;

use super::{Broker, Topology, open_confirm_channel};
use crate::{lifecycle::Process, metrics::Gauge};

static UNROUTED: Gauge = Gauge::new(
    "event.unrouted",
    "Events that a service consumes, but that were published while its queue was missing; replay them",
);
static DEAD_LETTERS: Gauge = Gauge::new(
    "event.dead_letters",
    "Messages in the service's dead-letter queue",
);

const MONITOR_INTERVAL: Duration = Duration::from_secs(5);
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);

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

async fn length(channel: &Channel, queue: ShortString) -> lapin::Result<u32> {
    let options = QueueDeclareOptions {
        passive: true,
        ..Default::default()
    };
    let queue = channel
        .queue_declare(queue, options, FieldTable::default())
        .await?;
    Ok(queue.message_count())
}

/// Publishes the unrouted events of all services again. The queues of their consumers exist, because connecting
/// declares them; an event that was consumed already has no further effect. Returns the number of events.
///
/// # Errors
/// The broker is unreachable, or does not confirm an event, which then stays in its queue.
pub async fn replay_unrouted(process: &Process, topology: Topology) -> anyhow::Result<u64> {
    let broker = Broker::from_config(process, topology)?;
    let connection = broker.connect().await?;
    let channel = open_confirm_channel(&connection).await?;
    let queue = broker.unrouted_consumed();
    let mut replayed = 0;
    // Limited to the current number, so that an event that is unrouted again is not replayed forever.
    for _ in 0..length(&channel, queue.clone()).await? {
        let message = channel
            .basic_get(queue.clone(), BasicGetOptions::default())
            .await?;
        let Some(message) = message else { break };
        let options = BasicPublishOptions {
            mandatory: true,
            ..Default::default()
        };
        let (event_type, data) = (message.delivery.routing_key.clone(), &message.delivery.data);
        let properties = message.delivery.properties.clone();
        let confirm = channel
            .basic_publish(broker.exchange(), event_type.clone(), options, data, properties)
            .await?;
        let confirmation = timeout(CONFIRM_TIMEOUT, confirm).await??;
        ensure!(
            matches!(confirmation, Confirmation::Ack(None)),
            "{event_type} not confirmed: {confirmation:?}"
        );
        message.ack(BasicAckOptions::default()).await?;
        replayed += 1;
    }
    connection.close(200, "replayed".into()).await?;
    tracing::info!(events = replayed, "replayed unrouted events");
    Ok(replayed)
}
