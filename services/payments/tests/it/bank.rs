//! Bank debits: they start at once, and settle or are returned days later.

use proto::payments::v1::ChargeState;
use serde_json::json;
use types::OrderId;

use crate::harness::{Card, Harness, cancelled, new_order_id};

/// Starts a bank debit. Returns the order id and the id of the payment intent.
async fn start_debit(harness: &Harness) -> (OrderId, String) {
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let methods = ada.list_methods().await;
    assert_eq!(
        (methods[0].r#type.as_str(), methods[0].is_default),
        ("bank", false)
    );
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &account).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Processing);
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    (order_id, intent)
}

#[tokio::test]
async fn a_settled_debit_succeeds() {
    let harness = Harness::new().await;
    let (order_id, intent) = start_debit(&harness).await;
    harness
        .sandbox
        .admin(&format!("payment_intents/{intent}/settle"), json!({}))
        .await;
    harness
        .receive_webhooks_until(order_id, ChargeState::Succeeded)
        .await;
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.PaymentSettled"]
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn a_debit_can_be_returned_before_and_after_it_settled() {
    for settled in [false, true] {
        let harness = Harness::new().await;
        let (order_id, intent) = start_debit(&harness).await;
        if settled {
            harness
                .sandbox
                .admin(&format!("payment_intents/{intent}/settle"), json!({}))
                .await;
            harness
                .receive_webhooks_until(order_id, ChargeState::Succeeded)
                .await;
        }
        harness
            .sandbox
            .admin(&format!("payment_intents/{intent}/return"), json!({}))
            .await;
        harness
            .receive_webhooks_until(order_id, ChargeState::Returned)
            .await;
        assert_eq!(
            harness.charge_events().await.last().map(String::as_str),
            Some("payments.PaymentReturned")
        );
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_processing_debit_is_refunded_when_it_settles() {
    let harness = Harness::new().await;
    let (order_id, intent) = start_debit(&harness).await;
    harness.consume_order_event(order_id, cancelled()).await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "processing");
    harness
        .sandbox
        .admin(&format!("payment_intents/{intent}/settle"), json!({}))
        .await;
    harness
        .receive_webhooks_until(order_id, ChargeState::Succeeded)
        .await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "refunded");
    harness.shut_down().await;
}
