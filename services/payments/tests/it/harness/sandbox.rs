//! Runs the card sandbox as a process and records its webhooks.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::development_binary;

pub const SECRET_KEY: &str = "sk_test_payments";
pub const PUBLISHABLE_KEY: &str = "pk_test_payments";
pub const WEBHOOK_SECRET: &str = "whsec_payments";

/// Test payment methods by their behavior.
#[derive(Debug, Clone, Copy)]
pub enum Card {
    Good,
    DeclinesWhenCharged,
    NeedsAuthentication,
    Disputed,
    Bank,
}

#[derive(Debug, Clone)]
pub struct Webhook {
    pub payload: Vec<u8>,
    pub signature: String,
}

pub struct Sandbox {
    pub origin: String,
    http: reqwest::Client,
    webhooks: Arc<Mutex<Vec<Webhook>>>,
    webhook_url: String,
    address: SocketAddr,
    process: Mutex<Child>,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Sandbox {
    pub async fn start() -> Self {
        let webhooks = Arc::new(Mutex::new(Vec::new()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let webhook_url = format!("http://{}/webhooks", listener.local_addr().unwrap());
        let routes = Router::new()
            .route("/webhooks", post(record_webhook))
            .with_state(webhooks.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });

        let address = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap();
        kit::tls::install_provider();
        let sandbox = Self {
            origin: format!("http://{address}"),
            http: reqwest::Client::new(),
            process: Mutex::new(spawn_sandbox(address, &webhook_url)),
            webhooks,
            webhook_url,
            address,
        };
        sandbox.wait_until_healthy().await;
        sandbox
    }

    async fn wait_until_healthy(&self) {
        for _ in 0..1_200 {
            let health = self.http.get(format!("{}/sandbox/health", self.origin));
            if health.send().await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the sandbox did not start");
    }

    fn kill(&self) {
        let mut process = self.process.lock().unwrap();
        let _ = process.kill();
        let _ = process.wait();
    }

    /// Restarts with empty state, as if the configured keys belonged to another account.
    pub async fn restart_empty(&self) {
        self.kill();
        *self.process.lock().unwrap() = spawn_sandbox(self.address, &self.webhook_url);
        self.wait_until_healthy().await;
    }

    /// Deletes all customers, as a person can in the provider's dashboard.
    pub async fn delete_customers(&self) {
        for customer in self.customers().await {
            let path = format!("/v1/customers/{}", customer["id"].as_str().unwrap());
            let request = self.http.delete(format!("{}{path}", self.origin));
            send(request.bearer_auth(SECRET_KEY)).await;
        }
    }

    pub async fn customers(&self) -> Vec<Value> {
        let request = self.http.get(format!("{}/v1/customers?limit=100", self.origin));
        let list = send(request.bearer_auth(SECRET_KEY)).await;
        list["data"].as_array().unwrap().clone()
    }

    /// Detaches the newest payment method, as a person can in the provider's dashboard.
    pub async fn detach_newest_method(&self) {
        let state = send(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        let newest = state["payment_method"].as_array().unwrap().last().unwrap();
        let path = format!("/v1/payment_methods/{}/detach", newest["id"].as_str().unwrap());
        let request = self.http.post(format!("{}{path}", self.origin));
        send(request.bearer_auth(SECRET_KEY)).await;
    }

    /// Returns the webhooks received so far, oldest first.
    pub fn webhooks(&self) -> Vec<Webhook> {
        self.webhooks.lock().unwrap().clone()
    }

    /// Waits for a webhook of this type and returns the first.
    pub async fn webhook(&self, event_type: &str) -> Webhook {
        for _ in 0..1_200 {
            let found = self.webhooks().into_iter().find(|webhook| {
                let event: Value = serde_json::from_slice(&webhook.payload).unwrap();
                event["type"] == event_type
            });
            if let Some(found) = found {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("no webhook of type {event_type}");
    }

    /// Confirms a setup intent as the client's card element does.
    pub async fn confirm_setup(&self, client_secret: &str, card: Card) {
        let id = client_secret.split("_secret").next().unwrap();
        let mut form = vec![("client_secret", client_secret)];
        form.extend(match card {
            Card::Bank => vec![
                ("payment_method_data[type]", "us_bank_account"),
                (
                    "payment_method_data[us_bank_account][routing_number]",
                    "110000000",
                ),
                (
                    "payment_method_data[us_bank_account][account_number]",
                    "000000000009",
                ),
                (
                    "payment_method_data[us_bank_account][account_holder_type]",
                    "individual",
                ),
                ("payment_method_data[billing_details][name]", "Ada"),
            ],
            card => vec![
                ("payment_method_data[type]", "card"),
                ("payment_method_data[card][number]", card.number()),
                ("payment_method_data[card][exp_month]", "12"),
                ("payment_method_data[card][exp_year]", "2040"),
                ("payment_method_data[card][cvc]", "123"),
            ],
        });
        let path = format!("/v1/setup_intents/{id}/confirm");
        let request = self
            .http
            .post(format!("{}{path}", self.origin))
            .bearer_auth(PUBLISHABLE_KEY)
            .form(&form);
        let intent = send(request).await;
        if intent["status"] == "requires_action" {
            self.authenticate(client_secret, "complete").await;
        } else {
            assert_eq!(intent["status"], "succeeded", "{intent}");
        }
    }

    /// Creates a payment method as a wallet does: for one payment.
    pub async fn create_wallet_method(&self, wallet: Option<&str>) -> String {
        let mut form = vec![("type", "card"), ("card[token]", "tok_visa")];
        form.extend(wallet.map(|wallet| ("card[wallet]", wallet)));
        let request = self
            .http
            .post(format!("{}/v1/payment_methods", self.origin))
            .bearer_auth(PUBLISHABLE_KEY)
            .form(&form);
        send(request).await["id"].as_str().unwrap().to_owned()
    }

    /// Returns the refunds, newest first.
    pub async fn refunds(&self) -> Vec<Value> {
        let request = self
            .http
            .get(format!("{}/v1/refunds?limit=100", self.origin))
            .bearer_auth(SECRET_KEY);
        send(request).await["data"].as_array().unwrap().clone()
    }

    /// Captures a payment intent, as staff do on the provider's dashboard.
    pub async fn capture(&self, intent_id: &str) {
        let url = format!("{}/v1/payment_intents/{intent_id}/capture", self.origin);
        let intent = send(self.http.post(url).bearer_auth(SECRET_KEY)).await;
        assert_eq!(intent["status"], "succeeded", "{intent}");
    }

    /// Refunds a part of a payment intent, as the service does. Returns the id of the refund.
    pub async fn refund_part(&self, intent_id: &str, cents: i64, request_id: &str) -> String {
        let form = [
            ("payment_intent", intent_id),
            ("amount", &cents.to_string()),
            ("metadata[refund_id]", request_id),
        ];
        let request = self.http.post(format!("{}/v1/refunds", self.origin));
        let refund = send(request.bearer_auth(SECRET_KEY).form(&form)).await;
        refund["id"].as_str().unwrap().to_owned()
    }

    /// Completes the bank's authentication dialog: `outcome` is `complete` or `fail`.
    pub async fn authenticate(&self, client_secret: &str, outcome: &str) {
        self.admin(
            "authenticate",
            json!({ "client_secret": client_secret, "outcome": outcome }),
        )
        .await;
    }

    /// Returns the payment intents, newest first.
    pub async fn intents(&self) -> Vec<Value> {
        let request = self
            .http
            .get(format!("{}/v1/payment_intents?limit=100", self.origin))
            .bearer_auth(SECRET_KEY);
        send(request).await["data"].as_array().unwrap().clone()
    }

    /// Returns the only payment intent.
    pub async fn intent(&self) -> Value {
        let intents = self.intents().await;
        assert_eq!(intents.len(), 1, "{intents:#?}");
        intents[0].clone()
    }

    /// Returns the cents that are held, or captured and not refunded.
    pub async fn held_or_captured_cents(&self) -> i64 {
        let request = self
            .http
            .get(format!("{}/v1/charges?limit=100", self.origin))
            .bearer_auth(SECRET_KEY);
        let charges = send(request).await["data"].as_array().unwrap().clone();
        let is_held_or_captured = |charge: &&Value| charge["paid"] == true && charge["refunded"] == false;
        charges
            .iter()
            .filter(is_held_or_captured)
            .map(|charge| charge["amount"].as_i64().unwrap())
            .sum()
    }

    /// Counts the payment methods that are attached to a customer.
    pub async fn count_attached_methods(&self) -> usize {
        let state = send(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        let methods = state["payment_method"].as_array().cloned().unwrap_or_default();
        methods
            .iter()
            .filter(|method| !method["customer"].is_null())
            .count()
    }

    /// Expires the hold of the only payment intent, without waiting for the webhook.
    pub async fn expire_hold(&self) {
        let id = self.intent().await["id"].as_str().unwrap().to_owned();
        self.admin(&format!("payment_intents/{id}/expire"), json!({}))
            .await;
    }

    /// Returns all objects, by kind.
    pub async fn state(&self) -> Value {
        send(self.http.get(format!("{}/sandbox/state", self.origin))).await
    }

    pub async fn count_setup_intents(&self) -> usize {
        let state = send(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        state["setup_intent"].as_array().map_or(0, Vec::len)
    }

    /// Injects a fault into the next matching calls.
    pub async fn inject_fault(&self, kind: &str, path: &str, options: Value) {
        let mut fault = json!({ "kind": kind, "path": path, "method": "POST" });
        fault
            .as_object_mut()
            .unwrap()
            .extend(options.as_object().unwrap().clone());
        self.admin("faults", fault).await;
    }

    pub async fn clear_faults(&self) {
        let request = self.http.delete(format!("{}/sandbox/faults", self.origin));
        request.send().await.unwrap().error_for_status().unwrap();
    }

    /// Waits until all injected faults were applied.
    pub async fn wait_for_faults(&self) {
        for _ in 0..1_200 {
            let faults = send(self.http.get(format!("{}/sandbox/faults", self.origin))).await;
            if faults.as_array().unwrap().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("a fault was not applied");
    }

    /// Creates a payment intent of this service without its idempotency key, as the provider can after a server error. Returns its id.
    pub async fn create_late_intent(&self, form: &[(&str, String)]) -> String {
        let request = self.http.post(format!("{}/v1/payment_intents", self.origin));
        let intent = send(request.bearer_auth(SECRET_KEY).form(form)).await;
        intent["id"].as_str().unwrap().to_owned()
    }

    /// Makes all saved payment methods decline with this code.
    pub async fn decline_all(&self, code: &str) {
        let state = send(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        for method in state["payment_method"].as_array().unwrap() {
            let path = format!("payment_methods/{}", method["id"].as_str().unwrap());
            self.admin(&path, json!({ "decline": code })).await;
        }
    }

    /// Calls the sandbox's admin API.
    pub async fn admin(&self, path: &str, body: Value) {
        let response = self
            .http
            .post(format!("{}/sandbox/{path}", self.origin))
            .json(&body)
            .send()
            .await
            .unwrap();
        let status = response.status();
        assert!(
            status.is_success(),
            "{path}: {status} {}",
            response.text().await.unwrap()
        );
    }
}

impl Card {
    const fn number(self) -> &'static str {
        match self {
            Self::Good | Self::Bank => "4242424242424242",
            Self::DeclinesWhenCharged => "4000000000000341",
            Self::NeedsAuthentication => "4000002760003184",
            Self::Disputed => "4000000000000259",
        }
    }
}

pub async fn record_webhook(
    State(webhooks): State<Arc<Mutex<Vec<Webhook>>>>,
    headers: HeaderMap,
    body: axum::body::Bytes,
) {
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    webhooks.lock().unwrap().push(Webhook {
        payload: body.to_vec(),
        signature,
    });
}

async fn send(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.unwrap();
    let status = response.status();
    let body: Value = response.json().await.unwrap();
    assert!(status.is_success(), "{status} {body}");
    body
}

fn spawn_sandbox(address: SocketAddr, webhook_url: &str) -> Child {
    Command::new(development_binary("card-sandbox"))
        .env_remove("CARD_SANDBOX_DATA")
        .env("LISTEN", address.to_string())
        .env("RUST_LOG", "warn")
        .env("PROVIDER_SECRET_KEY", SECRET_KEY)
        .env("PROVIDER_PUBLISHABLE_KEY", PUBLISHABLE_KEY)
        .env("PROVIDER_WEBHOOK_SECRET", WEBHOOK_SECRET)
        .env("PROVIDER_WEBHOOK_URL", webhook_url)
        .env("CARD_SANDBOX_WEBHOOK_BACKOFF_MS", "50")
        .env("CARD_SANDBOX_SETTLE_AFTER_MS", "3600000")
        .stdout(Stdio::null())
        .spawn()
        .expect("build the sandbox first: cargo build -p card-sandbox")
}
