//! A card that requires authentication by the consumer.

use futures::future::join_all;

use crate::harness::{Checkout, Consumer, PUBLISHABLE_KEY, Store, exclusive_stack, shared_stack};

const REQUIRES_AUTHENTICATION: &str = "4000002760003184";

/// Returns an order that waits for authentication, and its client secret.
async fn order_awaiting_authentication(ada: &Consumer, store: &Store) -> (Checkout, String, String) {
    let card = ada.with_card(REQUIRES_AUTHENTICATION).await;
    let checkout = ada
        .draft_order("Latte", store, &card)
        .promo("TREAT3")
        .priced()
        .await;
    let waiting = checkout.place().await;
    assert_eq!(waiting.order_status(), "PaymentPending");
    let secret = waiting.data()["clientSecret"].as_str().unwrap().to_owned();
    let script = &waiting.data()["providerScript"];
    assert_eq!(script["publishableKey"], *PUBLISHABLE_KEY);
    assert!(
        script["scriptUrl"].as_str().unwrap().ends_with("/v1/js/"),
        "{script}"
    );
    assert!(store.queue().await.is_empty(), "the store has no order yet");
    (checkout, waiting.order(), secret)
}

#[tokio::test]
async fn after_authentication_the_same_key_places_the_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = order_awaiting_authentication(&ada, &store).await;
    let still = checkout.place().await;
    assert_eq!(
        (still.order_status(), still.order()),
        ("PaymentPending", order.clone()),
        "a repeated request changes nothing"
    );
    stack.sandbox().authenticate(&secret, "complete").await;
    let placed = checkout.place_until_final().await;
    assert_eq!((placed.order_status(), placed.order()), ("Placed", order.clone()));
    assert_eq!(placed.data()["clientSecret"], serde_json::Value::Null);
    assert_eq!(placed.data()["providerScript"], serde_json::Value::Null);
    assert_eq!(
        stack.sandbox().setup_intents_of(ada.id).await,
        1,
        "one for the card, none for the authentication"
    );
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_webhook_alone_places_the_order_if_the_page_was_closed() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = order_awaiting_authentication(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "complete").await;
    ada.wait_for_status(&order, "Placed").await;
    assert_eq!(checkout.place().await.order(), order);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn failed_authentication_fails_the_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = order_awaiting_authentication(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "fail").await;
    ada.wait_for_status(&order, "PaymentFailed").await;
    let failed = checkout.place_until_final().await;
    assert_eq!(failed.error_reason(422), "AUTHENTICATION_FAILED");
    assert!(store.queue().await.is_empty());
    ada.assert_consistent().await;
}

#[tokio::test]
async fn expired_authentication_fails_the_order_and_releases_everything() {
    let stack = exclusive_stack().await;
    stack
        .restart("ordering", &[("ORDER_AUTHENTICATION_SECONDS", "5")])
        .await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, _) = order_awaiting_authentication(&ada, &store).await;
    ada.wait_for_status(&order, "PaymentFailed").await;
    assert_eq!(
        checkout.place_until_final().await.error_reason(409),
        "AUTHENTICATION_EXPIRED"
    );
    ada.assert_consistent().await;
    let card = ada.with_card("4242424242424242").await;
    assert_eq!(
        checkout
            .with_new_key()
            .with("paymentMethod", card.0)
            .place_until_final()
            .await
            .order_status(),
        "Placed"
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn concurrent_requests_after_authentication_get_the_same_response() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = order_awaiting_authentication(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "complete").await;
    let replies = join_all((0..20).map(|_| checkout.place())).await;
    let first = replies[0].clone();
    assert_eq!((first.order_status(), first.order()), ("Placed", order.clone()));
    assert!(replies.iter().all(|reply| *reply == first), "{replies:#?}");
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}
