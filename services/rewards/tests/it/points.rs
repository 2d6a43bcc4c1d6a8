//! Points for orders: once, repeated, and with refunds in any order.

use std::sync::Arc;

use futures::future::join_all;
use kit::consumer::ConsumeError;
use proto::{
    ordering::v1::{OrderCompleted, OrderEvent, OrderSnapshot, order_event},
    payments::v1::{ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, RefundDone, charge_event},
    rewards::v1::{GetPointsRequest, rewards_server::Rewards as _},
};
use rewards::ops::seed::{self, DEMO_CONSUMER};
use types::{Clock as _, ConsumerId, OrderId};

use crate::harness::{
    Harness, at, completed, delivery, new_consumer, new_order, order_snapshot, payment_failed, ready,
    refunded, request_from_consumer,
};

fn completion(order: OrderId, consumer: ConsumerId) -> OrderEvent {
    completed(order_snapshot(order, consumer))
}

fn refund(order: OrderId, consumer: ConsumerId, cents: i64) -> ChargeEvent {
    refunded(ChargeSnapshot {
        subject: Some(order_subject(order)),
        consumer_id: consumer.to_string(),
        amount_minor_units: cents,
        currency: "usd".to_owned(),
        changed_at: at().to_string(),
        ..ChargeSnapshot::default()
    })
}

fn order_subject(order: OrderId) -> ChargeSubject {
    ChargeSubject {
        purpose: ChargePurpose::Order.into(),
        id: order.to_string(),
    }
}

#[tokio::test]
async fn a_delayed_event_is_published_with_the_current_time() {
    let harness = Harness::start().await;
    harness.advance_clock(40 * 24 * 3_600);
    harness
        .receive(completion(new_order(), new_consumer()))
        .await
        .unwrap();
    for event_type in ["rewards.PointsEarned", "rewards.InboxMessageAdded"] {
        // The seed published an older welcome message.
        let latest = harness.published_at(event_type).await.into_iter().max();
        assert_eq!(
            latest,
            Some(harness.clock.now()),
            "{event_type}: consumers reject events that are a month old"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_completed_order_earns_points_once_and_notifies_the_consumer() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    assert_eq!(harness.points(consumer).await, 0);
    let delivery = delivery(&completion(order, consumer));
    harness.consume(&delivery).await.unwrap();
    harness.consume(&delivery).await.unwrap();
    harness.receive(completion(order, consumer)).await.unwrap();
    assert_eq!(
        harness.points(consumer).await,
        60,
        "10 for each whole dollar of $6.40"
    );
    assert_eq!(harness.count_published("rewards.PointsEarned").await, 1);

    let entries = harness.point_entries(consumer).await;
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].points, entries[0].balance_after), (60, 60));
    assert_eq!(
        (entries[0].title.as_str(), &entries[0].order_id),
        ("Order at Sunset & Maltman", &order.to_string())
    );

    let message = harness.latest_message(consumer).await.unwrap();
    assert_eq!(
        (message.kind.as_str(), message.title.as_str()),
        ("points_earned", "You earned 60 points")
    );
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 1);
    harness.close().await;
}

