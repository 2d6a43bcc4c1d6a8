//! Orders that ended without being completed: the claim is released and the consumer is notified.

use std::time::Duration;

use kit::consumer::ConsumeError;
use proto::{
    ordering::v1::{EndReason, OrderCancelled, OrderEnd, OrderSnapshot, TenderKind, order_event::Change},
    values::v1::JourneyStep,
};
use rewards::ops::import_catalog::import_catalog;
use types::{ConsumerId, OrderId};

use crate::harness::{
    Harness, abandoned, cancelled, completed, delivery, new_consumer, new_order, order_end, order_snapshot,
    ready, rejected, usd,
};

#[tokio::test]
async fn a_rejected_order_releases_its_code_and_notifies_the_consumer_once() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    let end = OrderEnd {
        message: "We are out of oat milk.".into(),
        charged: true,
        ..order_end(EndReason::RejectedByStore)
    };
    let event = rejected(order_snapshot(order, consumer), end);
    let delivery = delivery(&event);
    harness.consume(&delivery).await.unwrap();
    harness.consume(&delivery).await.unwrap();
    harness.receive(event).await.unwrap();
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.amount, usd(300));
    let message = harness.latest_message(consumer).await.unwrap();
    assert_eq!(
        (message.kind.as_str(), &message.order_id),
        ("order_rejected", &order.to_string())
    );
    assert_eq!(message.title, "Your order couldn't be made");
    assert_eq!(
        message.body,
        "Sunset & Maltman: We are out of oat milk. $7.52 is back on your JoePass. You can use promo code WELCOME3 again."
    );
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 1);
    harness.close().await;
}

/// The message after the store rejects the order.
async fn message_of_rejection(harness: &Harness, order: OrderId, consumer: ConsumerId) -> String {
    let end = order_end(EndReason::RejectedByStore);
    harness
        .receive(rejected(order_snapshot(order, consumer), end))
        .await
        .unwrap();
    let mut messages = harness.inbox(consumer, 0, 0).await.messages.into_iter();
    let message = messages.find(|message| message.kind == "order_rejected");
    message.unwrap().body
}

const REJECTED: &str = "Sunset & Maltman couldn't make your order. $7.52 is back on your JoePass.";

#[tokio::test]
async fn a_code_is_offered_again_only_until_it_ends() {
    let harness = Harness::start().await;
    let in_one_hour = harness.cx.clock.now() + Duration::from_hours(1);
    let catalog = format!(
        "catalog = \"spring\"\n[[promo]]\ncode = \"SPRING\"\namount = 200\n\
         starts = \"2026-01-01T00:00:00Z\"\nends = \"{in_one_hour}\"\n"
    );
    import_catalog(&harness.cx, &catalog).await.unwrap();
    let orders = [(new_order(), new_consumer()), (new_order(), new_consumer())];
    for (order, consumer) in orders {
        let claim = harness.claim(order, consumer, "SPRING", 640).await.unwrap();
        assert_eq!(claim.reason, "");
    }
    let [(first, consumer), (second, other)] = orders;
    assert_eq!(
        message_of_rejection(&harness, first, consumer).await,
        format!("{REJECTED} You can use promo code SPRING again.")
    );
    harness.advance_clock(60 * 60);
    assert_eq!(message_of_rejection(&harness, second, other).await, REJECTED);
    harness.close().await;
}

#[tokio::test]
async fn a_code_for_the_first_order_is_not_offered_after_another_order() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    let in_app = OrderSnapshot {
        journey_step: JourneyStep::App.into(),
        ..order_snapshot(new_order(), consumer)
    };
    harness.receive(completed(in_app)).await.unwrap();
    assert_eq!(message_of_rejection(&harness, order, consumer).await, REJECTED);
    harness.close().await;
}

