//! An order that cannot be paid is not made and holds nothing.

use crate::harness::{Reply, shared_stack};
use serde_json::json;

#[tokio::test]
async fn a_declined_card_leaves_no_order_and_no_reservation_but_keeps_the_cart() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let bad = ada.with_card("4000000000000341").await;
    let checkout = ada
        .draft_order("Latte", &store, &bad)
        .promo("TREAT3")
        .priced()
        .await;
    ada.post("user/save-cart", json!({ "cart": checkout.body["cart"] }))
        .await
        .data();

    let declined = checkout.place().await;
    assert_eq!(declined.error_reason(422), "CARD_DECLINED");
    assert_eq!(declined.body["field"], "paymentMethod");
    assert_eq!(
        checkout.place().await,
        declined,
        "the key returns the same response"
    );
    assert!(store.queue().await.is_empty());
    assert_eq!(
        order_count(&ada.get("user/orders").await),
        0,
        "the order is not listed"
    );
    let kept = ada.get("user/cart").await;
    assert_eq!(
        kept.data()["cart"]["cartId"],
        checkout.body["cart"]["cartId"],
        "the saved cart is kept"
    );
    ada.assert_consistent().await;

    // Another card pays for the same cart with the same code.
    let good = ada.with_card("4242424242424242").await;
    let paid = checkout
        .with_new_key()
        .with("paymentMethod", good.0)
        .place()
        .await;
    assert_eq!(paid.order_status(), "Placed");
    assert_eq!(store.queue().await, [paid.order()]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_card_of_a_deleted_customer_is_rejected_and_another_can_be_added() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let lost = ada.with_card("4242424242424242").await;
    stack.sandbox().delete_customer_of(ada.id).await;
    let checkout = ada
        .draft_order("Latte", &store, &lost)
        .promo("TREAT3")
        .priced()
        .await;
    let rejected = checkout.place().await;
    assert_eq!(rejected.error_reason(422), "PAYMENT_METHOD_UNKNOWN");
    assert_eq!(rejected.body["field"], "paymentMethod");
    assert_eq!(
        checkout.place().await,
        rejected,
        "the key returns the same response"
    );
    assert!(store.queue().await.is_empty());
    let list = ada.get("payments/list?type=external").await;
    assert_eq!(
        list.data()["paymentMethods"],
        json!([]),
        "it is not offered again"
    );
    ada.assert_consistent().await;

    let new = ada.with_card("5555555555554444").await;
    let paid = checkout.with_new_key().with("paymentMethod", new.0).place().await;
    assert_eq!(paid.order_status(), "Placed");
    ada.assert_consistent().await;
}

#[tokio::test]
async fn an_insufficient_balance_holds_nothing() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(100).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    assert_eq!(checkout.place().await.error_reason(422), "INSUFFICIENT_BALANCE");
    assert_eq!(ada.joepass().await, (100, 0));
    assert!(store.queue().await.is_empty());
    ada.assert_consistent().await;
}

fn order_count(orders: &Reply) -> usize {
    orders.data()["orders"].as_array().unwrap().len()
}
