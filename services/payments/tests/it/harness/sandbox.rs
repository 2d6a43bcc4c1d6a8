//! The provider's sandbox as a process, and a place where its webhooks arrive.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub const SECRET_KEY: &str = "sk_test_payments";
pub const PUBLISHABLE_KEY: &str = "pk_test_payments";
pub const WEBHOOK_SECRET: &str = "whsec_payments";

/// Cards and accounts by what they do.
#[derive(Debug, Clone, Copy)]
pub enum Card {
    Good,
    DeclinesWhenCharged,
    NeedsAuthentication,
    Bank,
}

/// A webhook as it came.
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
    program: Mutex<Child>,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Sandbox {
    pub async fn start() -> Self {
        let webhooks = Arc::new(Mutex::new(Vec::new()));
        let post_box = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let webhook_url = format!("http://{}/webhooks", post_box.local_addr().unwrap());
        let routes = Router::new()
            .route("/webhooks", post(take))
            .with_state(webhooks.clone());
        tokio::spawn(async move { axum::serve(post_box, routes).await });

        let address = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap();
        let sandbox = Self {
            origin: format!("http://{address}"),
            http: reqwest::Client::new(),
            program: Mutex::new(spawn(address, &webhook_url)),
            webhooks,
            webhook_url,
            address,
        };
        sandbox.is_up().await;
        sandbox
    }

    async fn is_up(&self) {
        for _ in 0..200 {
            let health = self.http.get(format!("{}/sandbox/health", self.origin));
            if health.send().await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the sandbox did not start");
    }

    fn kill(&self) {
        let mut program = self.program.lock().unwrap();
        let _ = program.kill();
        let _ = program.wait();
    }

    /// Knows nobody any more, as when our keys are those of another account.
    pub async fn forgets_everything(&self) {
        self.kill();
        *self.program.lock().unwrap() = spawn(self.address, &self.webhook_url);
        self.is_up().await;
    }

    /// Deletes every customer, as a person may on the provider's own pages.
    pub async fn deletes_customers(&self) {
        for customer in self.customers().await {
            let path = format!("/v1/customers/{}", customer["id"].as_str().unwrap());
            let request = self.http.delete(format!("{}{path}", self.origin));
            answer(request.bearer_auth(SECRET_KEY)).await;
        }
    }

    /// The customers there are.
    pub async fn customers(&self) -> Vec<Value> {
        let request = self.http.get(format!("{}/v1/customers?limit=100", self.origin));
        let list = answer(request.bearer_auth(SECRET_KEY)).await;
        list["data"].as_array().unwrap().clone()
    }

    /// Detaches a consumer's newest method, as a person may on the provider's own pages.
    pub async fn detaches_newest(&self) {
        let state = answer(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        let newest = state["payment_method"].as_array().unwrap().last().unwrap();
        let path = format!("/v1/payment_methods/{}/detach", newest["id"].as_str().unwrap());
        let request = self.http.post(format!("{}{path}", self.origin));
        answer(request.bearer_auth(SECRET_KEY)).await;
    }

    /// Every webhook that has come, oldest first.
    pub fn webhooks(&self) -> Vec<Webhook> {
        self.webhooks.lock().unwrap().clone()
    }

    /// The first webhook of a kind, which is waited for.
    pub async fn webhook(&self, kind: &str) -> Webhook {
        for _ in 0..200 {
            let found = self.webhooks().into_iter().find(|webhook| {
                let event: Value = serde_json::from_slice(&webhook.payload).unwrap();
                event["type"] == kind
            });
            if let Some(found) = found {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("no webhook of {kind}");
    }

    /// What the page's element does with what was typed into it.
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
        let intent = answer(request).await;
        if intent["status"] == "requires_action" {
            self.authenticate(client_secret, "complete").await;
        } else {
            assert_eq!(intent["status"], "succeeded", "{intent}");
        }
    }

    /// What the consumer does in the bank's dialog: `complete` or `fail`.
    pub async fn authenticate(&self, client_secret: &str, outcome: &str) {
        self.admin(
            "authenticate",
            json!({ "client_secret": client_secret, "outcome": outcome }),
        )
        .await;
    }

    /// The payment intents there are, newest first.
    pub async fn intents(&self) -> Vec<Value> {
        let request = self
            .http
            .get(format!("{}/v1/payment_intents?limit=100", self.origin))
            .bearer_auth(SECRET_KEY);
        answer(request).await["data"].as_array().unwrap().clone()
    }

    /// The one payment intent there is.
    pub async fn intent(&self) -> Value {
        let intents = self.intents().await;
        assert_eq!(intents.len(), 1, "{intents:#?}");
        intents[0].clone()
    }

    /// Cents that are held or were taken and not given back.
    pub async fn money_held(&self) -> i64 {
        let request = self
            .http
            .get(format!("{}/v1/charges?limit=100", self.origin))
            .bearer_auth(SECRET_KEY);
        let charges = answer(request).await["data"].as_array().unwrap().clone();
        let held = |charge: &&Value| charge["paid"] == true && charge["refunded"] == false;
        charges
            .iter()
            .filter(held)
            .map(|charge| charge["amount"].as_i64().unwrap())
            .sum()
    }

    /// The methods attached to anybody.
    pub async fn attached(&self) -> usize {
        let state = answer(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        let methods = state["payment_method"].as_array().cloned().unwrap_or_default();
        methods
            .iter()
            .filter(|method| !method["customer"].is_null())
            .count()
    }

    /// The bank ends the one hold that there is, and the provider's word of it is not waited for.
    pub async fn ends_the_hold(&self) {
        let id = self.intent().await["id"].as_str().unwrap().to_owned();
        self.admin(&format!("payment_intents/{id}/expire"), json!({}))
            .await;
    }

    /// The set-up intents there are.
    pub async fn setup_intents(&self) -> usize {
        let state = answer(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        state["setup_intent"].as_array().map_or(0, Vec::len)
    }

    /// Makes the next matching calls fail.
    pub async fn fault(&self, kind: &str, path: &str, more: Value) {
        let mut fault = json!({ "kind": kind, "path": path, "method": "POST" });
        fault
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        self.admin("faults", fault).await;
    }

    /// Makes every saved method decline from now on.
    pub async fn decline(&self, code: &str) {
        let state = answer(self.http.get(format!("{}/sandbox/state", self.origin))).await;
        for method in state["payment_method"].as_array().unwrap() {
            let path = format!("payment_methods/{}", method["id"].as_str().unwrap());
            self.admin(&path, json!({ "decline": code })).await;
        }
    }

    pub async fn admin(&self, path: &str, body: Value) {
        let sent = self
            .http
            .post(format!("{}/sandbox/{path}", self.origin))
            .json(&body)
            .send()
            .await
            .unwrap();
        let status = sent.status();
        assert!(
            status.is_success(),
            "{path}: {status} {}",
            sent.text().await.unwrap()
        );
    }
}

impl Card {
    const fn number(self) -> &'static str {
        match self {
            Self::Good | Self::Bank => "4242424242424242",
            Self::DeclinesWhenCharged => "4000000000000341",
            Self::NeedsAuthentication => "4000002760003184",
        }
    }
}

async fn take(State(webhooks): State<Arc<Mutex<Vec<Webhook>>>>, headers: HeaderMap, body: axum::body::Bytes) {
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    webhooks.lock().unwrap().push(Webhook {
        payload: body.to_vec(),
        signature,
    });
}

async fn answer(request: reqwest::RequestBuilder) -> Value {
    let sent = request.send().await.unwrap();
    let status = sent.status();
    let body: Value = sent.json().await.unwrap();
    assert!(status.is_success(), "{status} {body}");
    body
}

fn spawn(address: SocketAddr, webhook_url: &str) -> Child {
    Command::new(binary())
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
        .expect("the sandbox's program: build it with `cargo build -p card-sandbox`")
}

/// Where `BIN_DIR` says, or beside this test's own program.
fn binary() -> PathBuf {
    let directory = std::env::var_os("BIN_DIR").map(PathBuf::from).unwrap_or_else(|| {
        let own = std::env::current_exe().unwrap();
        own.parent().and_then(|deps| deps.parent()).unwrap().to_owned()
    });
    directory.join("card-sandbox")
}
