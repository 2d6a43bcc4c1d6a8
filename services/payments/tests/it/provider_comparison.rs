//! The comparison of charges with the provider.

use payments::compare_with_provider::compare_with_provider;
use proto::payments::v1::ChargeState;
use serde_json::json;
use types::ChargeId;

use crate::harness::{
    AMOUNT, Card, Harness, Program, SECRET_KEY, accepted, new_order_id, now, top_up_request,
};

/// Returns the numbers of updated charges and of differences.
async fn compare(harness: &Harness) -> (usize, usize) {
    let since = now() - jiff::SignedDuration::from_hours(1);
    let comparison = compare_with_provider(&harness.cx, since).await.unwrap();
    (comparison.updated.len(), comparison.differences.len())
}

#[tokio::test]
async fn a_state_that_no_webhook_reported_is_applied_once() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    assert_eq!(compare(&harness).await, (0, 0));

    // In the dashboard of the provider.
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    harness.sandbox.refund_part(&intent, AMOUNT, "dashboard").await;
    assert_eq!(compare(&harness).await, (1, 0));
    assert_eq!(harness.stored_state(order_id).await, "refunded");
    assert_eq!(compare(&harness).await, (0, 0));
    let events = harness.charge_events().await;
    let refunds = events.iter().filter(|event| *event == "payments.RefundDone");
    assert_eq!(refunds.count(), 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_return_that_no_webhook_reported_is_applied() {
    let harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let request = top_up_request(&ada, &account);
    let charge = harness.charge("gift-cards", request).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Processing);
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    let path = format!("payment_intents/{intent}/return");
    harness.sandbox.admin(&path, json!({})).await;
    assert_eq!(compare(&harness).await, (1, 0));
    assert!(
        harness
            .charge_events()
            .await
            .contains(&"payments.PaymentReturned".to_owned())
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn a_charge_that_cannot_be_compared_is_reported_and_the_others_are_compared() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    for _ in 0..2 {
        let request = top_up_request(&ada, &card);
        harness.charge("gift-cards", request).await.unwrap();
    }
    for intent in harness.sandbox.intents().await {
        let intent = intent["id"].as_str().unwrap();
        harness.sandbox.refund_part(intent, AMOUNT, "dashboard").await;
    }
    let broken: ChargeId = sqlx::query_scalar(
        "UPDATE charges SET provider_id = 'pi_unknown' WHERE id = (SELECT max(id::text)::uuid FROM charges) RETURNING id",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    let since = now() - jiff::SignedDuration::from_hours(1);
    let comparison = compare_with_provider(&harness.cx, since).await.unwrap();
    assert_eq!((comparison.updated.len(), comparison.failed), (1, vec![broken]));
    let program = Program::without_broker(&harness).await;
    let listed = program.output_of_failure(&["audit", "--provider"]);
    assert!(listed.contains(&format!("{broken}\tnot compared")), "{listed}");
    harness.shut_down().await;
}

#[tokio::test]
async fn a_declined_charge_whose_object_is_canceled_is_not_fetched_again() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::DeclinesWhenCharged).await;
    let request = top_up_request(&ada, &card);
    let charge = harness.charge("gift-cards", request).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Declined);
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    let unavailable =
        json!({ "kind": "error", "path": "/v1/payment_intents/*", "method": "GET", "status": 500 });
    harness.sandbox.admin("faults", unavailable).await;
    let since = now() - jiff::SignedDuration::from_hours(1);
    let comparison = compare_with_provider(&harness.cx, since).await.unwrap();
    assert_eq!((comparison.compared, comparison.failed), (1, vec![]));
    assert_eq!(comparison.differences, []);
    harness.shut_down().await;
}

#[tokio::test]
async fn money_at_one_side_only_is_reported() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let request = top_up_request(&ada, &card);
    harness.charge("gift-cards", request).await.unwrap();
    let program = Program::without_broker(&harness).await;
    assert!(
        program
            .output(&["audit", "--provider"])
            .unwrap()
            .contains("1 charges")
    );

    // A charge whose row is lost.
    let unknown = ChargeId::new(now());
    let form = [
        ("amount", "500"),
        ("currency", "usd"),
        ("confirm", "true"),
        ("payment_method", "pm_card_visa"),
        ("metadata[charge_id]", &unknown.to_string()),
    ];
    let created = reqwest::Client::new()
        .post(format!("{}/v1/payment_intents", harness.sandbox.origin))
        .bearer_auth(SECRET_KEY)
        .form(&form)
        .send()
        .await
        .unwrap();
    assert!(created.status().is_success(), "{}", created.text().await.unwrap());
    assert_eq!(compare(&harness).await, (0, 1));
    let listed = program.output_of_failure(&["audit", "--provider"]);
    assert!(listed.contains(&format!("{unknown}\tunknown here")), "{listed}");

    harness.sandbox.restart_empty().await;
    let listed = program.output_of_failure(&["audit", "--provider"]);
    assert!(listed.contains("missing at the provider"), "{listed}");
    harness.shut_down().await;
}
