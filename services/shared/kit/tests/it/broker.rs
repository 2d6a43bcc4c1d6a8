//! Queues with a separate prefix on a shared broker.

use std::time::Duration;

use kit::{
    lifecycle::Process,
    messaging::{Broker, Topology},
};
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{
        BasicGetOptions, BasicPublishOptions, ExchangeDeleteOptions, QueueBindOptions, QueueDeclareOptions,
        QueueDeleteOptions,
    },
    types::{AMQPValue, FieldTable, ShortString},
};
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

pub const APPLIED: &str = "test.Applied";
pub const OTHER: &str = "test.Other";
pub const FAILING: &str = "test.Failing";
pub const PANICKING: &str = "test.Panicking";
pub const TOPOLOGY: Topology = Topology::new("test", &[(SERVICE, &[APPLIED, OTHER, FAILING, PANICKING])]);
/// An event type that no service consumes.
pub const UNROUTED: &str = "test.Unrouted";
const SERVICE: &str = "subscriber";

fn broker_url() -> String {
    std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned())
}

pub struct TestBroker {
    pub process: Process,
    channel: Channel,
    broker: Broker,
    prefix: String,
    connection: Connection,
}

impl TestBroker {
    pub async fn new() -> Self {
        Self::behind(&broker_url()).await
    }

    /// Host and port of the broker.
    pub fn address() -> String {
        let url = broker_url();
        let address = url.trim_start_matches("amqp://");
        address.split('/').next().unwrap().to_owned()
    }

    /// Creates a process that reaches the broker at another URL than the test.
    pub async fn behind(process_url: &str) -> Self {
        let url = broker_url();
        let prefix = testing::unique_name();
        let detached = Process::detached(SERVICE);
        let process = Process {
            source: detached
                .source
                .clone()
                .with("amqp_url", process_url)
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

    /// Binds the service's queue to another event type, as a newer release does.
    pub async fn bind(&self, event_type: &str) {
        self.channel
            .queue_bind(
                self.broker.queue(SERVICE),
                self.broker.exchange(),
                event_type.into(),
                QueueBindOptions::default(),
                FieldTable::default(),
            )
            .await
            .unwrap();
    }

    /// Connects and declares the queues, as each process does before it publishes.
    pub async fn declare(&self) -> Connection {
        self.broker.connect().await.unwrap()
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

    /// Waits until the dead-letter queue has this number of messages.
    pub async fn wait_for_dead_letters(&self, expected: u32) {
        let reached = async {
            let dead = self.broker.dead_letter_queue(SERVICE);
            while self.length(dead.clone()).await != expected {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), reached)
            .await
            .unwrap();
    }

    async fn length(&self, queue: ShortString) -> u32 {
        let passive = QueueDeclareOptions {
            passive: true,
            ..Default::default()
        };
        let declared = self.channel.queue_declare(queue, passive, FieldTable::default());
        declared.await.unwrap().message_count()
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

    /// Removes the messages of the service's queue and returns their event types.
    pub async fn queued(&self) -> Vec<String> {
        self.take_all(self.broker.queue(SERVICE).as_str()).await
    }

    /// Removes the next message of the service's queue and of the queue for unrouted events, and returns their delivery modes.
    pub async fn delivery_modes(&self) -> [Option<u8>; 2] {
        let mode = async |queue: &str| {
            let options = BasicGetOptions { no_ack: true };
            let message = self.channel.basic_get(queue.into(), options).await.unwrap();
            *message.unwrap().properties.delivery_mode()
        };
        [
            mode(self.broker.queue(SERVICE).as_str()).await,
            mode(&self.unrouted_queue()).await,
        ]
    }

    /// Removes the messages of the queue for unrouted events and returns their event types.
    pub async fn unrouted(&self) -> Vec<String> {
        self.take_all(&self.unrouted_queue()).await
    }

    async fn take_all(&self, queue: &str) -> Vec<String> {
        let mut event_types = Vec::new();
        let options = BasicGetOptions { no_ack: true };
        while let Some(message) = self.channel.basic_get(queue.into(), options).await.unwrap() {
            event_types.push(message.routing_key.as_str().to_owned());
        }
        event_types
    }

    pub async fn delete_unrouted_queue(&self) {
        self.delete_queue(&self.unrouted_queue()).await;
    }

    /// Adds a full queue for an event type: it rejects what is published to it.
    pub async fn add_full_queue(&self, event_type: &str) {
        let mut arguments = FieldTable::default();
        arguments.insert("x-max-length".into(), AMQPValue::LongInt(0));
        arguments.insert(
            "x-overflow".into(),
            AMQPValue::LongString("reject-publish".into()),
        );
        let queue = self.full_queue();
        let options = QueueDeclareOptions::default();
        self.channel
            .queue_declare(queue.as_str().into(), options, arguments)
            .await
            .unwrap();
        self.channel
            .queue_bind(
                queue.as_str().into(),
                self.broker.exchange(),
                event_type.into(),
                QueueBindOptions::default(),
                FieldTable::default(),
            )
            .await
            .unwrap();
    }

    pub async fn delete_full_queue(&self) {
        self.delete_queue(&self.full_queue()).await;
    }

    fn full_queue(&self) -> String {
        format!("{}.full", self.prefix)
    }

    /// Removes the unrouted messages that a service consumes and returns their event types.
    pub async fn unrouted_consumed(&self) -> Vec<String> {
        self.take_all(self.broker.unrouted_consumed().as_str()).await
    }

    fn unrouted_queue(&self) -> String {
        format!("{}.unrouted", self.prefix)
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

    /// Shuts the process down.
    pub async fn stop(&self) {
        self.process.shutdown.cancel();
        self.process.tasks.close();
        self.process.tasks.wait().await;
    }

    /// Shuts the process down and deletes all queues and exchanges.
    pub async fn clean_up(self) {
        self.stop().await;
        self.delete_queue(self.broker.queue(SERVICE).as_str()).await;
        self.delete_queue(self.broker.dead_letter_queue(SERVICE).as_str())
            .await;
        self.delete_unrouted_queue().await;
        self.delete_queue(self.broker.unrouted_consumed().as_str()).await;
        self.channel
            .exchange_delete(self.broker.unrouted_consumed(), ExchangeDeleteOptions::default())
            .await
            .unwrap();
        self.channel
            .exchange_delete(self.broker.exchange(), ExchangeDeleteOptions::default())
            .await
            .unwrap();
        self.channel
            .exchange_delete(self.unrouted_queue().into(), ExchangeDeleteOptions::default())
            .await
            .unwrap();
    }
}
