//! Starts the gateway for one test, with a client that sends the headers of the app.

use std::net::TcpListener;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use proto::accounts::v1::{GetSessionRequest, Session};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;

use crate::fake_services::{CALLER_SECRET, FakeServices};

pub const CONSUMER: &str = "usr_01h455vb4pex5vsknk084sn02q";
pub const SESSION: &str = "ses_01h455vb4pex5vsknk084sn02q";
pub const ORIGIN: &str = "https://app.example.com";

pub struct Gateway {
    pub url: String,
    pub client: reqwest::Client,
    process: Child,
    /// Each test has its own client address, because sign-in calls are limited per address.
    address: String,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

pub fn redis_url() -> String {
    std::env::var("TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:7279".to_owned())
}

impl Gateway {
    pub async fn start(services: &FakeServices) -> Self {
        Self::start_with(services, &[]).await
    }

    /// Starts with additional settings. By default the broker is unavailable.
    pub async fn start_with(services: &FakeServices, settings: &[(&str, &str)]) -> Self {
        let listen = unused_address();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
        command
            .arg("serve")
            .env("LISTEN", &listen)
            .env("CALLER_SECRET", CALLER_SECRET)
            .env("PUBLIC_ORIGIN", ORIGIN);
        command
            .env("REDIS_URL", redis_url())
            .env("AMQP_URL", "amqp://127.0.0.1:1")
            .env("RUST_LOG", "off");
        command
            .env("TRUSTED_PROXIES", "127.0.0.1")
            .env("WEB_DIST", "/nowhere");
        for service in [
            "ACCOUNTS",
            "STORES",
            "ORDERING",
            "PAYMENTS",
            "GIFT_CARDS",
            "REWARDS",
        ] {
            command.env(
                format!("{service}_ADDRESS"),
                format!("http://{}", services.address),
            );
        }
        let process = command.envs(settings.iter().copied()).spawn().unwrap();
        kit::tls::install_provider();
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(20))
            .build()
            .unwrap();
        let gateway = Self {
            url: format!("http://{listen}"),
            client,
            process,
            address: unique_address(),
        };
        for _ in 0..200 {
            if gateway
                .client
                .get(format!("{}/health/ready", gateway.url))
                .send()
                .await
                .is_ok()
            {
                return gateway;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the gateway did not start");
    }

    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Returns whether the process exited with success, or `None` while it runs.
    pub fn exit_success(&mut self) -> Option<bool> {
        self.process.try_wait().unwrap().map(|status| status.success())
    }

    /// Creates a request with the headers of the app and without a session.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        request
            .header("origin", ORIGIN)
            .header("x-correlation-id", "test-1")
            .header("x-forwarded-for", &self.address)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, path).json(body)
    }
}

/// Returns an address on which no process listens.
pub fn unused_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

fn unique_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    format!("10.{}.{}.{}", (process >> 8) % 256, process % 256, next + 1)
}

/// Returns a session token that no other test or run has used.
pub fn new_token() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Makes accounts return [`CONSUMER`] for every session token.
pub fn accept_all_sessions(services: &FakeServices) {
    accept_all_sessions_as(services, CONSUMER);
}

pub fn accept_all_sessions_as(services: &FakeServices, consumer: &str) {
    let consumer_id = consumer.to_owned();
    services.on("GetSession", move |_: GetSessionRequest| {
        Ok(Session {
            consumer_id: consumer_id.clone(),
            session_id: SESSION.to_owned(),
            ..Default::default()
        })
    });
}

pub trait WithSession {
    /// Adds the session cookie.
    fn with_session(self, token: &str) -> Self;
}

impl WithSession for RequestBuilder {
    fn with_session(self, token: &str) -> Self {
        self.header("cookie", format!("session={token}"))
    }
}

pub async fn status_and_body(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, response.json().await.unwrap())
}
