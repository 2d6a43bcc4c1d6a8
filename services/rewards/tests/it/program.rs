//! Runs the service as a process with a broker.

use std::{
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use lapin::options::{ExchangeDeleteOptions, QueueDeleteOptions};
use secrecy::ExposeSecret as _;
use tokio::net::{TcpListener, TcpStream};

use crate::harness::Harness;

const CALLER_SECRET: &str = "a-secret-that-only-these-tests-know";

pub struct Program {
    /// Separates this program's exchanges and queues from those of other tests.
    broker_prefix: String,
    process: Child,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Program {
    /// Starts `serve`, which publishes the outbox of the harness and consumes events.
    pub async fn serve(harness: &Harness) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listen = listener.local_addr().unwrap();
        drop(listener);
        let broker_prefix = testing::unique_name();
        let process = Command::new(env!("CARGO_BIN_EXE_rewards"))
            .arg("serve")
            .env("REWARDS_DATABASE_URL", harness.database_url().expose_secret())
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("AMQP_URL", broker_url())
            .env("BROKER_PREFIX", &broker_prefix)
            .env("LISTEN", listen.to_string())
            .env("RUST_LOG", "warn")
            .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
            .env_remove("METRICS_LISTEN")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let program = Self {
            broker_prefix,
            process,
        };
        wait_until_listening(listen).await;
        program
    }

    /// Stops the process, and deletes the queues and exchanges that it declared.
    pub async fn clean_up(self) {
        let prefix = self.broker_prefix.clone();
        drop(self);
        let broker = lapin::Connection::connect(&broker_url(), lapin::ConnectionProperties::default())
            .await
            .unwrap();
        let channel = broker.create_channel().await.unwrap();
        let queues = proto::topology::CONSUMERS
            .iter()
            .flat_map(|(service, _)| [(*service).to_owned(), format!("{service}.dead")])
            .chain(["unrouted".to_owned(), "unrouted.consumed".to_owned()]);
        for name in queues {
            let queue = format!("{prefix}.{name}");
            channel
                .queue_delete(queue.into(), QueueDeleteOptions::default())
                .await
                .unwrap();
        }
        for name in ["events.v2", "unrouted", "unrouted.consumed"] {
            let exchange = format!("{prefix}.{name}");
            channel
                .exchange_delete(exchange.into(), ExchangeDeleteOptions::default())
                .await
                .unwrap();
        }
        broker.close(200, "done".into()).await.unwrap();
    }
}

async fn wait_until_listening(address: SocketAddr) {
    for _ in 0..800 {
        if TcpStream::connect(address).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the program did not start");
}

fn broker_url() -> String {
    std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned())
}
