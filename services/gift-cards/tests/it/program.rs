//! Runs the service as a process that is killed at fault points.

use std::{
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient},
};
use proto::giftcards::v1::gift_cards_client::GiftCardsClient;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::{TcpListener, TcpStream};
use types::{ConsumerId, SessionId};

use crate::harness::{CALLER_SECRET, Harness, SECRET, at};

pub struct Program {
    database_url: String,
    services_url: String,
    listen: SocketAddr,
    process: Option<Child>,
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Program {
    pub async fn new(harness: &Harness) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self {
            database_url: harness.database_url().expose_secret().to_owned(),
            services_url: harness.services.url(),
            listen: listener.local_addr().unwrap(),
            process: None,
        }
    }

    /// Starts `serve` without a broker. The process is killed when it reaches `fault_point`. A saga's lease is short, so that
    /// recovery takes over soon.
    pub async fn serve(&mut self, fault_point: Option<&str>) {
        self.kill();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gift-cards"));
        command
            .arg("serve")
            .env("GIFT_CARDS_DATABASE_URL", &self.database_url)
            .env("ACCOUNTS_ADDRESS", &self.services_url)
            .env("PAYMENTS_ADDRESS", &self.services_url)
            .env("STORES_ADDRESS", &self.services_url)
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("GIFT_CARDS_SECRET", SECRET)
            .env("PURCHASE_SAGA_SECONDS", "3")
            .env("AMQP_URL", "amqp://127.0.0.1:1")
            .env("LISTEN", self.listen.to_string())
            .env("RUST_LOG", "error")
            .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
            .env_remove("METRICS_LISTEN")
            .env_remove("FAULT_POINT")
            .stdout(Stdio::null());
        if let Some(fault_point) = fault_point {
            command.env("FAULT_POINT", fault_point);
        }
        self.process = Some(command.spawn().unwrap());
        for _ in 0..800 {
            if TcpStream::connect(self.listen).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program did not start");
    }

    pub fn client(&self, consumer_id: ConsumerId) -> GiftCardsClient<ClientChannel> {
        let key = CallerKey::new(&SecretString::from(CALLER_SECRET)).unwrap();
        let address = format!("http://{}", self.listen);
        let client = GrpcClient::new(Caller::from_service("gateway"), "gift-cards", &address, key).unwrap();
        let session = SessionId::new(at());
        GiftCardsClient::new(client.as_caller(Caller::Consumer {
            id: consumer_id,
            session,
        }))
    }

    /// Waits until the process has been aborted.
    pub async fn wait_for_exit(&mut self) {
        for _ in 0..800 {
            let process = self.process.as_mut().unwrap();
            if process.try_wait().unwrap().is_some() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the program is still running");
    }

    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