#[tokio::test]
async fn an_order_leaves_one_message_whichever_event_arrives_first() {
    let harness = Harness::start().await;
    for ready_first in [true, false] {
        let (consumer, order) = (new_consumer(), new_order());
        let ready = ready(order_snapshot(order, consumer));
        if ready_first {
            harness.receive(ready).await.unwrap();
            assert_eq!(
                harness.latest_message(consumer).await.unwrap().kind,
                "order_ready"
            );
            harness.receive(completion(order, consumer)).await.unwrap();
        } else {
            harness.receive(completion(order, consumer)).await.unwrap();
            harness.receive(ready).await.unwrap();
        }
        assert_eq!(
            harness.latest_message(consumer).await.unwrap().kind,
            "points_earned"
        );
        assert_eq!(
            harness.inbox(consumer, 0, 0).await.total,
            1,
            "ready first: {ready_first}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn an_order_under_a_dollar_earns_nothing() {
    let harness = Harness::start().await;
    for cents in [0, 99, -300] {
        let consumer = new_consumer();
        let order = OrderSnapshot {
            earning_minor_units: cents,
            ..order_snapshot(new_order(), consumer)
        };
        harness.receive(completed(order)).await.unwrap();
        assert_eq!(
            (
                harness.points(consumer).await,
                harness.latest_message(consumer).await
            ),
            (0, None)
        );
    }
    harness.close().await;
}

/// Returns the texts of the messages about refunds.
async fn refund_messages(harness: &Harness, consumer: ConsumerId) -> Vec<String> {
    let messages = harness.inbox(consumer, 0, 0).await.messages.into_iter();
    messages
        .filter(|message| message.kind == "refund_done")
        .map(|message| message.body)
        .collect()
}

#[tokio::test]
async fn a_refund_revokes_points_before_or_after_the_completion() {
    let harness = Harness::start().await;
    for refund_first in [false, true] {
        let (consumer, order) = (new_consumer(), new_order());
        if refund_first {
            harness.receive(refund(order, consumer, 200)).await.unwrap();
            harness.receive(completion(order, consumer)).await.unwrap();
        } else {
            harness.receive(completion(order, consumer)).await.unwrap();
            harness.receive(refund(order, consumer, 200)).await.unwrap();
        }
        assert_eq!(harness.points(consumer).await, 40, "refund first: {refund_first}");
        // "You earned 60 points" is in the inbox already, or is added later with what remains.
        let taken_back = if refund_first {
            ""
        } else {
            " We took back 20 points."
        };
        assert_eq!(
            refund_messages(&harness, consumer).await,
            [format!(
                "It can take a few days to show up on your statement.{taken_back}"
            )]
        );
        harness.receive(refund(order, consumer, 900)).await.unwrap();
        assert_eq!(
            harness.points(consumer).await,
            0,
            "at most the points of the order"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn an_unpaid_order_earns_no_points_whether_it_was_completed_before_or_after() {
    let harness = Harness::start().await;
    for failed_first in [false, true] {
        let (consumer, order) = (new_consumer(), new_order());
        let failed = delivery(&payment_failed(order_snapshot(order, consumer)));
        if failed_first {
            harness.consume(&failed).await.unwrap();
            harness.receive(completion(order, consumer)).await.unwrap();
        } else {
            harness.receive(completion(order, consumer)).await.unwrap();
            assert_eq!(harness.points(consumer).await, 60);
            harness.consume(&failed).await.unwrap();
        }
        harness.consume(&failed).await.unwrap();
        harness
            .receive(payment_failed(order_snapshot(order, consumer)))
            .await
            .unwrap();
        harness.receive(refund(order, consumer, 200)).await.unwrap();
        assert_eq!(harness.points(consumer).await, 0, "failed first: {failed_first}");
        let entries = harness.point_entries(consumer).await;
        let points: Vec<_> = entries
            .iter()
            .map(|entry| (entry.points, entry.title.as_str()))
            .collect();
        if failed_first {
            assert_eq!(points, []);
        } else {
            assert_eq!(points, [(-60, "Unpaid order"), (60, "Order at Sunset & Maltman")]);
        }
    }
    harness.close().await;
}

#[tokio::test]
async fn only_the_points_of_the_unpaid_order_are_revoked() {
    let harness = Harness::start().await;
    let (consumer, unpaid) = (new_consumer(), new_order());
    harness.receive(completion(unpaid, consumer)).await.unwrap();
    harness.receive(completion(new_order(), consumer)).await.unwrap();
    harness
        .receive(payment_failed(order_snapshot(unpaid, consumer)))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, 60, "of the order that is paid");
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_completions_and_refunds_post_the_difference_once() {
    let harness = Arc::new(Harness::start().await);
    let consumer = new_consumer();
    let orders: Vec<_> = (0..5).map(|_| new_order()).collect();
    let events = (0..20).map(|number: usize| {
        let (harness, order) = (Arc::clone(&harness), orders[number % 5]);
        tokio::spawn(async move {
            match number / 5 {
                0 => harness.receive(refund(order, consumer, 200)).await,
                _ => harness.receive(completion(order, consumer)).await,
            }
        })
    });
    for result in join_all(events).await {
        result.unwrap().unwrap();
    }
    assert_eq!(harness.points(consumer).await, 5 * 40);
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn seeding_twice_gives_the_demo_points_once() {
    let harness = Harness::start().await;
    seed::seed(&harness.cx).await.unwrap();
    let request = request_from_consumer(DEMO_CONSUMER, GetPointsRequest::default());
    let points = harness.grpc().get_points(request).await.unwrap().into_inner();
    assert_eq!((points.balance, points.points_per_unit), (120, 10));
    let tiers: Vec<_> = points
        .tiers
        .iter()
        .map(|tier| (tier.points, tier.title.as_str()))
        .collect();
    assert_eq!(
        tiers,
        [
            (250, "$1 off a drink"),
            (600, "$3 off a drink"),
            (1000, "A free drink up to $6")
        ]
    );
    assert_eq!(harness.inbox(DEMO_CONSUMER, 0, 0).await.total, 1);
    harness.close().await;
}

#[tokio::test]
async fn invalid_events_are_rejected() {
    let harness = Harness::start().await;
    let valid = order_snapshot(new_order(), new_consumer());
    let mut garbled = delivery(&completed(valid.clone()));
    garbled.payload = vec![0xff; 9];
    assert!(matches!(
        harness.consume(&garbled).await,
        Err(ConsumeError::Rejected(_))
    ));
    for order in [
        None,
        Some(OrderSnapshot {
            order_id: "x".into(),
            ..valid.clone()
        }),
        Some(OrderSnapshot {
            consumer_id: String::new(),
            ..valid.clone()
        }),
        Some(OrderSnapshot {
            currency: "xxx".into(),
            ..valid.clone()
        }),
    ] {
        let event = OrderEvent {
            order,
            change: Some(order_event::Change::Completed(OrderCompleted::default())),
        };
        let result = harness.receive(event).await;
        assert!(matches!(result, Err(ConsumeError::Rejected(_))), "{result:?}");
    }
    let without_charge = ChargeEvent {
        charge: None,
        change: Some(charge_event::Change::Refunded(RefundDone::default())),
    };
    let result = harness.receive(without_charge).await;
    assert!(matches!(result, Err(ConsumeError::Rejected(_))), "{result:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_refund_to_a_removed_consumer_has_no_effect() {
    let harness = Harness::start().await;
    let charge = ChargeSnapshot {
        subject: Some(order_subject(new_order())),
        amount_minor_units: 500,
        currency: "usd".into(),
        ..Default::default()
    };
    harness.receive(refunded(charge)).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_change_is_ignored() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let event = OrderEvent {
        order: Some(order_snapshot(new_order(), consumer)),
        change: None,
    };
    let mut delivery = delivery(&event);
    delivery.event_type = "ordering.OrderArchived".to_owned();
    harness.consume(&delivery).await.unwrap();
    assert_eq!(harness.latest_message(consumer).await, None);
    harness.close().await;
}
