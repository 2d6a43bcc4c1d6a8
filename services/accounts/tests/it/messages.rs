//! Sending of messages, to local HTTP servers and a file.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use accounts::{
    config::SenderConfig,
    sender::{self, MessageSender, Senders},
    workers,
};
use axum::{Json, Router, extract::State, http::HeaderMap, routing::post};
use futures::future::join_all;
use http::StatusCode;
use kit::lifecycle::Process;
use serde_json::{Value, json};

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";

/// A sender that writes to a separate file.
pub struct FileMessages {
    pub sender: Arc<dyn MessageSender>,
    path: PathBuf,
}

impl FileMessages {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("sms-{}.jsonl", uuid::Uuid::new_v4()));
        let sender = sender_of(json!({ "sms_file": path }));
        Self { sender, path }
    }
}

/// Senders of which only that of messages is configured.
pub fn without_notifications(sender: &Arc<dyn MessageSender>) -> Arc<Senders> {
    let config = serde_json::from_value(json!({})).unwrap();
    Arc::new(Senders::new(Arc::clone(sender), &config).unwrap())
}

pub fn sender_of(settings: Value) -> Arc<dyn MessageSender> {
    let config: SenderConfig = serde_json::from_value(settings).unwrap();
    sender::from_config(config).unwrap()
}

/// Runs the workers until `is_done`, at most twenty seconds.
async fn run_workers_until(
    harness: &Harness,
    sender: &Arc<dyn MessageSender>,
    is_done: impl AsyncFn() -> bool,
) {
    let process = Process::detached("accounts");
    workers::start(&process, &harness.cx, &without_notifications(sender));
    for _ in 0..200 {
        if is_done().await {
            process.shutdown.cancel();
            process.tasks.close();
            process.tasks.wait().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not done in time");
}

async fn is_sent(harness: &Harness) -> bool {
    harness.count("messages").await == 0
}

/// Serves a router on a free port and returns its URL.
async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// The fields of a form.
type TwilioMessage = HashMap<String, String>;

/// Received messages with their authorization, and the statuses of the next responses; then 201.
#[derive(Debug, Clone, Default)]
struct Twilio {
    received: Arc<Mutex<Vec<(String, TwilioMessage)>>>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

impl Twilio {
    async fn start(&self) -> String {
        serve(
            Router::new()
                .route("/2010-04-01/Accounts/AC1/Messages.json", post(receive))
                .with_state(self.clone()),
        )
        .await
    }
}

async fn receive(
    State(twilio): State<Twilio>,
    headers: HeaderMap,
    body: String,
) -> (StatusCode, Json<Value>) {
    let authorization = headers["authorization"].to_str().unwrap().to_owned();
    assert_eq!(headers["content-type"], "application/x-www-form-urlencoded");
    let message = url::form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    twilio.received.lock().unwrap().push((authorization, message));
    let status = twilio.statuses.lock().unwrap().pop().unwrap_or(201);
    let status = StatusCode::from_u16(status).unwrap();
    (
        status,
        Json(json!({ "code": 21211, "message": "The 'To' number is not valid" })),
    )
}

fn twilio_sender(url: &str, from: &str) -> Arc<dyn MessageSender> {
    sender_of(json!({
        "twilio_account_sid": "AC1",
        "twilio_auth_token": "secret",
        "twilio_from": from,
        "twilio_url": url,
    }))
}

#[tokio::test]
async fn twilio_receives_a_form_with_basic_authentication() {
    let twilio = Twilio::default();
    let url = twilio.start().await;
    let harness = Harness::new().await;
    for (from, field, value) in [
        ("+14155550000", "From", "+14155550000"),
        ("14155550000", "From", "+14155550000"),
        ("MG1", "MessagingServiceSid", "MG1"),
    ] {
        let code = harness.request_code(PHONE, "").await;
        run_workers_until(&harness, &twilio_sender(&url, from), || is_sent(&harness)).await;
        let (authorization, message) = twilio.received.lock().unwrap().pop().unwrap();
        // "AC1:secret" in base 64.
        assert_eq!(authorization, "Basic QUMxOnNlY3JldA==");
        assert_eq!(
            (message.len(), &*message["To"], &*message[field]),
            (3, "+14155550123", value)
        );
        assert!(message["Body"].starts_with(&code), "{}", message["Body"]);
        harness.advance(Duration::from_mins(1));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_message_is_retried_after_a_transient_failure_and_dropped_after_a_rejection() {
    let twilio = Twilio::default();
    let url = twilio.start().await;
    let harness = Harness::new().await;
    harness.login(PHONE, "").await.unwrap();
    twilio.statuses.lock().unwrap().extend([429, 503]);
    let sender = twilio_sender(&url, "MG1");
    run_workers_until(&harness, &sender, || is_sent(&harness)).await;
    assert_eq!(twilio.received.lock().unwrap().len(), 3);

    harness.advance(Duration::from_mins(1));
    harness.login(PHONE, "").await.unwrap();
    twilio.statuses.lock().unwrap().push(400);
    run_workers_until(&harness, &sender, || is_sent(&harness)).await;
    assert_eq!(twilio.received.lock().unwrap().len(), 4);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_message_without_a_response_delays_no_other_message() {
    let received = Arc::new(Mutex::new(Vec::new()));
    let receive = {
        let received = Arc::clone(&received);
        async move |Json(message): Json<Value>| {
            let to = message["to"].as_str().unwrap().to_owned();
            if to == "+14155550100" {
                // Longer than the test.
                tokio::time::sleep(Duration::from_mins(10)).await;
            }
            received.lock().unwrap().push(to);
        }
    };
    let url = serve(Router::new().route("/", post(receive))).await;
    let harness = Harness::new().await;
    for number in 0..10 {
        harness.login(&format!("415555010{number}"), "").await.unwrap();
        harness.advance(Duration::from_secs(1));
    }
    let sender = sender_of(json!({ "sms_url": url }));
    run_workers_until(&harness, &sender, async || received.lock().unwrap().len() == 9).await;
    // The lease is released, so the message is sent again later.
    assert_eq!(harness.count("messages").await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn several_workers_send_each_message_once() {
    let harness = Harness::new().await;
    for number in 10..40 {
        harness.login(&format!("41555501{number}"), "").await.unwrap();
    }
    let messages = FileMessages::new();
    let workers = (0..4).map(|_| run_workers_until(&harness, &messages.sender, || is_sent(&harness)));
    join_all(workers).await;
    let sent = std::fs::read_to_string(&messages.path).unwrap();
    let mut phones: Vec<Value> = sent
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["phone"].clone())
        .collect();
    let count = phones.len();
    phones.sort_by_key(Value::to_string);
    phones.dedup();
    assert_eq!((count, phones.len()), (30, 30));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_expired_message_is_not_sent() {
    let harness = Harness::new().await;
    harness.login(PHONE, "").await.unwrap();
    harness.advance(Duration::from_secs(601));
    let messages = FileMessages::new();
    run_workers_until(&harness, &messages.sender, || is_sent(&harness)).await;
    assert!(!messages.path.exists());
    harness.database.drop().await;
}
