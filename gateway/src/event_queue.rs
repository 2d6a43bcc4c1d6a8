//! The event queue of this process: exclusive, and deleted by the broker when the connection ends.

use futures::StreamExt;
use kit::backoff::Backoff;
use kit::lifecycle::Process;
use kit::messaging::Broker;
use lapin::message::Delivery;
use lapin::options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{FieldTable, ShortString};
use lapin::{Connection, Consumer};

use crate::live_orders::LiveOrders;
use crate::public_reads::PublicReads;

/// Binding keys of the events of orders, of stores and menus, and of inbox messages.
const BINDING_KEYS: [&str; 3] = ["ordering.*", "stores.*", "rewards.InboxMessageAdded"];

/// Consumes events and updates the live streams and the cached public reads.
#[derive(Debug, Clone)]
pub(crate) struct EventQueue {
    pub(crate) live_orders: LiveOrders,
    pub(crate) public_reads: PublicReads,
}

impl EventQueue {
    /// Consumes events until shutdown. Reconnects with backoff.
    pub(crate) async fn run(self, process: Process, broker: Broker) {
        let mut delays = Backoff::RECONNECT.delays();
        while !process.shutdown.is_cancelled() {
            let outcome = self.consume_until_disconnected(&process, &broker).await;
            if self.set_connected(false) {
                delays.reset();
            }
            if let Err(error) = outcome {
                let delay = delays.next_delay();
                tracing::warn!(error = format!("{error:#}"), retry_in = ?delay, "broker unavailable; streams poll");
                process.sleep(delay).await;
            }
        }
    }

    async fn consume_until_disconnected(&self, process: &Process, broker: &Broker) -> anyhow::Result<()> {
        let connection = broker.connect().await?;
        let deliveries = consume_own_queue(&connection, broker.exchange()).await?;
        self.set_connected(true);
        tracing::info!("event queue connected to the broker");
        let mut deliveries = std::pin::pin!(deliveries.take_until(process.shutdown.cancelled()));
        while let Some(delivery) = deliveries.next().await {
            self.receive(&delivery?);
        }
        anyhow::ensure!(process.shutdown.is_cancelled(), "the broker ended the consumer");
        connection.close(200, "stopping".into()).await?;
        Ok(())
    }

    fn receive(&self, delivery: &Delivery) {
        let event_type = delivery.routing_key.as_str();
        if event_type.starts_with("stores.") {
            self.public_reads.receive(event_type, &delivery.data);
        } else if event_type.starts_with("rewards.") {
            self.live_orders.receive_inbox(&delivery.data);
        } else {
            self.live_orders.receive(&delivery.data);
        }
    }

    /// Returns whether the broker was connected.
    fn set_connected(&self, is_connected: bool) -> bool {
        self.public_reads.set_receives_events(is_connected);
        self.live_orders.set_connected(is_connected)
    }
}

/// Declares a queue that only this connection uses and that is deleted with it, and consumes it.
async fn consume_own_queue(connection: &Connection, exchange: ShortString) -> anyhow::Result<Consumer> {
    let channel = connection.create_channel().await?;
    let declare = QueueDeclareOptions {
        exclusive: true,
        auto_delete: true,
        ..Default::default()
    };
    // An empty name lets the broker generate one.
    let queue = channel
        .queue_declare("".into(), declare, FieldTable::default())
        .await?;
    let name = queue.name().clone();
    for key in BINDING_KEYS {
        let (options, arguments) = (QueueBindOptions::default(), FieldTable::default());
        channel
            .queue_bind(name.clone(), exchange.clone(), key.into(), options, arguments)
            .await?;
    }
    let consume = BasicConsumeOptions {
        no_ack: true,
        exclusive: true,
        ..Default::default()
    };
    Ok(channel
        .basic_consume(name, "gateway".into(), consume, FieldTable::default())
        .await?)
}
