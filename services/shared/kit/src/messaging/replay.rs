//! Publishes messages again that are kept in a queue until the cause is repaired: unrouted events and dead letters.

use std::time::Duration;

use anyhow::ensure;
use lapin::{
    Channel, Confirmation,
    message::BasicGetMessage,
    options::{BasicAckOptions, BasicGetOptions, BasicPublishOptions},
    types::ShortString,
};
use tokio::time::timeout;

use super::{Broker, Topology, open_confirm_channel, queue_metrics::length};
use crate::lifecycle::Process;

const CONFIRM_TIMEOUT: Duration = Duration::from_secs(10);

/// Publishes the unrouted events of all services again. The queues of their consumers exist, because connecting
/// declares them; an event that was consumed already has no further effect. Returns the number of events.
///
/// # Errors
/// The broker is unreachable, or does not confirm an event, which then stays in its queue.
pub async fn replay_unrouted(process: &Process, topology: Topology) -> anyhow::Result<u64> {
    let broker = Broker::from_config(process, topology)?;
    let (queue, exchange) = (broker.unrouted_consumed(), broker.exchange());
    let replayed = replay(&broker, queue, |message| {
        (exchange.clone(), message.delivery.routing_key.clone())
    })
    .await?;
    tracing::info!(events = replayed, "replayed unrouted events");
    Ok(replayed)
}

/// Moves the dead letters of a service back to its queue. Those that it rejects again become dead letters again. Returns
/// the number of messages.
///
/// # Errors
/// The service consumes no events, the broker is unreachable, or it does not confirm a message, which then stays a dead
/// letter.
pub async fn replay_dead_letters(
    process: &Process,
    topology: Topology,
    service: &str,
) -> anyhow::Result<u64> {
    let broker = Broker::from_config(process, topology)?;
    ensure!(
        broker.has_consumer(service),
        "{service} consumes no events; these services do: {}",
        topology
            .consumers
            .iter()
            .map(|(consumer, _)| *consumer)
            .collect::<Vec<_>>()
            .join(", ")
    );
    // The default exchange routes to the queue with this name, so that no other service gets the message.
    let queue = broker.queue(service);
    let replayed = replay(&broker, broker.dead_letter_queue(service), |_| {
        (ShortString::default(), queue.clone())
    })
    .await?;
    tracing::info!(service, messages = replayed, "replayed dead letters");
    Ok(replayed)
}

/// Moves the messages of a queue to the exchange and routing key that `target` returns.
async fn replay(
    broker: &Broker,
    queue: ShortString,
    target: impl Fn(&BasicGetMessage) -> (ShortString, ShortString),
) -> anyhow::Result<u64> {
    let connection = broker.connect().await?;
    let channel = open_confirm_channel(&connection).await?;
    let mut replayed = 0;
    // Limited to the current number, so that a message that returns to this queue is not replayed forever.
    for _ in 0..length(&channel, queue.clone()).await? {
        let message = channel
            .basic_get(queue.clone(), BasicGetOptions::default())
            .await?;
        let Some(message) = message else { break };
        let (exchange, routing_key) = target(&message);
        publish(&channel, &message, exchange, routing_key).await?;
        message.ack(BasicAckOptions::default()).await?;
        replayed += 1;
    }
    connection.close(200, "replayed".into()).await?;
    Ok(replayed)
}

async fn publish(
    channel: &Channel,
    message: &BasicGetMessage,
    exchange: ShortString,
    routing_key: ShortString,
) -> anyhow::Result<()> {
    let options = BasicPublishOptions {
        mandatory: true,
        ..Default::default()
    };
    let (data, properties) = (&message.delivery.data, message.delivery.properties.clone());
    let confirm = channel
        .basic_publish(exchange, routing_key.clone(), options, data, properties)
        .await?;
    let confirmation = timeout(CONFIRM_TIMEOUT, confirm).await??;
    ensure!(
        matches!(confirmation, Confirmation::Ack(None)),
        "{routing_key} not confirmed: {confirmation:?}"
    );
    Ok(())
}
