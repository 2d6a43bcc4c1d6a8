//! Connection to RabbitMQ and declaration of exchanges and queues.

use std::time::Duration;

use lapin::{
    Channel, Connection, ConnectionProperties, ExchangeKind,
    options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable, ShortString},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::Topology;
use crate::lifecycle::Process;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Number of deliveries after which a message is dead-lettered. Only a backstop: consumers retry while they hold the
/// delivery, and each killed process counts as a delivery of every message that it had prefetched.
const DELIVERY_LIMIT: i32 = 50;

/// Number of messages that the catch-all queue keeps.
const CATCH_ALL_LENGTH: i32 = 1000;

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default = "default_url")]
    amqp_url: SecretString,
    /// Overrides the prefix of the topology, so that several systems can share a broker.
    broker_prefix: Option<String>,
}

fn default_url() -> SecretString {
    SecretString::from("amqp://127.0.0.1:7172")
}

/// Address of the broker, and the exchange and queues to declare there.
#[derive(Debug, Clone)]
pub struct Broker {
    url: SecretString,
    connection_name: &'static str,
    prefix: String,
    topology: Topology,
}

impl Broker {
    /// Reads the settings `AMQP_URL` and `BROKER_PREFIX`.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn from_config(process: &Process, topology: Topology) -> anyhow::Result<Self> {
        let config: Config = process.source.read()?;
        Ok(Self {
            url: config.amqp_url,
            connection_name: process.name,
            prefix: config.broker_prefix.unwrap_or_else(|| topology.prefix.to_owned()),
            topology,
        })
    }

    /// Connects and declares the whole topology. Every process declares all of it before it publishes, because a publish
    /// to an exchange without bound queues is confirmed and lost.
    ///
    /// # Errors
    /// The broker is unreachable, or a queue exists with different arguments.
    pub async fn connect(&self) -> anyhow::Result<Connection> {
        let options = ConnectionProperties::default().with_connection_name(self.connection_name.into());
        let connect = Connection::connect(self.url.expose_secret(), options);
        let connection = tokio::time::timeout(CONNECT_TIMEOUT, connect).await??;
        let channel = connection.create_channel().await?;
        self.declare(&channel).await?;
        channel.close(200, "declared".into()).await?;
        Ok(connection)
    }

    /// Name of the exchange that all events are published to.
    #[must_use]
    pub fn exchange(&self) -> ShortString {
        format!("{}.events", self.prefix).into()
    }

    /// Name of a service's queue.
    #[must_use]
    pub fn queue(&self, service: &str) -> ShortString {
        format!("{}.{service}", self.prefix).into()
    }

    /// Name of a service's dead-letter queue.
    #[must_use]
    pub fn dead_letter_queue(&self, service: &str) -> ShortString {
        format!("{}.{service}.dead", self.prefix).into()
    }

    fn catch_all_queue(&self) -> ShortString {
        format!("{}.unrouted", self.prefix).into()
    }

    async fn declare(&self, channel: &Channel) -> lapin::Result<()> {
        // Durable: survives a restart of the broker.
        let options = ExchangeDeclareOptions {
            durable: true,
            ..Default::default()
        };
        channel
            .exchange_declare(
                self.exchange(),
                ExchangeKind::Topic,
                options,
                FieldTable::default(),
            )
            .await?;
        for &(service, event_types) in self.topology.consumers {
            self.declare_consumer(channel, service, event_types).await?;
        }
        self.declare_catch_all(channel).await
    }

    async fn declare_consumer(
        &self,
        channel: &Channel,
        service: &str,
        event_types: &[&str],
    ) -> lapin::Result<()> {
        let (queue, dead_letter_queue) = (self.queue(service), self.dead_letter_queue(service));
        // Quorum: replicated, and the only queue type with a delivery limit and at-least-once dead lettering.
        let quorum = [("x-queue-type", string("quorum"))];
        declare_queue(channel, &dead_letter_queue, &quorum).await?;
        let arguments = [
            ("x-queue-type", string("quorum")),
            // Dead letters go to their queue directly, through the default exchange.
            ("x-dead-letter-exchange", string("")),
            ("x-dead-letter-routing-key", string(dead_letter_queue.as_str())),
            // Removes a dead letter from this queue only after the dead-letter queue has confirmed it.
            ("x-dead-letter-strategy", string("at-least-once")),
            // Required by at-least-once dead lettering: a full queue rejects publishes instead of dropping messages.
            ("x-overflow", string("reject-publish")),
            ("x-delivery-limit", AMQPValue::LongInt(DELIVERY_LIMIT)),
        ];
        declare_queue(channel, &queue, &arguments).await?;
        for event_type in event_types {
            self.bind(channel, &queue, event_type).await?;
        }
        Ok(())
    }

    /// Declares a queue that is bound to every event and keeps the newest ones. Without it, `mandatory` publishes of
    /// event types that no service consumes would be returned and retried forever.
    async fn declare_catch_all(&self, channel: &Channel) -> lapin::Result<()> {
        let queue = self.catch_all_queue();
        let arguments = [("x-max-length", AMQPValue::LongInt(CATCH_ALL_LENGTH))];
        declare_queue(channel, &queue, &arguments).await?;
        self.bind(channel, &queue, "#").await
    }

    async fn bind(&self, channel: &Channel, queue: &ShortString, routing_key: &str) -> lapin::Result<()> {
        let options = QueueBindOptions::default();
        channel
            .queue_bind(
                queue.clone(),
                self.exchange(),
                routing_key.into(),
                options,
                FieldTable::default(),
            )
            .await
    }
}

/// Declares a queue that survives a restart of the broker.
async fn declare_queue(
    channel: &Channel,
    queue: &ShortString,
    arguments: &[(&str, AMQPValue)],
) -> lapin::Result<()> {
    let options = QueueDeclareOptions {
        durable: true,
        ..Default::default()
    };
    let mut table = FieldTable::default();
    for (name, value) in arguments {
        table.insert((*name).into(), value.clone());
    }
    channel.queue_declare(queue.clone(), options, table).await?;
    Ok(())
}

fn string(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}
