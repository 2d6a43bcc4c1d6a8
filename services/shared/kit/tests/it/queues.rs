//! Names of our own on a shared broker, and what is published there.

use std::time::Duration;

use kit::{lifecycle::Process, messaging::Broker};
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{
        BasicGetOptions, BasicPublishOptions, ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions,
    },
    types::FieldTable,
};
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

/// The service whose queue is consumed here.
pub const SERVICE: &str = "rewards";

pub struct Queues {
    pub process: Process,
    pub channel: Channel,
    broker: Broker,
    prefix: String,
    connection: Connection,
}

impl Queues {
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
        let broker = Broker::from_config(&process).unwrap();
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

    /// Publishes an event without a body.
    pub async fn publish(&self, kind: &str) {
        self.publish_as(EventId::new(SystemClock.now()), kind).await;
    }

    /// Publishes an event of this id.
    pub async fn publish_as(&self, id: EventId, kind: &str) {
        let properties = BasicProperties::default()
            .with_message_id(id.uuid().to_string().into())
            .with_type(kind.into());
        self.channel
            .basic_publish(
                self.broker.exchange(),
                kind.into(),
                BasicPublishOptions::default(),
                &[],
                properties,
            )
            .await
            .unwrap()
            .await
            .unwrap();
    }

    /// The next event among the dead letters, once there is one.
    pub async fn dead_letter(&self) -> EventId {
        let queue = self.broker.dead_letters(SERVICE);
        let found = async {
            loop {
                let next = self
                    .channel
                    .basic_get(queue.clone(), BasicGetOptions { no_ack: true });
                if let Some(letter) = next.await.unwrap() {
                    let id = letter.properties.message_id().clone().unwrap();
                    return EventId::from_uuid(Uuid::parse_str(id.as_str()).unwrap());
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), found)
            .await
            .unwrap()
    }

    /// Until the queue is consumed.
    pub async fn declared(&self) {
        let declared = async {
            while !self.is_declared().await {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), declared)
            .await
            .unwrap();
    }

    /// Asked on a channel of its own: a no ends it.
    async fn is_declared(&self) -> bool {
        let passive = QueueDeclareOptions {
            passive: true,
            ..Default::default()
        };
        let channel = self.connection.create_channel().await.unwrap();
        let found = channel
            .queue_declare(self.broker.queue(SERVICE), passive, FieldTable::default())
            .await;
        found.is_ok_and(|queue| queue.consumer_count() > 0)
    }

    /// Deletes the queue that is consumed: the broker ends its consumer.
    pub async fn delete_own(&self) {
        self.delete(self.broker.queue(SERVICE).as_str()).await;
    }

    async fn delete(&self, queue: &str) {
        self.channel
            .queue_delete(queue.into(), QueueDeleteOptions::default())
            .await
            .unwrap();
    }

    /// Stops what runs and takes everything off the broker.
    pub async fn clear(self) {
        self.process.shutdown.cancel();
        self.process.tasks.close();
        self.process.tasks.wait().await;
        for &(service, _) in proto::topology::CONSUMERS {
            self.delete(self.broker.queue(service).as_str()).await;
            self.delete(self.broker.dead_letters(service).as_str()).await;
        }
        self.delete(&format!("{}.unheard", self.prefix)).await;
        self.channel
            .exchange_delete(self.broker.exchange(), ExchangeDeleteOptions::default())
            .await
            .unwrap();
    }
}
