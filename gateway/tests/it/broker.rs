//! A broker with exchanges and queues of its own for one test.

use lapin::options::{BasicPublishOptions, ExchangeDeleteOptions, QueueDeleteOptions};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use proto::events::Event;

use crate::harness::new_token;

pub struct TestBroker {
    pub url: String,
    /// Value of `BROKER_PREFIX`.
    pub prefix: String,
    connection: Connection,
}

impl TestBroker {
    pub async fn connect() -> Self {
        let url = std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned());
        let connection = Connection::connect(&url, ConnectionProperties::default())
            .await
            .unwrap();
        Self {
            prefix: format!("gateway-test-{}", new_token()),
            url,
            connection,
        }
    }

    pub fn settings(&self) -> [(&str, &str); 2] {
        [("AMQP_URL", &self.url), ("BROKER_PREFIX", &self.prefix)]
    }

    /// Publishes an event. Before the gateway has declared the exchange, the event is lost and the broker closes the
    /// channel, so each event has its own.
    pub async fn publish(&self, event: &impl Event) {
        let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
        self.channel()
            .await
            .basic_publish(
                self.exchange().as_str().into(),
                event.event_type().into(),
                options,
                &event.encode_to_vec(),
                properties,
            )
            .await
            .unwrap();
    }

    async fn channel(&self) -> Channel {
        self.connection.create_channel().await.unwrap()
    }

    fn exchange(&self) -> String {
        format!("{}.events.v2", self.prefix)
    }

    /// Deletes everything that the gateway declared. Call it after the gateway has stopped.
    pub async fn delete_topology(self) {
        let (channel, prefix) = (self.channel().await, &self.prefix);
        let queues = proto::topology::CONSUMERS
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
