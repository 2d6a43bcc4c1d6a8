//! Points for orders: once, again, and with refunds in any order.

use std::sync::Arc;

use futures::future::join_all;
use kit::consumer::ConsumeError;
use proto::{
    ordering::v1::{OrderCompleted, OrderSnapshot},
    payments::v1::{ChargeSnapshot, RefundDone},
    rewards::v1::{GetPointsRequest, rewards_server::Rewards as _},
};
use rewards::ops::seed::{self, DEMO_CONSUMER};
use types::{Clock as _, ConsumerId, OrderId};

use crate::harness::{Harness, at, request_from_consumer, consumer, fact, delivery, order};

fn completed(order: OrderId, consumer: ConsumerId) -> OrderCompleted {
    OrderCompleted {
        order: Some(fact(order, consumer)),
        items: Vec::new(),
    }
}

fn refunded(order: OrderId, consumer: ConsumerId, cents: i64) -> RefundDone {
    RefundDone {
        charge: Some(ChargeSnapshot {
            charge_id: String::new(),
            order_id: order.to_string(),
            consumer_id: consumer.to_string(),
            amount_minor_units: cents,
            currency: "usd".to_owned(),
            at: at().to_string(),
        }),
    }
}

#[tokio::test]
async fn what_is_heard_late_is_told_as_of_now() {
    let harness = Harness::start().await;
    harness.later(40 * 24 * 3_600);
    harness.hears(completed(order(), consumer())).await.unwrap();
    for kind in ["rewards.PointsEarned", "rewards.InboxMessageAdded"] {
        // The seed's welcome is older.
        let latest = harness.dated(kind).await.into_iter().max();
        assert_eq!(
            latest,
            Some(harness.clock.now()),
            "{kind}: consumers refuse what is a month old"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_completed_order_earns_once_and_says_so() {
    let harness = Harness::start().await;
    let (consumer, order) = (consumer(), order());
    assert_eq!(harness.points(consumer).await, 0);
    let event = delivery(&completed(order, consumer));
    harness.receives(&event).await.unwrap();
    harness.receives(&event).await.unwrap();
    harness.hears(completed(order, consumer)).await.unwrap();
    assert_eq!(
        harness.points(consumer).await,
        60,
        "10 for each whole dollar of $6.40"
    );
    assert_eq!(harness.published("rewards.PointsEarned").await, 1);

    let entries = harness.entries(consumer).await;
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].points, entries[0].balance_after), (60, 60));
    assert_eq!(
        (entries[0].title.as_str(), &entries[0].order_id),
        ("Order at Sunset & Maltman", &order.to_string())
    );

    let message = harness.told(consumer).await.unwrap();
    assert_eq!(
        (message.kind.as_str(), message.title.as_str()),
        ("points_earned", "You earned 60 points")
    );
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 1);
    harness.close().await;
}

#[tokio::test]
async fn an_order_under_a_dollar_earns_nothing() {
    let harness = Harness::start().await;
    for cents in [0, 99, -300] {
        let consumer = consumer();
        let fact = OrderSnapshot {
            earning_minor_units: cents,
            ..fact(order(), consumer)
        };
        harness
            .hears(OrderCompleted {
                order: Some(fact),
                items: Vec::new(),
            })
            .await
            .unwrap();
        assert_eq!(
            (harness.points(consumer).await, harness.told(consumer).await),
            (0, None)
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_refund_takes_points_back_in_any_order() {
    let harness = Harness::start().await;
    for refund_first in [false, true] {
        let (consumer, order) = (consumer(), order());
        if refund_first {
            harness.hears(refunded(order, consumer, 200)).await.unwrap();
            harness.hears(completed(order, consumer)).await.unwrap();
        } else {
            harness.hears(completed(order, consumer)).await.unwrap();
            harness.hears(refunded(order, consumer, 200)).await.unwrap();
        }
        assert_eq!(harness.points(consumer).await, 40, "refund first: {refund_first}");
        harness.hears(refunded(order, consumer, 900)).await.unwrap();
        assert_eq!(
            harness.points(consumer).await,
            0,
            "never more than the order gave"
        );
    }
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_completions_and_refunds_at_once_agree() {
    let harness = Arc::new(Harness::start().await);
    let consumer = consumer();
    let orders: Vec<_> = (0..5).map(|_| order()).collect();
    let facts = (0..20).map(|number: usize| {
        let (harness, order) = (Arc::clone(&harness), orders[number % 5]);
        tokio::spawn(async move {
            match number / 5 {
                0 => harness.hears(refunded(order, consumer, 200)).await,
                _ => harness.hears(completed(order, consumer)).await,
            }
        })
    });
    for heard in join_all(facts).await {
        heard.unwrap().unwrap();
    }
    assert_eq!(harness.points(consumer).await, 5 * 40);
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn the_demo_consumer_starts_with_some_once() {
    let harness = Harness::start().await;
    seed::seed(&harness.cx).await.unwrap();
    let request = request_from_consumer(DEMO_CONSUMER, GetPointsRequest {});
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
async fn what_cannot_be_read_goes_to_the_dead_letters() {
    let harness = Harness::start().await;
    let good = fact(order(), consumer());
    let mut garbled = delivery(&OrderCompleted::default());
    garbled.payload = vec![0xff; 9];
    assert!(matches!(
        harness.receives(&garbled).await,
        Err(ConsumeError::Rejected(_))
    ));
    for order in [
        None,
        Some(OrderSnapshot {
            order_id: "x".into(),
            ..good.clone()
        }),
        Some(OrderSnapshot {
            consumer_id: String::new(),
            ..good.clone()
        }),
        Some(OrderSnapshot {
            currency: "xxx".into(),
            ..good.clone()
        }),
    ] {
        let refused = harness
            .hears(OrderCompleted {
                order,
                items: Vec::new(),
            })
            .await;
        assert!(matches!(refused, Err(ConsumeError::Rejected(_))), "{refused:?}");
    }
    assert!(matches!(
        harness.hears(RefundDone { charge: None }).await,
        Err(ConsumeError::Rejected(_))
    ));
    harness.close().await;
}

#[tokio::test]
async fn a_refund_to_somebody_who_was_removed_is_told_to_nobody() {
    let harness = Harness::start().await;
    let charge = ChargeSnapshot {
        order_id: order().to_string(),
        amount_minor_units: 500,
        currency: "usd".into(),
        ..Default::default()
    };
    harness.hears(RefundDone { charge: Some(charge) }).await.unwrap();
    harness.close().await;
}
