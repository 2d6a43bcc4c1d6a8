//! The money for an order is gone before the store has made it: the bank let go of the hold. Nobody makes a coffee that
//! nobody pays for.

use serde_json::Value;

use crate::harness::{Consumer, Stack, Store, eventually, own, shared};

const PROMO: &str = "WELCOME3";

async fn told(consumer: &Consumer, order: &str) {
    eventually("the inbox says so", async || {
        let told = consumer.message_kinds(order).await;
        if told == ["order_cancelled"] {
            Ok(())
        } else {
            Err(format!("{told:?}"))
        }
    })
    .await;
}

/// The order is called off, the consumer knows why, everything is given back, and the store is told when it goes on.
async fn assert_cancelled(ada: &Consumer, store: &Store, order: &str) {
    let seen = ada.wait_for_status(order, "Cancelled").await;
    assert_eq!(seen["reason"], "PAYMENT_HOLD_EXPIRED");
    assert_eq!(
        seen["history"].as_array().unwrap().last().unwrap()["by"],
        "system"
    );
    told(ada, order).await;
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
async fn before_the_store_accepts() {
    let stack = shared().await;
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

    // The same things again, with the code and all.
    assert_eq!(
        checkout.with_new_cart().place_until_final().await.order_status(),
        "Placed"
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn days_before_the_store_sees_it() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo(PROMO)
        .priced()
        .await;
    let later = latest_slot(&ada, &store).await;
    let scheduled = checkout
        .with("cart/pickupAt", later.clone())
        .with("expectedReadyAt", later);
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
        .expect("a slot")
        .clone()
}

/// The provider's word was lost: that nothing is held shows only as the money is taken.
#[tokio::test]
async fn as_the_store_accepts() {
    let own = own().await;
    let stack: &'static Stack = own.stack;
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
