//! Effects of order events on charges.

use proto::ordering::v1::TenderKind;
use proto::payments::v1::ChargeState;

use crate::harness::{
    AMOUNT, Card, Harness, abandoned, accepted, cancelled, new_order_id, order_event, rejected,
};

#[tokio::test]
async fn acceptance_captures_the_amount_once() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.consume_order_event(order_id, accepted()).await;
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    let intent = harness.sandbox.intent().await;
    assert_eq!(
        (intent["status"].as_str(), intent["amount_received"].as_i64()),
        (Some("succeeded"), Some(AMOUNT))
    );
    assert_eq!(
        harness.refresh(order_id).await.unwrap().state(),
        ChargeState::Succeeded
    );
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.PaymentSettled"]
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn the_hold_is_voided_when_the_order_ends_before_acceptance() {
    for change in [abandoned(), cancelled(), rejected()] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.authorize(order_id, &ada, &card).await.unwrap();
        harness.consume_order_event(order_id, change.clone()).await;
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.intent().await["status"], "canceled", "{change:?}");
        assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn the_charge_is_refunded_when_the_order_ends_after_acceptance() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    harness.consume_order_event(order_id, rejected()).await;
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    assert_eq!(
        harness.refresh(order_id).await.unwrap().state(),
        ChargeState::Refunded
    );
    let expected = [
        "payments.PaymentAuthorized",
        "payments.PaymentSettled",
        "payments.RefundDone",
    ];
    assert_eq!(harness.charge_events().await, expected);
    harness.shut_down().await;
}

#[tokio::test]
async fn events_in_any_order_have_the_same_result() {
    for cancelled_first in [true, false] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.authorize(order_id, &ada, &card).await.unwrap();
        if cancelled_first {
            harness.consume_order_event(order_id, cancelled()).await;
            harness.consume_order_event(order_id, accepted()).await;
        } else {
            harness.consume_order_event(order_id, accepted()).await;
            harness.consume_order_event(order_id, cancelled()).await;
        }
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.intent().await["status"], "canceled");
        assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn events_about_orders_without_a_charge_have_no_effect_on_other_charges() {
    let harness = Harness::new().await;
    let (accepted_order, ended_order, stored_value_order) = (new_order_id(), new_order_id(), new_order_id());
    harness.consume_order_event(accepted_order, accepted()).await;
    harness.consume_order_event(ended_order, abandoned()).await;
    harness
        .consume(&order_event(stored_value_order, TenderKind::Joepass, abandoned()))
        .await;
    harness.execute_effects().await;

    // Only the ended order that was paid by card has a tombstone.
    assert_eq!(harness.count_rows("charges").await, 1);
    let (ada, card) = harness.consumer_with(Card::Good).await;
    assert_eq!(
        harness
            .authorize(ended_order, &ada, &card)
            .await
            .unwrap_err()
            .reason,
        "CHARGE_CLOSED"
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn a_hold_that_expired_before_acceptance_publishes_a_decline() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.sandbox.expire_hold().await;
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "voided");
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.PaymentDeclined"]
    );
    harness.shut_down().await;
}

/// Ordering may not have acted on the first event. The second one prevents the store from preparing an unpaid order.
#[tokio::test]
async fn acceptance_publishes_the_decline_of_an_expired_hold_once_more() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.sandbox.expire_hold().await;
    assert_eq!(
        harness.refresh(order_id).await.unwrap().state(),
        ChargeState::Closed
    );
    let expected = ["payments.PaymentAuthorized", "payments.PaymentDeclined"];
    assert_eq!(harness.charge_events().await, expected);
    for _ in 0..2 {
        harness.consume_order_event(order_id, accepted()).await;
        harness.execute_effects().await;
        assert_eq!(
            harness.charge_events().await,
            [expected[0], expected[1], expected[1]]
        );
    }
    // The release publishes no event.
    harness.consume_order_event(order_id, cancelled()).await;
    assert_eq!(harness.charge_events().await.len(), 3);
    harness.shut_down().await;
}
