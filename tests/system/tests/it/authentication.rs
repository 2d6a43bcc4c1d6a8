//! A card whose bank wants to see the consumer first.

use futures::future::join_all;

use crate::harness::{Checkout, Consumer, PUBLISHABLE_KEY, Store, own, shared};

const ASKS: &str = "4000002760003184";

/// An order that waits for its consumer, and the secret that the page goes on with.
async fn asked(ada: &Consumer, store: &Store) -> (Checkout, String, String) {
    let card = ada.with_card(ASKS).await;
    let checkout = ada
        .draft_order("Latte", store, &card)
        .promo("WELCOME3")
        .priced()
        .await;
    let waiting = checkout.place().await;
    assert_eq!(waiting.order_status(), "PaymentPending");
    let secret = waiting.data()["clientSecret"].as_str().unwrap().to_owned();
    let script = &waiting.data()["providerScript"];
    assert_eq!(script["publishableKey"], PUBLISHABLE_KEY);
    assert!(
        script["scriptUrl"].as_str().unwrap().ends_with("/v1/js/"),
        "{script}"
    );
    assert!(store.queue().await.is_empty(), "the store sees nothing yet");
    (checkout, waiting.order(), secret)
}

#[tokio::test]
async fn once_the_consumer_has_authenticated_the_same_key_places_the_order() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = asked(&ada, &store).await;
    let still = checkout.place().await;
    assert_eq!(
        (still.order_status(), still.order()),
        ("PaymentPending", order.clone()),
        "asking again changes nothing"
    );
    stack.sandbox().authenticate(&secret, "complete").await;
    let placed = checkout.place_until_final().await;
    assert_eq!((placed.order_status(), placed.order()), ("Placed", order.clone()));
    assert_eq!(placed.data()["clientSecret"], serde_json::Value::Null);
    assert_eq!(placed.data()["providerScript"], serde_json::Value::Null);
    assert_eq!(
        stack.sandbox().setup_intents_of(ada.id).await,
        1,
        "for the card, and none for the question"
    );
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn the_provider_s_word_alone_places_the_order_of_a_page_that_was_closed() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = asked(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "complete").await;
    ada.wait_for_status(&order, "Placed").await;
    assert_eq!(checkout.place().await.order(), order);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_consumer_who_fails_gets_no_order() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = asked(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "fail").await;
    ada.wait_for_status(&order, "PaymentFailed").await;
    let refused = checkout.place_until_final().await;
    assert_eq!(refused.error_reason(422), "AUTHENTICATION_FAILED");
    assert!(store.queue().await.is_empty());
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_consumer_who_never_answers_gets_no_order_and_everything_back() {
    let own = own().await;
    own.restart("ordering", &[("ORDER_AUTHENTICATION_SECONDS", "2")])
        .await;
    let (ada, store) = (own.consumer().await, own.store());
    let (checkout, order, _) = asked(&ada, &store).await;
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
async fn twenty_requests_at_once_after_the_consumer_has_authenticated_get_one_answer() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (checkout, order, secret) = asked(&ada, &store).await;
    stack.sandbox().authenticate(&secret, "complete").await;
    let answers = join_all((0..20).map(|_| checkout.place())).await;
    let first = answers[0].clone();
    assert_eq!((first.order_status(), first.order()), ("Placed", order.clone()));
    assert!(answers.iter().all(|answer| *answer == first), "{answers:#?}");
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}
