//! Connection to RabbitMQ and declaration of exchanges and queues.

use std::time::Duration;

use lapin::{
    Channel, Connection, ConnectionProperties, ExchangeKind,
    options::{ExchangeBindOptions, ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable, ShortString},
    uri::AMQPUri,
};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::Topology;
use crate::lifecycle::Process;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum size of a frame. The client has two buffers of 32 frames for each connection, which took 8 MB with the default of the
/// broker. Events are smaller than a frame; larger ones are divided.
const FRAME_BYTES: u32 = 16 * 1024;

/// Number of deliveries after which a message is dead-lettered. Only a backstop: consumers retry while they hold the
/// delivery, and each killed process counts as a delivery of every message that it had prefetched.
const DELIVERY_LIMIT: i32 = 50;

/// Maximum length of the queue of unrouted messages. The newest ones are kept.
const UNROUTED_LENGTH: i32 = 1000;

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

/// Parses the address. The error does not contain it, because it contains the password.
fn parse_url(url: &SecretString) -> anyhow::Result<AMQPUri> {
    url.expose_secret().parse().map_err(|_: String| {
        anyhow::anyhow!("bad configuration: AMQP_URL: expected amqp://user:password@host:port")
    })
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
        parse_url(&config.amqp_url)?;
        Ok(Self {
            url: config.amqp_url,
            connection_name: process.name,
            prefix: config.broker_prefix.unwrap_or_else(|| topology.prefix.to_owned()),
            topology,
        })
    }

    /// Connects and declares the whole topology. Every process declares all of it before it publishes, because events
    /// that are published before their queue is bound are unrouted.
    ///
    /// # Errors
    /// The broker is unreachable, or an exchange or a queue exists with different arguments.
    pub async fn connect(&self) -> anyhow::Result<Connection> {
        let options = ConnectionProperties::default().with_connection_name(self.connection_name.into());
        let mut uri = parse_url(&self.url)?;
        uri.query.frame_max.get_or_insert(FRAME_BYTES);
        let connect = Connection::connect_uri(uri, options);
        let connection = tokio::time::timeout(CONNECT_TIMEOUT, connect).await??;
        let channel = connection.create_channel().await?;
        self.declare(&channel).await?;
        channel.close(200, "declared".into()).await?;
        Ok(connection)
    }

    /// Name of the exchange that all events are published to. Not `{prefix}.events`: previous releases declared that
    /// exchange without an alternate exchange, and the broker cannot change the arguments of an exchange.
    #[must_use]
    pub fn exchange(&self) -> ShortString {
        format!("{}.events.v2", self.prefix).into()
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

    /// Name of the alternate exchange and of its queue, for events that no queue is bound to.
    #[must_use]
    pub fn unrouted(&self) -> ShortString {
        format!("{}.unrouted", self.prefix).into()
    }

    /// Name of the exchange and of the queue for unrouted events of types that a service consumes.
    #[must_use]
    pub fn unrouted_consumed(&self) -> ShortString {
        format!("{}.unrouted.consumed", self.prefix).into()
    }

    pub(super) fn has_consumer(&self, service: &str) -> bool {
        self.topology
            .consumers
            .iter()
            .any(|(consumer, _)| *consumer == service)
    }

    /// Returns the event types that the queue of a service is bound to.
    pub(super) fn consumed_by(&self, service: &str) -> &'static [&'static str] {
        let mut consumers = self.topology.consumers.iter();
        let consumer = consumers.find(|(consumer, _)| *consumer == service);
        consumer.map_or(&[], |(_, event_types)| event_types)
    }

    /// Returns whether a service consumes events of this type.
    pub(super) fn is_consumed(&self, event_type: &str) -> bool {
        let mut consumed = self.topology.consumers.iter().flat_map(|(_, types)| *types);
        consumed.any(|consumed| *consumed == event_type)
    }

    async fn declare(&self, channel: &Channel) -> lapin::Result<()> {
        // Declared before the exchange that refers to it.
        self.declare_unrouted(channel).await?;
        let alternate = [("alternate-exchange", string(self.unrouted().as_str()))];
        declare_exchange(channel, self.exchange(), ExchangeKind::Topic, &alternate).await?;
        for &(service, event_types) in self.topology.consumers {
            self.declare_consumer(channel, service, event_types).await?;
        }
        Ok(())
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
            bind(channel, &queue, self.exchange(), event_type).await?;
        }
        Ok(())
    }

    /// Declares the alternate exchange, which receives the events that no queue is bound to, and its queue, which keeps
    /// the newest ones. Without it, `mandatory` publishes of event types that no service consumes would be returned and
    /// retried forever.
    async fn declare_unrouted(&self, channel: &Channel) -> lapin::Result<()> {
        let unrouted = self.unrouted();
        declare_exchange(channel, unrouted.clone(), ExchangeKind::Fanout, &[]).await?;
        let arguments = [("x-max-length", AMQPValue::LongInt(UNROUTED_LENGTH))];
        declare_queue(channel, &unrouted, &arguments).await?;
        bind(channel, &unrouted, unrouted.clone(), "").await?;
        self.declare_unrouted_consumed(channel).await
    }

    /// Declares the queue for unrouted events that a service consumes. In the queue of all unrouted events, events that
    /// no service consumes would displace them. A second exchange selects them by event type, because a fanout exchange
    /// cannot.
    async fn declare_unrouted_consumed(&self, channel: &Channel) -> lapin::Result<()> {
        let name = self.unrouted_consumed();
        declare_exchange(channel, name.clone(), ExchangeKind::Direct, &[]).await?;
        // Quorum: replicated, because these events must be replayed.
        declare_queue(channel, &name, &[("x-queue-type", string("quorum"))]).await?;
        for event_type in self.topology.consumers.iter().flat_map(|(_, types)| *types) {
            bind(channel, &name, name.clone(), event_type).await?;
        }
        channel
            .exchange_bind(
                name,
                self.unrouted(),
                "".into(),
                ExchangeBindOptions::default(),
                FieldTable::default(),
            )
            .await
    }
}

async fn bind(
    channel: &Channel,
    queue: &ShortString,
    exchange: ShortString,
    routing_key: &str,
) -> lapin::Result<()> {
    channel
        .queue_bind(
            queue.clone(),
            exchange,
            routing_key.into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        )
        .await
}

/// Declares an exchange that survives a restart of the broker.
async fn declare_exchange(
    channel: &Channel,
    exchange: ShortString,
    kind: ExchangeKind,
    arguments: &[(&str, AMQPValue)],
) -> lapin::Result<()> {
    let options = ExchangeDeclareOptions {
        durable: true,
        ..Default::default()
    };
    channel
        .exchange_declare(exchange, kind, options, table(arguments))
        .await
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
    channel
        .queue_declare(queue.clone(), options, table(arguments))
        .await?;
    Ok(())
}

fn table(arguments: &[(&str, AMQPValue)]) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in arguments {
        table.insert((*name).into(), value.clone());
    }
    table
}

fn string(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_address_is_reported_without_the_password() {
        for url in [
            "orderahead:secret@broker:5672",
            "http://orderahead:secret@broker",
            "secret",
        ] {
            let error = parse_url(&SecretString::from(url)).unwrap_err().to_string();
            assert!(error.contains("AMQP_URL") && !error.contains("secret"), "{error}");
        }
    }
}
