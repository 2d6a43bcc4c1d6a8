//! Orders that will not be made: the claim is given back, and the consumer is told.

use proto::ordering::v1::{OrderAbandoned, OrderCancelled, OrderSnapshot, OrderReady, OrderRejected};

use crate::harness::{Harness, consumer, fact, delivery, order, usd};

#[tokio::test]
async fn a_rejected_order_gives_its_code_back_and_says_so() {
    let harness = Harness::start().await;
    let (consumer, order) = (consumer(), order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    let fact = OrderSnapshot {
        message: "We are out of oat milk.".into(),
        ..fact(order, consumer)
    };
    let event = delivery(&OrderRejected {
        order: Some(fact.clone()),
    });
    harness.receives(&event).await.unwrap();
    harness.receives(&event).await.unwrap();
    harness.hears(OrderRejected { order: Some(fact) }).await.unwrap();
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.amount, usd(300));
    let message = harness.told(consumer).await.unwrap();
    assert_eq!(
        (message.kind.as_str(), &message.order_id),
        ("order_rejected", &order.to_string())
    );
    assert_eq!(
        message.body,
        "Sunset & Maltman: We are out of oat milk. $7.52 is back on your JoePass. Your code WELCOME3 can be used again."
    );
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 1);
    harness.close().await;
}

#[tokio::test]
async fn only_who_did_not_cancel_is_told() {
    let harness = Harness::start().await;
    for (reason, into_result) in [
        ("CONSUMER_CANCELLED", None),
        ("NOT_ACCEPTED", Some("order_cancelled")),
    ] {
        let (consumer, order) = (consumer(), order());
        harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
        let fact = OrderSnapshot {
            reason: reason.into(),
            ..fact(order, consumer)
        };
        harness.hears(OrderCancelled { order: Some(fact) }).await.unwrap();
        assert_eq!(
            harness
                .told(consumer)
                .await
                .map(|message| message.kind)
                .as_deref(),
            into_result
        );
        assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    }
    harness.close().await;
}

#[tokio::test]
async fn an_abandoned_order_gives_back_in_silence() {
    let harness = Harness::start().await;
    let (consumer, order) = (consumer(), order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    harness
        .hears(OrderAbandoned {
            order: Some(fact(order, consumer)),
        })
        .await
        .unwrap();
    assert_eq!(harness.price(consumer, "WELCOME3", 640).await.reason, "");
    assert_eq!(harness.told(consumer).await, None);
    let refusal = harness.claim(order, consumer, "WELCOME3", 640).await.unwrap_err();
    assert_eq!(&*refusal.reason, "CLAIM_CLOSED");
    harness.close().await;
}

#[tokio::test]
async fn an_order_without_a_code_is_only_told_about() {
    let harness = Harness::start().await;
    let (consumer, order) = (consumer(), order());
    harness
        .hears(OrderReady {
            order: Some(fact(order, consumer)),
        })
        .await
        .unwrap();
    let message = harness.told(consumer).await.unwrap();
    assert_eq!(
        (message.title.as_str(), message.kind.as_str()),
        ("Your order is ready", "order_ready")
    );
    assert_eq!(message.body, "Pick it up at Sunset & Maltman. It is number 42.");
    harness
        .hears(OrderCancelled {
            order: Some(fact(order, consumer)),
        })
        .await
        .unwrap();
    let claims: i64 = sqlx::query_scalar("SELECT count(*) FROM claims")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(claims, 0);
    harness.close().await;
}
