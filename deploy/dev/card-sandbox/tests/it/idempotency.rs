//! Requests with the same key get the same response, errors included.

use std::time::Duration;

use serde_json::json;

use crate::harness::{Sandbox, id};

const PAYMENT: &[(&str, &str)] = &[
    ("amount", "1250"),
    ("currency", "usd"),
    ("confirm", "true"),
    ("payment_method", "pm_card_visa"),
];
const DECLINED: &[(&str, &str)] = &[
    ("amount", "1250"),
    ("currency", "usd"),
    ("confirm", "true"),
    ("payment_method", "pm_card_chargeDeclined"),
];

#[tokio::test]
async fn a_repeated_request_has_one_effect_and_the_same_response() {
    let sandbox = Sandbox::start().await;
    let first = sandbox.post_with_key("k1", "/v1/payment_intents", PAYMENT).await;
    let second = sandbox.post_with_key("k1", "/v1/payment_intents", PAYMENT).await;
    assert_eq!(first, second);
    assert_eq!(sandbox.count("payment_intent").await, 1);
    let replayed = sandbox
        .request(reqwest::Method::POST, "/v1/payment_intents")
        .header("idempotency-key", "k1")
        .form(PAYMENT)
        .send()
        .await
        .unwrap();
    assert_eq!(replayed.headers()["idempotent-replayed"], "true");
    assert!(replayed.headers().contains_key("original-request"));
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_decline_without_a_second_charge() {
    let sandbox = Sandbox::start().await;
    let first = sandbox.post_with_key("k1", "/v1/payment_intents", DECLINED).await;
    assert_eq!(first.0, 402);
    assert_eq!(
        sandbox.post_with_key("k1", "/v1/payment_intents", DECLINED).await,
        first
    );
    assert_eq!(sandbox.count("charge").await, 1);
}

#[tokio::test]
async fn a_key_with_other_parameters_or_another_endpoint_is_rejected() {
    let sandbox = Sandbox::start().await;
    sandbox.post_with_key("k1", "/v1/payment_intents", PAYMENT).await;
    for (path, fields) in [("/v1/payment_intents", DECLINED), ("/v1/customers", &[][..])] {
        let (status, body) = sandbox.post_with_key("k1", path, fields).await;
        assert_eq!(
            (status, &body["error"]["type"]),
            (400, &json!("idempotency_error"))
        );
    }
}

#[tokio::test]
async fn a_key_of_a_request_in_progress_is_a_conflict() {
    let sandbox = Sandbox::start().await;
    sandbox
        .fault(json!({ "path": "/v1/payment_intents", "kind": "slow", "ms": 300 }))
        .await;
    let (slow, second) = tokio::join!(
        sandbox.post_with_key("k1", "/v1/payment_intents", PAYMENT),
        async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            sandbox.post_with_key("k1", "/v1/payment_intents", PAYMENT).await
        }
    );
    assert_eq!(slow.0, 200);
    assert_eq!(
        (second.0, &second.1["error"]["code"]),
        (409, &json!("idempotency_key_in_use"))
    );
    assert_eq!(
        id(&sandbox
            .post_with_key("k1", "/v1/payment_intents", PAYMENT)
            .await
            .1),
        id(&slow.1)
    );
}

#[tokio::test]
async fn a_request_that_did_not_execute_does_not_use_its_key() {
    let sandbox = Sandbox::start().await;
    assert_eq!(
        sandbox
            .post_with_key("k1", "/v1/payment_intents", &[("currency", "usd")])
            .await
            .0,
        400
    );
    assert_eq!(
        sandbox
            .post_with_key("k1", "/v1/payment_intents", PAYMENT)
            .await
            .0,
        200
    );
}
