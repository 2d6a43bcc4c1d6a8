//! Repeated requests place one order, at the confirmed price.

use futures::future::join_all;
use serde_json::json;

use crate::harness::{Checkout, cents, shared_stack};

#[tokio::test]
async fn concurrent_requests_with_one_key_create_one_order_and_one_charge() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada
        .draft_order("Latte", &store, &card)
        .promo("TREAT3")
        .priced()
        .await;
    let answers = join_all((0..20).map(|_| checkout.place())).await;
    let first = answers[0].clone();
    assert_eq!(first.order_status(), "Placed");
    assert!(answers.iter().all(|answer| *answer == first), "{answers:#?}");
    assert_eq!(store.queue().await, [first.order()]);
    let intents = stack.sandbox().intents(&first.order()).await;
    assert_eq!(intents.len(), 1, "{intents:#?}");
    assert_eq!(intents[0]["amount"], checkout.total());
    ada.assert_consistent().await;
    assert_eq!(
        checkout.place().await,
        first,
        "a later request gets the same response"
    );
}

#[tokio::test]
async fn concurrent_requests_with_one_key_hold_stored_value_once() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).times(2).priced().await;
    let answers = join_all((0..20).map(|_| checkout.place())).await;
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    assert_eq!(ada.joepass().await, (5_000 - checkout.total(), checkout.total()));
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_key_is_rejected_for_a_different_request() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let order = checkout.place().await.order();
    for changed in [
        checkout.with("cart/tipAmount", json!(100)),
        checkout.with("cart/items/0/quantity", json!(2)),
        checkout.with("paymentMethod/paymentMethodId", json!("")),
    ] {
        assert_eq!(changed.place().await.error_reason(409), "IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(store.queue().await, [order]);
    assert_eq!(ada.joepass().await.1, checkout.total());
}

#[tokio::test]
async fn a_key_with_a_pruned_response_creates_no_second_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (good, bad) = (
        ada.with_card("4242424242424242").await,
        ada.with_card("4000000000000341").await,
    );
    let placed = ada.draft_order("Latte", &store, &good).priced().await;
    let order = placed.place().await.order();
    let declined = ada.draft_order("Latte", &store, &bad).priced().await;
    declined.place().await.error_reason(422);
    let kept = sqlx::query("DELETE FROM idempotency WHERE scope = $1 AND response IS NOT NULL")
        .bind(ada.id.to_string())
        .execute(&mut stack.database("ordering").await)
        .await
        .unwrap();
    assert_eq!(kept.rows_affected(), 2);

    assert_eq!(placed.place().await.error_reason(409), "CART_ORDERED");
    assert_eq!(declined.place().await.error_reason(409), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_cart_leads_to_one_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let tries: Vec<_> = (0..5).map(|_| checkout.with_new_key()).collect();
    let answers = join_all(tries.iter().map(Checkout::place)).await;
    let (placed, rejected): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status.is_success());
    assert_eq!(placed.len(), 1, "{answers:#?}");
    assert!(
        rejected
            .iter()
            .all(|answer| answer.error_reason(409) == "CART_ORDERED")
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_changed_price_has_to_be_confirmed() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    // No other test orders this item: the price applies to the whole company.
    let checkout = ada.draft_order("Americano", &store, &card).priced().await;
    let mut stores = stack.database("stores").await;
    let size = &checkout.body["cart"]["items"][0]["sizeId"];
    let size: types::SizeId = size.as_str().unwrap().parse().unwrap();
    sqlx::query("UPDATE sizes SET price_cents = price_cents + 100 WHERE size_id = $1")
        .bind(size.uuid())
        .execute(&mut stores)
        .await
        .unwrap();
    sqlx::query("UPDATE companies SET menu_version = menu_version + 1")
        .execute(&mut stores)
        .await
        .unwrap();

    let rejected = checkout.place().await;
    assert_eq!(rejected.error_reason(409), "PRICE_CHANGED");
    let quote = &rejected.body["data"]["quote"];
    assert!(cents(&quote["total"]) > checkout.total(), "{quote}");
    assert!(store.queue().await.is_empty(), "no order was placed");

    let agreed = checkout
        .with_new_key()
        .with("expectedTotal", quote["total"].clone());
    let placed = agreed.place().await;
    assert_eq!(placed.order_status(), "Placed");
    assert_eq!(placed.data()["total"], quote["total"]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_later_ready_time_has_to_be_confirmed() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let shown = checkout.body["expectedReadyAt"]
        .as_str()
        .unwrap()
        .parse::<jiff::Timestamp>()
        .unwrap();
    let hoped = shown - jiff::SignedDuration::from_mins(30);
    let late = checkout
        .with("expectedReadyAt", json!(hoped.to_string()))
        .place()
        .await;
    assert_eq!(late.error_reason(409), "ETA_CHANGED");
    assert!(late.body["data"]["quote"]["eta"]["readyAt"].is_string());
    assert_eq!(ada.joepass().await, (5_000, 0));
    assert_eq!(checkout.with_new_key().place().await.order_status(), "Placed");
}
