//! The money for an order is gone before the store has made it: the bank let go of the hold. Nobody makes a coffee that
//! nobody pays for.

use serde_json::Value;

use crate::harness::{Consumer, Stack, Store, eventually, own, shared};

const PROMO: &str = "WELCOME3";

async fn told(consumer: &Consumer, order: &str) {
    eventually("the inbox says so", async || {
        let told = consumer.told_of(order).await;
        if told == ["order_cancelled"] {
            Ok(())
        } else {
            Err(format!("{told:?}"))
        }
    })
    .await;
}

/// The order is called off, the consumer knows why, everything is given back, and the store is told when it goes on.
async fn is_called_off(ada: &Consumer, store: &Store, order: &str) {
    let seen = ada.sees(order, "Cancelled").await;
    assert_eq!(seen["reason"], "PAYMENT_HOLD_EXPIRED");
    assert_eq!(
        seen["history"].as_array().unwrap().last().unwrap()["by"],
        "system"
    );
    told(ada, order).await;
    ada.books_balance().await;
    assert!(store.queue().await.is_empty());
    for step in ["accept", "start", "ready"] {
        assert_eq!(
            store.steps(order, step).await.refused(409),
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
    let checkout = ada.wants("Latte", &store, &card).promo(PROMO).quoted().await;
    let order = checkout.settled().await.order();
    stack.sandbox().lapses(&order).await;
    is_called_off(&ada, &store, &order).await;

    // The same things again, with the code and all.
    assert_eq!(checkout.anew().settled().await.order_status(), "Placed");
    ada.books_balance().await;
}

#[tokio::test]
async fn days_before_the_store_sees_it() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.wants("Latte", &store, &card).promo(PROMO).quoted().await;
    let later = latest_slot(&ada, &store).await;
    let scheduled = checkout
        .with("cart/pickupAt", later.clone())
        .with("expectedReadyAt", later);
    let placed = scheduled.settled().await;
    assert_eq!(placed.order_status(), "Scheduled", "{}", placed.body);
    stack.sandbox().lapses(&placed.order()).await;
    is_called_off(&ada, &store, &placed.order()).await;
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
    stack.sandbox().keeps_webhooks_back().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.wants("Latte", &store, &card).promo(PROMO).quoted().await;
    let order = checkout.settled().await.order();
    stack.sandbox().lapses(&order).await;
    assert_eq!(store.accepts(&order).await.order_status(), "Accepted");
    is_called_off(&ada, &store, &order).await;
    assert_eq!(checkout.anew().settled().await.order_status(), "Placed");
    ada.books_balance().await;
}
