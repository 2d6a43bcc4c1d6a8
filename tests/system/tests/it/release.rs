//! Whoever ends an order, everything is given back: money, discount, minutes.

use crate::harness::{Checkout, Consumer, Store, eventually, own, shared};

const PROMO: &str = "WELCOME3";

/// One order by card and one on a JoePass, both by consumers whose code holds once.
async fn orders(stack: &'static crate::harness::Stack, store: &Store) -> [(Consumer, Checkout, String); 2] {
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

/// The same consumer gets another one, with the code and all.
async fn again(consumer: &Consumer, checkout: &Checkout) {
    consumer.assert_consistent().await;
    assert_eq!(
        checkout.with_new_cart().place_until_final().await.order_status(),
        "Placed"
    );
    consumer.assert_consistent().await;
}

async fn told(consumer: &Consumer, order: &str, kind: &str) {
    eventually("the inbox says so", async || {
        let told = consumer.message_kinds(order).await;
        if told == [kind] {
            Ok(())
        } else {
            Err(format!("{told:?}"))
        }
    })
    .await;
}

#[tokio::test]
async fn by_a_store_that_rejects() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in orders(stack, &store).await {
        let rejected = store.reject(&order).await;
        assert_eq!(rejected.order_status(), "Rejected");
        let seen = consumer.wait_for_status(&order, "Rejected").await;
        assert_eq!(seen["message"], "We have just run out of cups.");
        told(&consumer, &order, "order_rejected").await;
        again(&consumer, &checkout).await;
        assert_eq!(store.accept(&order).await.error_reason(409), "ORDER_REJECTED");
    }
}

#[tokio::test]
async fn by_a_store_that_rejects_what_it_had_accepted() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in orders(stack, &store).await {
        store.accept(&order).await.data();
        consumer.assert_consistent().await;
        store.reject(&order).await.data();
        again(&consumer, &checkout).await;
    }
}

#[tokio::test]
async fn by_the_consumer_who_cancels() {
    let stack = shared().await;
    let store = stack.store();
    for (consumer, checkout, order) in orders(stack, &store).await {
        assert_eq!(consumer.cancel(&order).await.order_status(), "Cancelled");
        assert_eq!(
            consumer.cancel(&order).await.order_status(),
            "Cancelled",
            "asking again changes nothing"
        );
        again(&consumer, &checkout).await;
        assert!(
            consumer.message_kinds(&order).await.is_empty(),
            "who cancelled knows"
        );
    }
}

#[tokio::test]
async fn by_the_system_when_no_store_answers_in_time() {
    let own = own().await;
    own.restart("ordering", &[("ORDER_ACCEPT_SECONDS", "2")]).await;
    let store = own.store();
    let orders = orders(own.stack, &store).await;
    for (consumer, _, order) in &orders {
        let seen = consumer.wait_for_status(order, "Cancelled").await;
        assert_eq!(seen["reason"], "NOT_ACCEPTED");
        told(consumer, order, "order_cancelled").await;
    }
    own.restart("ordering", &[]).await;
    for (consumer, checkout, _) in &orders {
        again(consumer, checkout).await;
    }
}
