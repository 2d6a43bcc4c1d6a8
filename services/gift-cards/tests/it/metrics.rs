//! Metrics of a running process, as Prometheus reads them.

use std::{
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use callers::Caller;
use kit::{caller::CallerKey, grpc::GrpcClient};
use proto::giftcards::v1::gift_cards_client::GiftCardsClient;
use secrecy::{ExposeSecret, SecretString};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};

use crate::harness::{CALLER_SECRET, Harness, SECRET, hold_request, new_order};

struct Program {
    listen: SocketAddr,
    metrics_listen: SocketAddr,
    process: Child,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap()
}

impl Program {
    /// Starts the service without a broker, so that its events stay in the outbox.
    async fn serve(database_url: &SecretString) -> Self {
        let (listen, metrics_listen) = (free_address().await, free_address().await);
        let process = Command::new(env!("CARGO_BIN_EXE_gift-cards"))
            .arg("serve")
            .env("GIFT_CARDS_DATABASE_URL", database_url.expose_secret())
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("GIFT_CARDS_SECRET", SECRET)
            .env("AMQP_URL", "amqp://127.0.0.1:1")
            .env("LISTEN", listen.to_string())
            .env("METRICS_LISTEN", metrics_listen.to_string())
            .env("RUST_LOG", "error")
            .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let program = Self {
            listen,
            metrics_listen,
            process,
        };
        let started = async {
            while TcpStream::connect(program.listen).await.is_err() {
                sleep(Duration::from_millis(25)).await;
            }
        };
        timeout(Duration::from_secs(20), started).await.unwrap();
        program
    }

    async fn hold_value(&self, request: proto::giftcards::v1::HoldValueRequest) {
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        let address = format!("http://{}", self.listen);
        let client = GrpcClient::new(Caller::from_service("ordering"), "gift-cards", &address, key).unwrap();
        let mut client = GiftCardsClient::new(client.as_service());
        client.hold_value(request).await.unwrap();
    }

    async fn metrics(&self) -> String {
        let mut stream = TcpStream::connect(self.metrics_listen).await.unwrap();
        let request = b"GET /metrics HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    }

    /// Waits until a line starts with this text.
    async fn wait_for_metric(&self, line: &str) {
        let found = async {
            while !self.metrics().await.lines().any(|text| text.starts_with(line)) {
                sleep(Duration::from_millis(200)).await;
            }
        };
        let is_found = timeout(Duration::from_secs(20), found).await.is_ok();
        assert!(is_found, "{line} not found in {}", self.metrics().await);
    }
}

#[tokio::test]
async fn a_process_serves_its_metrics() {
    let harness = Harness::start().await;
    let consumer_id = harness.consumer_with(500).await;
    let program = Program::serve(harness.database_url()).await;
    program
        .hold_value(hold_request(new_order(), consumer_id, 300))
        .await;

    for line in [
        r#"rpc_server_call_duration_seconds_count{rpc_method="orderahead.giftcards.v1.GiftCards/HoldValue",rpc_response_status_code="OK"} 1"#,
        "outbox_events 1",
        "outbox_oldest_age_seconds ",
        r#"db_client_connection_count{db_client_connection_state="idle"} "#,
        r#"db_client_connection_count{db_client_connection_state="used"} "#,
        "db_client_connection_max 10",
        r#"ledger_audit_runs_total{result="consistent"} 1"#,
        "ledger_audit_findings 0",
    ] {
        program.wait_for_metric(line).await;
    }
    let metrics = program.metrics().await;
    assert!(!metrics.contains(&consumer_id.to_string()), "{metrics}");
    drop(program);
    harness.close().await;
}
