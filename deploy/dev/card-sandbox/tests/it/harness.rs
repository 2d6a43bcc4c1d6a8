//! Starts a sandbox on a free port, and a server that receives its webhooks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use card_sandbox::config::Config;
use clap::Parser as _;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub const SECRET_KEY: &str = "sk_test_orderahead";
pub const PUBLISHABLE_KEY: &str = "pk_test_orderahead";
pub const WEBHOOK_SECRET: &str = "whsec_orderahead_development";

pub type Fields<'a> = &'a [(&'a str, &'a str)];

/// A running sandbox.
pub struct Sandbox {
    pub origin: String,
    http: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<anyhow::Result<()>>,
}

impl Sandbox {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::parse_from(["card-sandbox"]);
        config.webhook_url = String::new();
        config.webhook_backoff_ms = 10;
        config.settle_after_ms = 3_600_000;
        config.seed = Some(1);
        change(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(card_sandbox::serve(config, listener, async move {
            let _ = stopped.await;
        }));
        Self {
            origin,
            http: reqwest::Client::new(),
            stop: Some(stop),
            serving,
        }
    }

    /// Stops the sandbox as a signal does, and waits for its end.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        tokio::time::timeout(Duration::from_secs(5), &mut self.serving)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
    }

    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.request_as(SECRET_KEY, method, path)
    }

    pub fn request_as(&self, key: &str, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.origin))
            .bearer_auth(key)
    }

    pub async fn post(&self, path: &str, fields: Fields<'_>) -> (u16, Value) {
        send(self.request(reqwest::Method::POST, path).form(fields)).await
    }

    pub async fn post_with_key(&self, key: &str, path: &str, fields: Fields<'_>) -> (u16, Value) {
        send(
            self.request(reqwest::Method::POST, path)
                .header("idempotency-key", key)
                .form(fields),
        )
        .await
    }

    pub async fn as_browser(&self, path: &str, fields: Fields<'_>) -> (u16, Value) {
        send(
            self.request_as(PUBLISHABLE_KEY, reqwest::Method::POST, path)
                .form(fields),
        )
        .await
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        send(self.request(reqwest::Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> (u16, Value) {
        send(self.request(reqwest::Method::DELETE, path)).await
    }

    pub async fn admin(&self, path: &str, body: Value) -> (u16, Value) {
        send(
            self.http
                .post(format!("{}/sandbox/{path}", self.origin))
                .json(&body),
        )
        .await
    }

    pub async fn customer(&self) -> String {
        id(&self.post("/v1/customers", &[("name", "Ada")]).await.1)
    }

    /// Creates a payment method with a card number, as a browser does.
    pub async fn card(&self, number: &str) -> String {
        let (status, method) = self
            .as_browser(
                "/v1/payment_methods",
                &[
                    ("type", "card"),
                    ("card[number]", number),
                    ("card[exp_month]", "12"),
                    ("card[exp_year]", "40"),
                    ("card[cvc]", "123"),
                ],
            )
            .await;
        assert_eq!(status, 200, "{method}");
        id(&method)
    }

    pub async fn saved_card(&self, customer: &str, number: &str) -> String {
        let method = self.card(number).await;
        let (status, _) = self
            .post(
                &format!("/v1/payment_methods/{method}/attach"),
                &[("customer", customer)],
            )
            .await;
        assert_eq!(status, 200);
        method
    }

    /// Creates and confirms a payment of 12.50 dollars.
    pub async fn pay(&self, method: &str, extra: Fields<'_>) -> (u16, Value) {
        let mut fields = vec![
            ("amount", "1250"),
            ("currency", "usd"),
            ("confirm", "true"),
            ("payment_method", method),
        ];
        fields.extend_from_slice(extra);
        self.post("/v1/payment_intents", &fields).await
    }

    pub async fn payment_intent(&self, id: &str) -> Value {
        self.get(&format!("/v1/payment_intents/{id}?expand[]=latest_charge"))
            .await
            .1
    }

    pub async fn count(&self, kind: &str) -> usize {
        self.get("/sandbox/state").await.1[kind]
            .as_array()
            .map_or(0, Vec::len)
    }

    pub async fn fault(&self, fault: Value) {
        assert_eq!(self.admin("faults", fault).await.0, 201);
    }
}

pub fn id(object: &Value) -> String {
    object["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id in {object}"))
        .to_owned()
}

async fn send(request: reqwest::RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body = response.bytes().await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(json!(null)))
}

#[derive(Debug, Clone)]
pub struct Webhook {
    pub signature: String,
    pub body: String,
}

/// Receives webhooks. Responds to the first ones with an error.
#[derive(Debug, Clone, Default)]
pub struct WebhookReceiver {
    received: Arc<Mutex<Vec<Webhook>>>,
    remaining_errors: Arc<Mutex<u32>>,
}

impl WebhookReceiver {
    /// Returns the receiver and its URL.
    pub async fn start(errors: u32) -> (Self, String) {
        let receiver = Self {
            remaining_errors: Arc::new(Mutex::new(errors)),
            ..Self::default()
        };
        let app = Router::new()
            .route("/webhooks", post(receive))
            .with_state(receiver.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/webhooks", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (receiver, url)
    }

    /// Waits until `count` webhooks were received, including those that got an error.
    pub async fn wait_for(&self, count: usize) -> Vec<Webhook> {
        eventually(|| async { Some(self.received.lock().unwrap().clone()).filter(|all| all.len() >= count) })
            .await
    }
}

async fn receive(State(receiver): State<WebhookReceiver>, headers: HeaderMap, body: String) -> StatusCode {
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    receiver
        .received
        .lock()
        .unwrap()
        .push(Webhook { signature, body });
    let mut remaining_errors = receiver.remaining_errors.lock().unwrap();
    if *remaining_errors > 0 {
        *remaining_errors -= 1;
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    StatusCode::OK
}

/// Polls until the result is present; gives up after five seconds.
pub async fn eventually<T, F: Future<Output = Option<T>>>(mut poll: impl FnMut() -> F) -> T {
    for _ in 0..250 {
        if let Some(result) = poll().await {
            return result;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no result within five seconds");
}
