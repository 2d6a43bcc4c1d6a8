//! Queues with their own prefix on a shared broker.

use std::time::Duration;

use kit::{
    lifecycle::Process,
    messaging::{Broker, Topology},
};
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{
        BasicGetOptions, BasicPublishOptions, ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions,
    },
    types::FieldTable,
};
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

pub const APPLIED: &str = "test.Applied";
pub const OTHER: &str = "test.Other";
pub const FAILING: &str = "test.Failing";
pub const TOPOLOGY: Topology = Topology::new("test", &[(SERVICE, &[APPLIED, OTHER, FAILING])]);
const SERVICE: &str = "subscriber";

pub struct TestBroker {
    pub process: Process,
    channel: Channel,
    broker: Broker,
    prefix: String,
    connection: Connection,
}

impl TestBroker {
    pub async fn new() -> Self {
        let url = std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned());
        let prefix = testing::unique_name();
        let detached = Process::detached(SERVICE);
        let process = Process {
            source: detached
                .source
                .clone()
                .with("amqp_url", &url)
                .with("broker_prefix", &prefix),
            ..detached
        };
        let broker = Broker::from_config(&process, TOPOLOGY).unwrap();
        let connection = Connection::connect(&url, ConnectionProperties::default())
            .await
            .unwrap();
        let channel = connection.create_channel().await.unwrap();
        Self {
            process,
            channel,
            broker,
            prefix,
            connection,
        }
    }

    pub async fn publish(&self, event_type: &str) {
        self.publish_with_id(EventId::new(SystemClock.now()), event_type)
            .await;
    }

    pub async fn publish_with_id(&self, id: EventId, event_type: &str) {
        let properties = BasicProperties::default()
            .with_message_id(id.uuid().to_string().into())
            .with_type(event_type.into());
        self.channel
            .basic_publish(
                self.broker.exchange(),
                event_type.into(),
                BasicPublishOptions::default(),
                &[],
                properties,
            )
            .await
            .unwrap()
            .await
            .unwrap();
    }

    /// Waits for a dead letter and returns its event id.
    pub async fn next_dead_letter(&self) -> EventId {
        let queue = self.broker.dead_letter_queue(SERVICE);
        let dead_letter = async {
            loop {
                let options = BasicGetOptions { no_ack: true };
                let message = self.channel.basic_get(queue.clone(), options).await.unwrap();
                if let Some(message) = message {
                    let id = message.properties.message_id().clone().unwrap();
                    return EventId::from_uuid(Uuid::parse_str(id.as_str()).unwrap());
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), dead_letter)
            .await
            .unwrap()
    }

    pub async fn wait_for_consumer(&self) {
        let consumed = async {
            while !self.has_consumer().await {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), consumed)
            .await
            .unwrap();
    }

    /// Uses a separate channel, because the broker closes it if the queue does not exist.
    async fn has_consumer(&self) -> bool {
        let passive = QueueDeclareOptions {
            passive: true,
            ..Default::default()
        };
        let channel = self.connection.create_channel().await.unwrap();
        let queue = channel
            .queue_declare(self.broker.queue(SERVICE), passive, FieldTable::default())
            .await;
        queue.is_ok_and(|queue| queue.consumer_count() > 0)
    }

    /// Deletes the consumed queue, so that the broker cancels its consumer.
    pub async fn delete_consumer_queue(&self) {
        self.delete_queue(self.broker.queue(SERVICE).as_str()).await;
    }

    async fn delete_queue(&self, queue: &str) {
        self.channel
            .queue_delete(queue.into(), QueueDeleteOptions::default())
            .await
            .unwrap();
    }

    /// Shuts the process down and deletes all queues and the exchange.
    pub async fn clean_up(self) {
        self.process.shutdown.cancel();
        self.process.tasks.close();
        self.process.tasks.wait().await;
        self.delete_queue(self.broker.queue(SERVICE).as_str()).await;
        self.delete_queue(self.broker.dead_letter_queue(SERVICE).as_str())
            .await;
        self.delete_queue(&format!("{}.unrouted", self.prefix)).await;
        self.channel
            .exchange_delete(self.broker.exchange(), ExchangeDeleteOptions::default())
            .await
            .unwrap();
    }
}
