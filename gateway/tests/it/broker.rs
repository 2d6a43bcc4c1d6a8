//! A broker with separate exchanges and queues for one test.

use kit::lifecycle::Process;
use kit::messaging::{Broker, Topology};
use lapin::options::{BasicPublishOptions, ExchangeDeleteOptions, QueueDeleteOptions};
use lapin::{BasicProperties, Channel, Connection};
use proto::events::Event;
use proto::topology::{CONSUMERS, PREFIX};

use crate::harness::new_token;

pub struct TestBroker {
    pub url: String,
    /// Value of `BROKER_PREFIX`.
    pub prefix: String,
    broker: Broker,
    channel: Channel,
    _connection: Connection,
}

impl TestBroker {
    /// Declares the exchanges and queues, as the services do before the gateway receives their events.
    pub async fn connect() -> Self {
        let url = std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned());
        let prefix = format!("gateway-test-{}", new_token());
        let detached = Process::detached("test");
        let source = detached.source.clone();
        let process = Process {
            source: source.with("amqp_url", &url).with("broker_prefix", &prefix),
            ..detached
        };
        let broker = Broker::from_config(&process, Topology::new(PREFIX, CONSUMERS)).unwrap();
        let connection = broker.connect().await.unwrap();
        Self {
            url,
            prefix,
            broker,
            channel: connection.create_channel().await.unwrap(),
            _connection: connection,
        }
    }

    pub fn settings(&self) -> [(&str, &str); 2] {
        [("AMQP_URL", &self.url), ("BROKER_PREFIX", &self.prefix)]
    }

    /// Publishes an event. Before the gateway has bound its queue, the gateway does not receive it.
    pub async fn publish(&self, event: &impl Event) {
        let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
        self.channel
            .basic_publish(
                self.broker.exchange(),
                event.event_type().into(),
                options,
                &event.encode_to_vec(),
                properties,
            )
            .await
            .unwrap();
    }

    /// Deletes the exchanges and queues. Call it after the gateway has stopped.
    pub async fn delete_topology(self) {
        let (channel, prefix) = (&self.channel, &self.prefix);
        let queues = CONSUMERS
            .iter()
            .flat_map(|(service, _)| [format!("{prefix}.{service}"), format!("{prefix}.{service}.dead")]);
        for queue in queues.chain([
            format!("{prefix}.unrouted"),
            format!("{prefix}.unrouted.consumed"),
        ]) {
            channel
                .queue_delete(queue.as_str().into(), QueueDeleteOptions::default())
                .await
                .unwrap();
        }
        let exchanges = ["events.v2", "unrouted", "unrouted.consumed"];
        for exchange in exchanges.map(|name| format!("{prefix}.{name}")) {
            channel
                .exchange_delete(exchange.as_str().into(), ExchangeDeleteOptions::default())
                .await
                .unwrap();
        }
    }
}
