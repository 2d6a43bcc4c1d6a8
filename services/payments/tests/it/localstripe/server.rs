//! Runs localstripe behind the proxy, and does what a browser does at the provider.

use std::net::TcpListener as StdTcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use serde_json::Value;
use tokio::net::TcpListener;

use super::proxy::{Upstream, forward};
use crate::harness::{SECRET_KEY, WEBHOOK_SECRET, Webhook, record_webhook};

/// Listens on the loopback interface only, and writes no file: the program of the package does neither.
const PROGRAM: &str = "import sys
from aiohttp import web
from localstripe import resources
resources.Store.dump_to_disk = lambda store: None
from localstripe.server import app
web.run_app(app, host='127.0.0.1', port=int(sys.argv[1]), print=None)";

/// It stops when this is dropped.
pub struct LocalStripe {
    process: Child,
    /// Of the proxy.
    pub origin: String,
    upstream: Upstream,
    webhooks: Arc<Mutex<Vec<Webhook>>>,
}

impl Drop for LocalStripe {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl LocalStripe {
    pub async fn start() -> Self {
        let free = StdTcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port().to_string();
        drop(free);
        let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.run/localstripe/bin/python");
        let process = Command::new(python)
            .args(["-c", PROGRAM, &port])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("localstripe, which `deploy/dev/setup test` installs: {error}"));
        kit::tls::install_provider();
        let upstream = Upstream {
            http: reqwest::Client::new(),
            origin: format!("http://127.0.0.1:{port}"),
        };
        let webhooks = Arc::new(Mutex::new(Vec::new()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let webhook_route = Router::new().route("/webhooks", post(record_webhook));
        let routes = Router::new()
            .fallback(forward)
            .with_state(upstream.clone())
            .merge(webhook_route.with_state(webhooks.clone()));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let server = Self {
            process,
            origin,
            upstream,
            webhooks,
        };
        server.wait_until_started().await;
        server
    }

    async fn wait_until_started(&self) {
        let started = async {
            while self
                .upstream
                .http
                .get(&self.upstream.origin)
                .send()
                .await
                .is_err()
            {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), started)
            .await
            .unwrap();
        let url = format!("{}/webhooks", self.origin);
        let request = [("url", url.as_str()), ("secret", WEBHOOK_SECRET)];
        self.send("_config/webhooks/tests", &request).await;
    }

    /// Sends a request to localstripe itself and returns the status and the response.
    async fn send(&self, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        let request = self
            .upstream
            .http
            .post(format!("{}/{path}", self.upstream.origin));
        let response = request.bearer_auth(SECRET_KEY).form(form).send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or_default())
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let (status, body) = self.send(path, form).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub async fn get(&self, path: &str) -> Value {
        let request = self
            .upstream
            .http
            .get(format!("{}/v1/{path}", self.upstream.origin));
        let response = request.bearer_auth(SECRET_KEY).send().await.unwrap();
        assert!(response.status().is_success(), "{path}");
        response.json().await.unwrap()
    }

    /// Saves a card as the provider's script does in the browser. Returns the id of the setup intent.
    pub async fn save_card(&self, client_secret: &str, number: &str) -> String {
        let (setup_id, _) = client_secret.split_once("_secret_").unwrap();
        let setup = self.get(&format!("setup_intents/{setup_id}")).await;
        let card = [
            ("type", "card"),
            ("card[number]", number),
            ("card[exp_month]", "8"),
            ("card[exp_year]", "2030"),
            ("card[cvc]", "123"),
        ];
        let method = self.post("v1/payment_methods", &card).await;
        let (method_id, customer) = (
            method["id"].as_str().unwrap(),
            setup["customer"].as_str().unwrap(),
        );
        // localstripe does not attach the method of a setup intent itself.
        self.post(
            &format!("v1/payment_methods/{method_id}/attach"),
            &[("customer", customer)],
        )
        .await;
        self.post(
            &format!("v1/setup_intents/{setup_id}/confirm"),
            &[("payment_method", method_id)],
        )
        .await;
        setup_id.to_owned()
    }

    /// Completes or rejects the authentication of a payment.
    pub async fn authenticate(&self, client_secret: &str, is_successful: bool) {
        let (id, _) = client_secret.split_once("_secret_").unwrap();
        let success = is_successful.to_string();
        self.post(
            &format!("v1/payment_intents/{id}/_authenticate"),
            &[("client_secret", client_secret), ("success", &success)],
        )
        .await;
    }

    /// Waits for a webhook of this type.
    pub async fn webhook(&self, event_type: &str) -> Webhook {
        for _ in 0..100 {
            let found = self.webhooks.lock().unwrap().iter().find_map(|webhook| {
                let event: Value = serde_json::from_slice(&webhook.payload).unwrap();
                (event["type"] == event_type).then(|| webhook.clone())
            });
            if let Some(webhook) = found {
                return webhook;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no webhook {event_type}");
    }
}
