//! The bank releases the hold before the order is made: the order is cancelled.

use serde_json::Value;

use crate::harness::{Consumer, Stack, Store, eventually, exclusive_stack, shared_stack};

const PROMO: &str = "TREAT3";

async fn wait_for_message(consumer: &Consumer, order: &str) {
    eventually("the inbox message was added", async || {
        let messages = consumer.message_kinds(order).await;
        if messages == ["order_cancelled"] {
            Ok(())
        } else {
            Err(format!("{messages:?}"))
        }
    })
    .await;
}

/// Checks that the order is cancelled with its reason, everything is released, and further steps of the store fail.
async fn assert_cancelled(ada: &Consumer, store: &Store, order: &str) {
    let seen = ada.wait_for_status(order, "Cancelled").await;
    assert_eq!(seen["reason"], "PAYMENT_HOLD_EXPIRED");
    assert_eq!(
        seen["history"].as_array().unwrap().last().unwrap()["by"],
        "system"
    );
    wait_for_message(ada, order).await;
    ada.assert_consistent().await;
    assert!(store.queue().await.is_empty());
    for step in ["accept", "start", "ready"] {
        assert_eq!(
            store.advance(order, step).await.error_reason(409),
            "ORDER_CANCELLED",
            "{step}"
        );
    }
}

#[tokio::test]
async fn a_hold_that_expires_before_acceptance_cancels_the_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo(PROMO)
        .priced()
        .await;
    let order = checkout.place_until_final().await.order();
    stack.sandbox().expire_hold(&order).await;
    assert_cancelled(&ada, &store, &order).await;

    // The same items can be ordered again with the same code.
    assert_eq!(
        checkout.with_new_cart().place_until_final().await.order_status(),
        "Placed"
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_hold_that_expires_before_the_pickup_time_cancels_the_scheduled_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo(PROMO)
        .priced()
        .await;
    let slot = latest_slot(&ada, &store).await;
    let scheduled = checkout
        .with("cart/schedule", slot.clone())
        .with("expectedReadyAt", slot);
    let placed = scheduled.place_until_final().await;
    assert_eq!(placed.order_status(), "Scheduled", "{}", placed.body);
    stack.sandbox().expire_hold(&placed.order()).await;
    assert_cancelled(&ada, &store, &placed.order()).await;
}

async fn latest_slot(ada: &Consumer, store: &Store) -> Value {
    let options = ada
        .get(&format!("store/pickup-options?storeId={}", store.id))
        .await;
    options.data()["slots"]
        .as_array()
        .unwrap()
        .last()
        .expect("a pickup slot")
        .clone()
}

/// Without the webhook the expired hold is detected at the capture.
#[tokio::test]
async fn an_expired_hold_without_a_webhook_cancels_the_order_at_acceptance() {
    let stack = exclusive_stack().await;
    let stack: &'static Stack = stack.stack;
    stack.sandbox().hold_webhooks().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo(PROMO)
        .priced()
        .await;
    let order = checkout.place_until_final().await.order();
    stack.sandbox().expire_hold(&order).await;
    assert_eq!(store.accept(&order).await.order_status(), "Accepted");
    assert_cancelled(&ada, &store, &order).await;
    assert_eq!(
        checkout.with_new_cart().place_until_final().await.order_status(),
        "Placed"
    );
    ada.assert_consistent().await;
}
