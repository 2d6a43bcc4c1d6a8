//! When an order ends, money, discount and capacity are released.

use crate::harness::{Checkout, Consumer, Store, eventually, own, shared};

const PROMO: &str = "WELCOME3";

/// Places one order by card and one with JoePass, both with a one-time code.
async fn place_orders(
    stack: &'static crate::harness::Stack,
    store: &Store,
) -> [(Consumer, Checkout, String); 2] {
    let (ada, bob) = (stack.consumer().await, stack.consumer().await);
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        bob.with_joepass(5_000).await,
    );
    let by_card = ada.draft_order("Latte", store, &card).promo(PROMO).priced().await;
    let by_joepass = bob
        .draft_order("Latte", store, &joepass)
        .promo(PROMO)
        .priced()
        .await;
    let (one, other) = (
        by_card.place_until_final().await.order(),
        by_joepass.place_until_final().await.order(),
    );
    [(ada, by_card, one), (bob, by_joepass, other)]
}

/// Checks that the same consumer can order the same cart again with the same code.
async fn assert_can_order_again(consumer: &Consumer, checkout: &Checkout) {
    consumer.assert_consistent().await;
    assert_eq!(
        checkout.with_new_cart().place_until_final().await.order_status(),
        "Placed"
    );
    consumer.assert_consistent().await;
}

async fn wait_for_message(consumer: &Consumer, order: &str, kind: &str) {
    eventually("the inbox message was added", async || {
        let messages = consumer.message_kinds(order).await;
        if messages == [kind] {
            Ok(())
        } else {
            Err(format!("{messages:?}"))
        }
    })
    .await;
}

#[tokio::test]
async fn after_a_rejection() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in place_orders(stack, &store).await {
        let rejected = store.reject(&order).await;
        assert_eq!(rejected.order_status(), "Rejected");
        let seen = consumer.wait_for_status(&order, "Rejected").await;
        assert_eq!(seen["message"], "We have just run out of cups.");
        wait_for_message(&consumer, &order, "order_rejected").await;
        assert_can_order_again(&consumer, &checkout).await;
        assert_eq!(store.accept(&order).await.error_reason(409), "ORDER_REJECTED");
    }
}

#[tokio::test]
async fn after_a_rejection_of_an_accepted_order() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in place_orders(stack, &store).await {
        store.accept(&order).await.data();
        consumer.assert_consistent().await;
        store.reject(&order).await.data();
        assert_can_order_again(&consumer, &checkout).await;
    }
}

#[tokio::test]
async fn after_a_cancellation_by_the_consumer() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in place_orders(stack, &store).await {
        assert_eq!(consumer.cancel(&order).await.order_status(), "Cancelled");
        assert_eq!(
            consumer.cancel(&order).await.order_status(),
            "Cancelled",
            "a repeated request changes nothing"
        );
        assert_can_order_again(&consumer, &checkout).await;
        assert!(
            consumer.message_kinds(&order).await.is_empty(),
            "no message about an own cancellation"
        );
    }
}

#[tokio::test]
async fn after_a_cancellation_without_acceptance() {
    let own = own().await;
    own.restart("ordering", &[("ORDER_ACCEPT_SECONDS", "2")]).await;
    let store = own.store();
    let orders = place_orders(own.stack, &store).await;
    for (consumer, _, order) in &orders {
        let seen = consumer.wait_for_status(order, "Cancelled").await;
        assert_eq!(seen["reason"], "NOT_ACCEPTED");
        wait_for_message(consumer, order, "order_cancelled").await;
    }
    own.restart("ordering", &[]).await;
    for (consumer, checkout, _) in &orders {
        assert_can_order_again(consumer, checkout).await;
    }
}
