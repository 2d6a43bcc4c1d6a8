//! The broker's topology: declared whole by every process before it publishes, since a publish to an exchange without a
//! bound queue is confirmed and gone.

use lapin::{
    Channel, Connection, ConnectionProperties, ExchangeKind,
    options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable, ShortString},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use crate::lifecycle::Process;

/// Who consumes which facts: `(service, kinds)`. Stands beside the contracts, in `proto::topology`.
pub type Topology = &'static [(&'static str, &'static [&'static str])];

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default = "usual_url")]
    amqp_url: SecretString,
    /// What names start with, so that several systems can share a broker.
    #[serde(default = "usual_prefix")]
    broker_prefix: String,
}

fn usual_url() -> SecretString {
    SecretString::from("amqp://127.0.0.1:7172")
}

fn usual_prefix() -> String {
    "orderahead".to_owned()
}

/// How to reach the broker, and what our names on it are.
#[derive(Debug, Clone)]
pub struct Broker {
    url: SecretString,
    prefix: String,
    name: &'static str,
}

impl Broker {
    /// The broker that `AMQP_URL` and `BROKER_PREFIX` name.
    ///
    /// # Errors
    /// A bad setting.
    pub fn from_config(process: &Process) -> anyhow::Result<Self> {
        let config: Config = process.source.read()?;
        Ok(Self {
            url: config.amqp_url,
            prefix: config.broker_prefix,
            name: process.name,
        })
    }

    /// Connects and declares the whole topology.
    ///
    /// # Errors
    /// The broker is away, or something stands there that was declared otherwise.
    pub async fn connect(&self) -> anyhow::Result<Connection> {
        let options = ConnectionProperties::default().with_connection_name(self.name.into());
        let connecting = Connection::connect(self.url.expose_secret(), options);
        let connection = tokio::time::timeout(std::time::Duration::from_secs(10), connecting).await??;
        let channel = connection.create_channel().await?;
        self.declare(&channel, proto::topology::CONSUMERS).await?;
        channel.close(200, "declared".into()).await?;
        Ok(connection)
    }

    /// The exchange that every fact is published to.
    #[must_use]
    pub fn exchange(&self) -> ShortString {
        format!("{}.events", self.prefix).into()
    }

    /// The queue of a service.
    #[must_use]
    pub fn queue(&self, service: &str) -> ShortString {
        format!("{}.{service}", self.prefix).into()
    }

    /// Where a service's queue puts what it can make nothing of.
    #[must_use]
    pub fn dead_letters(&self, service: &str) -> ShortString {
        format!("{}.{service}.dead", self.prefix).into()
    }

    async fn declare(&self, channel: &Channel, topology: Topology) -> lapin::Result<()> {
        // Durable: the exchange outlives a restart of the broker.
        let durable = ExchangeDeclareOptions {
            durable: true,
            ..Default::default()
        };
        channel
            .exchange_declare(
                self.exchange(),
                ExchangeKind::Topic,
                durable,
                FieldTable::default(),
            )
            .await?;
        for &(service, kinds) in topology {
            let queue = QueueDeclareOptions {
                durable: true,
                ..Default::default()
            };
            // Quorum: replicated, and the only kind with a delivery limit and at-least-once dead lettering.
            channel
                .queue_declare(self.dead_letters(service), queue, quorum(&[]))
                .await?;
            let arguments = quorum(&[
                ("x-dead-letter-exchange", text("")),
                (
                    "x-dead-letter-routing-key",
                    text(self.dead_letters(service).as_str()),
                ),
                // A dead letter is confirmed by its queue before it leaves this one.
                ("x-dead-letter-strategy", text("at-least-once")),
                // At-least-once dead lettering needs it: a full queue refuses instead of dropping.
                ("x-overflow", text("reject-publish")),
                // Only a backstop: being killed counts as a delivery, and healthy prefetched messages count with it.
                ("x-delivery-limit", AMQPValue::LongInt(50)),
            ]);
            channel
                .queue_declare(self.queue(service), queue, arguments)
                .await?;
            for kind in kinds {
                let bind = QueueBindOptions::default();
                channel
                    .queue_bind(
                        self.queue(service),
                        self.exchange(),
                        (*kind).into(),
                        bind,
                        FieldTable::default(),
                    )
                    .await?;
            }
        }
        // Facts that nobody consumes yet still need a queue, or `mandatory` returns them for ever: each gateway binds its
        // own; this one keeps the newest for whoever wants to look.
        let unheard = format!("{}.unheard", self.prefix);
        let mut arguments = FieldTable::default();
        arguments.insert("x-max-length".into(), AMQPValue::LongInt(1000));
        let queue = QueueDeclareOptions {
            durable: true,
            ..Default::default()
        };
        channel
            .queue_declare(unheard.as_str().into(), queue, arguments)
            .await?;
        let bind = QueueBindOptions::default();
        channel
            .queue_bind(
                unheard.as_str().into(),
                self.exchange(),
                "#".into(),
                bind,
                FieldTable::default(),
            )
            .await
    }
}

fn text(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}

fn quorum(more: &[(&str, AMQPValue)]) -> FieldTable {
    let mut table = FieldTable::default();
    table.insert("x-queue-type".into(), text("quorum"));
    for (name, value) in more {
        table.insert((*name).into(), value.clone());
    }
    table
}