#[tokio::test]
async fn only_a_cancellation_by_the_system_notifies_the_consumer() {
    let harness = Harness::start().await;
    for (reason, kind) in [
        (EndReason::CancelledByConsumer, None),
        (EndReason::NotAcceptedInTime, Some("order_cancelled")),
        (EndReason::PaymentHoldExpired, Some("order_cancelled")),
        (EndReason::PaymentReturned, Some("order_cancelled")),
        (EndReason::PaymentCaptureFailed, Some("order_cancelled")),
    ] {
        let (consumer, order) = (new_consumer(), new_order());
        harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
        harness
            .receive(cancelled(order_snapshot(order, consumer), order_end(reason)))
            .await
            .unwrap();
        let message = harness.latest_message(consumer).await;
        assert_eq!(message.map(|message| message.kind).as_deref(), kind, "{reason:?}");
        assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    }
    harness.close().await;
}

#[tokio::test]
async fn the_event_states_whether_the_card_was_charged() {
    let harness = Harness::start().await;
    for (charged, refund) in [
        (true, "We'll refund $7.52 to your card."),
        (false, "You weren't charged."),
    ] {
        let consumer = new_consumer();
        let order = OrderSnapshot {
            tender: TenderKind::Card.into(),
            ..order_snapshot(new_order(), consumer)
        };
        let end = OrderEnd {
            charged,
            ..order_end(EndReason::RejectedByStore)
        };
        harness.receive(rejected(order, end)).await.unwrap();
        assert_eq!(
            harness.latest_message(consumer).await.unwrap().body,
            format!("Sunset & Maltman couldn't make your order. {refund}")
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_tender_or_end_reason_is_rejected() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    let valid_order = order_snapshot(order, consumer);
    let valid_end = order_end(EndReason::NotAcceptedInTime);
    let mut without_end = cancelled(valid_order.clone(), valid_end.clone());
    without_end.change = Some(Change::Cancelled(OrderCancelled { end: None }));
    let mut events = vec![without_end];
    for tender in [TenderKind::Unspecified.into(), 99] {
        let order = OrderSnapshot {
            tender,
            ..valid_order.clone()
        };
        events.push(cancelled(order.clone(), valid_end.clone()));
        events.push(rejected(order, valid_end.clone()));
    }
    for reason in [EndReason::Unspecified.into(), 99] {
        let end = OrderEnd {
            reason,
            ..valid_end.clone()
        };
        events.push(cancelled(valid_order.clone(), end.clone()));
        events.push(rejected(valid_order.clone(), end));
    }
    for event in events {
        let result = harness.receive(event).await;
        assert!(matches!(result, Err(ConsumeError::Rejected(_))), "{result:?}");
    }
    assert_eq!(harness.latest_message(consumer).await, None);
    assert_eq!(
        harness.price(consumer, "WELCOME3", 640).await.reason,
        "PROMO_USED"
    );
    harness.close().await;
}

#[tokio::test]
async fn an_abandoned_order_releases_its_code_without_notification() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    harness
        .receive(abandoned(order_snapshot(order, consumer)))
        .await
        .unwrap();
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    assert_eq!(harness.latest_message(consumer).await, None);
    let error = harness.claim(order, consumer, "WELCOME3", 640).await.unwrap_err();
    assert_eq!(&*error.reason, "CLAIM_CLOSED");
    harness.close().await;
}

#[tokio::test]
async fn an_order_without_a_code_only_notifies_the_consumer() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness
        .receive(ready(order_snapshot(order, consumer)))
        .await
        .unwrap();
    let message = harness.latest_message(consumer).await.unwrap();
    assert_eq!(
        (message.title.as_str(), message.kind.as_str()),
        ("Your order is ready", "order_ready")
    );
    assert_eq!(message.body, "Pick it up at Sunset & Maltman. Your number is 42.");
    let end = order_end(EndReason::NotAcceptedInTime);
    harness
        .receive(cancelled(order_snapshot(order, consumer), end))
        .await
        .unwrap();
    assert_eq!(harness.count_claims().await, 0);
    harness.close().await;
}
