//! Order events: once, repeated, in any order, and invalid.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::accounts::{IN_FLIGHT, SALES};
use kit::consumer::ConsumeError;
use proto::{
    giftcards::v1::HoldState,
    ordering::v1::{OrderEvent, OrderSnapshot, TenderKind},
};
use types::OrderId;

use crate::harness::{Harness, abandoned, accepted, cancelled, delivery, new_order, rejected};

/// The events after which an order is not made.
const END_EVENTS: [fn(OrderId) -> OrderEvent; 3] = [abandoned, cancelled, rejected];

fn with_tender(event: OrderEvent, tender: i32) -> OrderEvent {
    OrderEvent {
        order: event.order.map(|order| OrderSnapshot { tender, ..order }),
        ..event
    }
}

#[tokio::test]
async fn acceptance_captures_the_hold_once() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 530).await.unwrap();
    let delivery = delivery(&accepted(order));
    for _ in 0..2 {
        harness.consume(&delivery).await.unwrap();
        harness.receive(accepted(order)).await.unwrap();
    }
    assert_eq!(
        (
            harness.sum_of_postings(SALES).await,
            harness.sum_of_postings(IN_FLIGHT).await
        ),
        (530, 0)
    );
    assert_eq!(harness.wallet(consumer).await, (470, 0));
    assert_eq!(
        harness.hold(order, consumer, 530).await.unwrap().state(),
        HoldState::Captured,
        "a late repeated request"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_part_of_an_order_by_card_is_captured_and_returned() {
    let part = |event: OrderEvent| OrderEvent {
        order: event.order.map(|order| OrderSnapshot {
            tender: TenderKind::Card.into(),
            total_minor_units: 1_240,
            stored_value_minor_units: 530,
            ..order
        }),
        ..event
    };
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 530).await.unwrap();
    harness.receive(part(accepted(order))).await.unwrap();
    assert_eq!(harness.sum_of_postings(SALES).await, 530);
    harness.receive(part(rejected(order))).await.unwrap();
    assert_eq!(harness.sum_of_postings(SALES).await, 0);
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test]
async fn every_end_returns_the_amount_before_and_after_acceptance() {
    for accepted_first in [true, false] {
        let harness = Harness::start().await;
        let consumer = harness.consumer_with(1_000).await;
        for (number, end_event) in END_EVENTS.into_iter().enumerate() {
            let order = new_order();
            harness.hold(order, consumer, 530).await.unwrap();
            if accepted_first {
                harness.receive(accepted(order)).await.unwrap();
            }
            for _ in 0..2 {
                harness.receive(end_event(order)).await.unwrap();
            }
            harness.receive(accepted(order)).await.unwrap();
            assert_eq!(
                harness.wallet(consumer).await,
                (1_000, 0),
                "end event {number}, accepted first: {accepted_first}"
            );
        }
        assert_eq!(
            (
                harness.sum_of_postings(SALES).await,
                harness.sum_of_postings(IN_FLIGHT).await
            ),
            (0, 0)
        );
        harness.close().await;
    }
}

#[tokio::test]
async fn an_end_event_before_the_hold_prevents_the_hold() {
    for end_event in END_EVENTS {
        let harness = Harness::start().await;
        let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
        harness.receive(end_event(order)).await.unwrap();
        let error = harness.hold(order, consumer, 530).await.unwrap_err();
        assert_eq!(&*error.reason, "HOLD_CLOSED");
        harness.close().await;
    }
}

#[tokio::test]
async fn orders_without_stored_value_have_no_hold() {
    let harness = Harness::start().await;
    for tender in [
        TenderKind::Card,
        TenderKind::Bank,
        TenderKind::ApplePay,
        TenderKind::GooglePay,
    ] {
        for event in [accepted(new_order()), rejected(new_order())] {
            harness.receive(with_tender(event, tender.into())).await.unwrap();
        }
    }
    harness.receive(accepted(new_order())).await.unwrap();
    let holds: i64 = sqlx::query_scalar("SELECT count(*) FROM holds")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(holds, 0);
    harness.close().await;
}

#[tokio::test]
async fn invalid_events_are_rejected() {
    let harness = Harness::start().await;
    let mut garbled = delivery(&accepted(new_order()));
    garbled.payload = vec![0xff; 9];
    let mut without_order = accepted(new_order());
    without_order.order = None;
    let mut wrong_id = rejected(new_order());
    wrong_id.order = Some(OrderSnapshot {
        order_id: "str_1".into(),
        tender: TenderKind::Joepass.into(),
        ..OrderSnapshot::default()
    });
    for result in [
        harness.consume(&garbled).await,
        harness.receive(without_order).await,
        harness.receive(wrong_id).await,
    ] {
        assert!(matches!(result, Err(ConsumeError::Rejected(_))), "{result:?}");
    }
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_tender_is_rejected() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 530).await.unwrap();
    for tender in [TenderKind::Unspecified.into(), 99] {
        for event in [accepted(order), rejected(order)] {
            let result = harness.receive(with_tender(event, tender)).await;
            assert!(matches!(result, Err(ConsumeError::Rejected(_))), "{result:?}");
        }
    }
    assert_eq!(harness.wallet(consumer).await, (470, 530));
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_change_is_ignored() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 530).await.unwrap();
    let mut event = accepted(order);
    event.change = None;
    let mut delivery = delivery(&event);
    delivery.event_type = "ordering.OrderArchived".to_owned();
    harness.consume(&delivery).await.unwrap();
    assert_eq!(harness.wallet(consumer).await, (470, 530));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_capture_and_release_return_the_amount() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    for _ in 0..30 {
        let order = new_order();
        harness.hold(order, consumer, 530).await.unwrap();
        let changes = (0..6).map(|number| {
            let harness = Arc::clone(&harness);
            tokio::spawn(async move {
                match number % 3 {
                    0 => harness.receive(accepted(order)).await,
                    1 => harness.receive(cancelled(order)).await,
                    _ => harness
                        .close_hold(order)
                        .await
                        .available
                        .map(drop)
                        .ok_or(ConsumeError::Rejected(String::new())),
                }
            })
        });
        for result in join_all(changes).await {
            result.unwrap().unwrap();
        }
        assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    }
    assert_eq!(
        (
            harness.sum_of_postings(SALES).await,
            harness.sum_of_postings(IN_FLIGHT).await
        ),
        (0, 0)
    );
    Arc::into_inner(harness).unwrap().close().await;
}
