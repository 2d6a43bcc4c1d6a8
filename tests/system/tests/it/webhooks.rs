//! Webhooks of a company, from the command that subscribes to the receiver.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::Value;
use standardwebhooks::Webhook;
use tokio::net::TcpListener;
use types::StoreId;

use crate::harness::{Stack, eventually, exclusive_stack};

type Requests = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

async fn receive(State(requests): State<Requests>, headers: HeaderMap, body: Bytes) -> StatusCode {
    requests.lock().unwrap().push((headers, body));
    StatusCode::NO_CONTENT
}

/// Starts a receiver and returns its URL.
async fn start_receiver(requests: &Requests) -> String {
    let router = Router::new()
        .route("/hook", post(receive))
        .with_state(Arc::clone(requests));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// Runs `stores webhooks` and returns its output.
fn webhooks(stack: &Stack, arguments: &[&str]) -> String {
    let mut command = stack.operator_command("stores");
    let command = command
        .env("WEBHOOKS_ALLOW_PRIVATE_ADDRESSES", "true")
        .env("RUST_LOG", "off")
        .arg("webhooks")
        .args(arguments);
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

async fn company_of(stack: &Stack, store: StoreId) -> String {
    sqlx::query_scalar(
        "SELECT companies.name FROM companies JOIN stores USING (company_id) WHERE store_id = $1",
    )
    .bind(store.uuid())
    .fetch_one(&mut stack.database("stores").await)
    .await
    .unwrap()
}

/// Returns the ids of the verified requests about an event of an order.
fn ids_of(requests: &Requests, secret: &str, kind: &str, order: &str) -> Vec<String> {
    let verifier = Webhook::new(secret).unwrap();
    let requests = requests.lock().unwrap();
    let verified = requests.iter().filter_map(|(headers, body)| {
        verifier.verify(body, headers).unwrap();
        let event: Value = serde_json::from_slice(body).unwrap();
        let is_wanted = event["type"] == kind && event["data"]["orderId"] == order;
        is_wanted.then(|| headers["webhook-id"].to_str().unwrap().to_owned())
    });
    verified.collect()
}

#[tokio::test]
async fn a_crash_after_a_webhook_was_sent_repeats_it_with_the_same_id() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let company = company_of(stack.stack, store.id).await;
    let requests = Requests::default();
    let url = start_receiver(&requests).await;
    let added = webhooks(stack.stack, &["add", &company, &url]);
    let (id, secret) = added.trim().split_once('\t').unwrap();

    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let delivered = async |kind: &str, times: usize| {
        eventually("the webhook is delivered", async || {
            let ids = ids_of(&requests, secret, kind, &order);
            if ids.len() >= times {
                Ok(ids)
            } else {
                Err(format!("{} {kind}", ids.len()))
            }
        })
        .await
    };
    let recorded = async || {
        eventually("the result is recorded", async || {
            let listed = webhooks(stack.stack, &["list", &company]);
            if listed.contains(&format!("{id}\tactive\t0\t0\t")) {
                Ok(())
            } else {
                Err(listed)
            }
        })
        .await;
    };
    delivered("order.placed", 1).await;
    recorded().await;

    stack.set_fault_point("stores", "webhook.sent").await;
    stack.arm();
    store.accept(&order).await.data();
    stack.program("stores").ended().await;
    stack.restart("stores", &[]).await;
    // The lease of the interrupted delivery ends before its time.
    sqlx::query("UPDATE webhook_deliveries SET leased_until = now() WHERE leased_until IS NOT NULL")
        .execute(&mut stack.database("stores").await)
        .await
        .unwrap();
    let ids = delivered("order.accepted", 2).await;
    assert_eq!(ids[0], ids[1]);

    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(ids_of(&requests, secret, "order.accepted", &order).len(), 2);
    assert_eq!(ids_of(&requests, secret, "order.placed", &order).len(), 1);
    recorded().await;
    webhooks(stack.stack, &["replay", &company, "--delivery", &ids[0]]);
    delivered("order.accepted", 3).await;
    webhooks(stack.stack, &["remove", &company, id]);
}
