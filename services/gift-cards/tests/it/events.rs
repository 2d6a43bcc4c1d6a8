//! Facts about orders, once, again, and in any order.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::ops;
use kit::consumer::ConsumeError;
use proto::{
    giftcards::v1::HoldState,
    ordering::v1::{OrderAbandoned, OrderAccepted, OrderCancelled, OrderSnapshot, OrderRejected, TenderKind},
};

use crate::harness::{Harness, delivery, joepass_order, order};

#[tokio::test]
async fn acceptance_captures_once() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, order());
    harness.hold(order, consumer, 530).await.unwrap();
    let accepted = delivery(&OrderAccepted {
        order: joepass_order(order),
    });
    for _ in 0..2 {
        harness.receives(&accepted).await.unwrap();
        harness
            .hears(OrderAccepted {
                order: joepass_order(order),
            })
            .await
            .unwrap();
    }
    assert_eq!(
        (harness.on(ops::SALES).await, harness.on(ops::IN_FLIGHT).await),
        (530, 0)
    );
    assert_eq!(harness.wallet(consumer).await, (470, 0));
    assert_eq!(
        harness.hold(order, consumer, 530).await.unwrap().state(),
        HoldState::Captured,
        "asked again, late"
    );
    harness.close().await;
}

#[tokio::test]
async fn any_end_gives_back_in_any_order() {
    for accepted_first in [true, false] {
        let harness = Harness::start().await;
        let consumer = harness.consumer_with(1_000).await;
        for end in 0..3 {
            let order = order();
            harness.hold(order, consumer, 530).await.unwrap();
            if accepted_first {
                harness
                    .hears(OrderAccepted {
                        order: joepass_order(order),
                    })
                    .await
                    .unwrap();
            }
            for _ in 0..2 {
                match end {
                    0 => {
                        harness
                            .hears(OrderAbandoned {
                                order: joepass_order(order),
                            })
                            .await
                    }
                    1 => {
                        harness
                            .hears(OrderCancelled {
                                order: joepass_order(order),
                            })
                            .await
                    }
                    _ => {
                        harness
                            .hears(OrderRejected {
                                order: joepass_order(order),
                            })
                            .await
                    }
                }
                .unwrap();
            }
            harness
                .hears(OrderAccepted {
                    order: joepass_order(order),
                })
                .await
                .unwrap();
            assert_eq!(harness.wallet(consumer).await, (1_000, 0), "end {end}");
        }
        assert_eq!(
            (harness.on(ops::SALES).await, harness.on(ops::IN_FLIGHT).await),
            (0, 0)
        );
        harness.close().await;
    }
}

#[tokio::test]
async fn an_end_that_overtakes_the_hold_closes_it() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, order());
    harness
        .hears(OrderAbandoned {
            order: joepass_order(order),
        })
        .await
        .unwrap();
    assert_eq!(
        &*harness.hold(order, consumer, 530).await.unwrap_err().reason,
        "HOLD_CLOSED"
    );
    harness.close().await;
}

#[tokio::test]
async fn orders_paid_otherwise_leave_no_trace() {
    let harness = Harness::start().await;
    let by_card = Some(OrderSnapshot {
        order_id: order().to_string(),
        tender: TenderKind::Card.into(),
        ..OrderSnapshot::default()
    });
    harness
        .hears(OrderAccepted {
            order: by_card.clone(),
        })
        .await
        .unwrap();
    harness.hears(OrderRejected { order: by_card }).await.unwrap();
    harness
        .hears(OrderAccepted {
            order: joepass_order(order()),
        })
        .await
        .unwrap();
    let holds: i64 = sqlx::query_scalar("SELECT count(*) FROM holds")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(holds, 0);
    harness.close().await;
}

#[tokio::test]
async fn what_cannot_be_read_goes_to_the_dead_letters() {
    let harness = Harness::start().await;
    let mut garbled = delivery(&OrderAccepted {
        order: joepass_order(order()),
    });
    garbled.payload = vec![0xff; 9];
    for refused in [
        harness.receives(&garbled).await,
        harness.hears(OrderAccepted { order: None }).await,
        harness
            .hears(OrderRejected {
                order: Some(OrderSnapshot {
                    order_id: "str_1".into(),
                    ..OrderSnapshot::default()
                }),
            })
            .await,
    ] {
        assert!(matches!(refused, Err(ConsumeError::Rejected(_))), "{refused:?}");
    }
    let mut unknown = delivery(&OrderAccepted::default());
    unknown.kind = "ordering.OrderSungAbout".to_owned();
    harness.receives(&unknown).await.unwrap();
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn capture_and_release_at_once_agree() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    for _ in 0..30 {
        let order = order();
        harness.hold(order, consumer, 530).await.unwrap();
        let facts = (0..6).map(|number| {
            let harness = Arc::clone(&harness);
            tokio::spawn(async move {
                match number % 3 {
                    0 => {
                        harness
                            .hears(OrderAccepted {
                                order: joepass_order(order),
                            })
                            .await
                    }
                    1 => {
                        harness
                            .hears(OrderCancelled {
                                order: joepass_order(order),
                            })
                            .await
                    }
                    _ => harness
                        .close_hold(order)
                        .await
                        .available
                        .map(drop)
                        .ok_or(ConsumeError::Rejected(String::new())),
                }
            })
        });
        for heard in join_all(facts).await {
            heard.unwrap().unwrap();
        }
        assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    }
    assert_eq!(
        (harness.on(ops::SALES).await, harness.on(ops::IN_FLIGHT).await),
        (0, 0)
    );
    Arc::into_inner(harness).unwrap().close().await;
}
