//! When an order ends, money, discount and capacity are released.

use types::OrderId;

use crate::harness::{Checkout, Consumer, Store, eventually, exclusive_stack, shared_stack};

const PROMO: &str = "TREAT3";

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
async fn a_rejected_order_releases_money_discount_and_capacity() {
    let stack = shared_stack().await;
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
async fn an_accepted_order_that_is_rejected_is_refunded() {
    let stack = shared_stack().await;
    let store = stack.store();
    for (consumer, checkout, order) in place_orders(stack, &store).await {
        store.accept(&order).await.data();
        consumer.assert_consistent().await;
        store.reject(&order).await.data();
        assert_can_order_again(&consumer, &checkout).await;
    }
}

#[tokio::test]
async fn a_cancelled_order_releases_money_discount_and_capacity() {
    let stack = shared_stack().await;
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
async fn an_order_that_no_store_accepts_is_cancelled_and_released() {
    let stack = exclusive_stack().await;
    stack.restart("ordering", &[("ORDER_ACCEPT_SECONDS", "2")]).await;
    let store = stack.store();
    let orders = place_orders(stack.stack, &store).await;
    for (consumer, _, order) in &orders {
        let seen = consumer.wait_for_status(order, "Cancelled").await;
        assert_eq!(seen["reason"], "NOT_ACCEPTED");
        wait_for_message(consumer, order, "order_cancelled").await;
    }
    stack.restart("ordering", &[]).await;
    for (consumer, checkout, _) in &orders {
        assert_can_order_again(consumer, checkout).await;
    }
}

#[tokio::test]
async fn an_accepted_order_that_is_never_marked_ready_completes_with_its_payment_and_points() {
    let stack = exclusive_stack().await;
    let completes_soon = [("ORDER_COMPLETE_UNMARKED_SECONDS", "1")];
    stack.restart("ordering", &completes_soon).await;
    let store = stack.store();
    for (consumer, _, order) in place_orders(stack.stack, &store).await {
        store.accept(&order).await.data();
        let order_id: OrderId = order.parse().unwrap();
        sqlx::query("UPDATE orders SET ready_at = now() - interval '1 hour' WHERE id = $1")
            .bind(order_id.uuid())
            .execute(&mut stack.database("ordering").await)
            .await
            .unwrap();
        let completed = consumer.wait_for_status(&order, "Completed").await;
        consumer
            .wait_for_points(completed["points"].as_i64().unwrap())
            .await;
        consumer.assert_consistent().await;
    }
}
