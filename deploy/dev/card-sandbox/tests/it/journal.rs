//! Restores the state after a restart.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;

use crate::harness::{Sandbox, WebhookReceiver, id};

/// A temporary directory, removed when the test ends.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("card-sandbox-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn journal(&self) -> PathBuf {
        self.0.join("journal.jsonl")
    }

    async fn sandbox(&self) -> Sandbox {
        Sandbox::start_with(|config| config.data = Some(self.0.clone())).await
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const AUTHORIZATION: &[(&str, &str)] = &[
    ("amount", "1250"),
    ("currency", "usd"),
    ("confirm", "true"),
    ("payment_method", "pm_card_visa"),
    ("capture_method", "manual"),
];

#[tokio::test]
async fn authorizations_idempotency_keys_and_ids_survive_a_restart() {
    let directory = Directory::new("restart");
    let sandbox = directory.sandbox().await;
    let first = sandbox
        .post_with_key("k1", "/v1/payment_intents", AUTHORIZATION)
        .await;
    let before = sandbox.get("/sandbox/state").await;
    sandbox.stop().await;

    let sandbox = directory.sandbox().await;
    assert_eq!(sandbox.get("/sandbox/state").await, before);
    assert_eq!(
        sandbox
            .post_with_key("k1", "/v1/payment_intents", AUTHORIZATION)
            .await,
        first
    );
    let (_, second) = sandbox
        .post_with_key("k2", "/v1/payment_intents", AUTHORIZATION)
        .await;
    assert_ne!(id(&first.1), id(&second));
    let capture = format!("/v1/payment_intents/{}/capture", id(&first.1));
    assert_eq!(sandbox.post(&capture, &[]).await.1["status"], "succeeded");
}

#[tokio::test]
async fn an_incomplete_last_line_is_skipped() {
    let directory = Directory::new("incomplete");
    let sandbox = directory.sandbox().await;
    let customer = sandbox.customer().await;
    sandbox.stop().await;
    let mut journal = std::fs::OpenOptions::new()
        .append(true)
        .open(directory.journal())
        .unwrap();
    journal
        .write_all(br#"{"seed":1,"ids_created":9,"records":[{"kind":"cust"#)
        .unwrap();

    let sandbox = directory.sandbox().await;
    assert_eq!(sandbox.get(&format!("/v1/customers/{customer}")).await.0, 200);
}

#[tokio::test]
async fn the_journal_contains_no_card_numbers() {
    let directory = Directory::new("numbers");
    let sandbox = directory.sandbox().await;
    let customer = sandbox.customer().await;
    sandbox.saved_card(&customer, "4242424242424242").await;
    sandbox.stop().await;
    let journal = std::fs::read_to_string(directory.journal()).unwrap();
    assert!(journal.contains("\"last4\":\"4242\""));
    assert!(!journal.contains("42424242"));
}

#[tokio::test]
async fn undelivered_webhooks_are_delivered_after_a_restart() {
    let directory = Directory::new("webhooks");
    let sandbox = Sandbox::start_with(|config| {
        config.data = Some(directory.0.clone());
        config.webhook_url = "http://127.0.0.1:9/".into();
    })
    .await;
    sandbox.customer().await;
    sandbox.stop().await;
    let (receiver, url) = WebhookReceiver::start(0).await;
    let sandbox = Sandbox::start_with(|config| {
        config.data = Some(directory.0.clone());
        config.webhook_url = url;
    })
    .await;
    let received = receiver.wait_for(1).await;
    let event: serde_json::Value = serde_json::from_str(&received[0].body).unwrap();
    assert_eq!(event["type"], json!("customer.created"));
    sandbox.stop().await;
}
