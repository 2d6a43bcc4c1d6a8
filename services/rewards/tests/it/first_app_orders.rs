//! Codes for the first order in the native app.

use proto::{ordering::v1::OrderSnapshot, values::v1::JourneyStep};
use types::ConsumerId;

use crate::harness::{Harness, completed, new_consumer, new_order, order_snapshot, refund, usd};

async fn complete(harness: &Harness, consumer: ConsumerId, journey_step: JourneyStep) -> types::OrderId {
    let order = new_order();
    let snapshot = OrderSnapshot {
        journey_step: journey_step.into(),
        ..order_snapshot(order, consumer)
    };
    harness.receive(completed(snapshot)).await.unwrap();
    order
}

async fn is_offer_used(harness: &Harness, consumer: ConsumerId) -> bool {
    let list = harness.offers(consumer, "").await.unwrap();
    let mut offers = list.offers.into_iter();
    offers
        .find(|offer| offer.offer_id == "first-app-order")
        .unwrap()
        .is_used
}

#[tokio::test]
async fn an_order_in_the_app_ends_the_code_and_one_on_the_web_does_not() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    complete(&harness, consumer, JourneyStep::Web).await;
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.amount, usd(300));
    assert!(!is_offer_used(&harness, consumer).await);

    let order = complete(&harness, consumer, JourneyStep::App).await;
    assert_eq!(
        harness.price(consumer, "WELCOME3", 640).await.reason,
        "PROMO_NOT_FIRST_ORDER"
    );
    let claim = harness
        .claim(new_order(), consumer, "WELCOME3", 640)
        .await
        .unwrap();
    assert_eq!(claim.reason, "PROMO_NOT_FIRST_ORDER");
    assert_eq!(harness.count_claims().await, 0);
    assert!(is_offer_used(&harness, consumer).await);

    // A refunded order does not count, nor do orders of other consumers.
    harness.receive(refund(order, consumer, 752)).await.unwrap();
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.amount, usd(300));
    assert_eq!(
        harness.price(new_consumer(), "WELCOME3", 640).await.amount,
        usd(300)
    );
    harness.close().await;
}
