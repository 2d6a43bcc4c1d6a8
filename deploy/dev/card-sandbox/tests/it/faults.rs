//! Injected faults: the response, and whether the operation took effect.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Sandbox, id};

const PAYMENT: &[(&str, &str)] = &[
    ("amount", "1250"),
    ("currency", "usd"),
    ("confirm", "true"),
    ("payment_method", "pm_card_visa"),
];

async fn expect_connection_reset(sandbox: &Sandbox) {
    let request = sandbox.request(reqwest::Method::POST, "/v1/payment_intents");
    let result = request.header("idempotency-key", "k1").form(PAYMENT).send().await;
    assert!(result.is_err(), "expected a connection reset: {result:?}");
}

#[tokio::test]
async fn after_a_reset_before_the_effect_the_same_key_executes_the_request() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "/v1/payment_intents", "kind": "reset_before" }))
        .await;
    expect_connection_reset(&sandbox).await;
    assert_eq!(sandbox.count("payment_intent").await, 0);
    assert_eq!(
        sandbox
            .post_with_key("k1", "/v1/payment_intents", PAYMENT)
            .await
            .0,
        200
    );
}

#[tokio::test]
async fn after_a_reset_after_the_effect_the_same_key_returns_its_response() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "/v1/payment_intents", "kind": "reset_after" }))
        .await;
    expect_connection_reset(&sandbox).await;
    assert_eq!(sandbox.count("payment_intent").await, 1);
    assert_eq!(
        sandbox
            .post_with_key("k1", "/v1/payment_intents", PAYMENT)
            .await
            .1["status"],
        "succeeded"
    );
    assert_eq!(sandbox.count("payment_intent").await, 1);
}

#[tokio::test]
async fn a_500_is_stored_under_its_key_and_a_503_is_not() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "/v1/pay*", "kind": "error_after" }))
        .await;
    for _ in 0..2 {
        assert_eq!(
            sandbox
                .post_with_key("k1", "/v1/payment_intents", PAYMENT)
                .await
                .0,
            500
        );
    }
    assert_eq!(sandbox.count("payment_intent").await, 1);
    sandbox
        .fault(json!({ "path": "/v1/pay*", "kind": "error", "status": 503 }))
        .await;
    assert_eq!(
        sandbox
            .post_with_key("k2", "/v1/payment_intents", PAYMENT)
            .await
            .0,
        503
    );
    assert_eq!(
        sandbox
            .post_with_key("k2", "/v1/payment_intents", PAYMENT)
            .await
            .0,
        200
    );
}

#[tokio::test]
async fn a_slow_request_takes_effect_after_the_caller_timed_out() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "/v1/payment_intents", "kind": "slow", "ms": 200 }))
        .await;
    let request = sandbox
        .request(reqwest::Method::POST, "/v1/payment_intents")
        .form(PAYMENT);
    assert!(
        request
            .timeout(Duration::from_millis(50))
            .send()
            .await
            .unwrap_err()
            .is_timeout()
    );
    assert_eq!(sandbox.count("payment_intent").await, 0);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(sandbox.count("payment_intent").await, 1);
}

#[tokio::test]
async fn faults_end_after_their_count_or_when_cleared() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "*", "method": "GET", "kind": "error", "times": 2 }))
        .await;
    let customer = id(&sandbox.post("/v1/customers", &[]).await.1);
    let path = format!("/v1/customers/{customer}");
    let (first, second, third) = (
        sandbox.get(&path).await.0,
        sandbox.get(&path).await.0,
        sandbox.get(&path).await.0,
    );
    assert_eq!((first, second, third), (500, 500, 200));
    sandbox
        .fault(json!({ "path": "*", "kind": "slow", "ms": 5000, "times": 9 }))
        .await;
    sandbox.delete("/sandbox/faults").await;
    let start = Instant::now();
    sandbox.get(&path).await;
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_eq!(
        sandbox
            .admin("faults", json!({ "path": "*", "kind": "flood" }))
            .await
            .0,
        422
    );
}
