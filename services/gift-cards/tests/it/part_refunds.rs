//! Refunds of parts of captured holds.

use futures::future::join_all;
use gift_cards::accounts::SALES;
use prost::Message as _;
use proto::giftcards::v1::{BalanceEvent, HoldRefunded, balance_event::Change};

use crate::harness::{Harness, accepted, consumer_removed, new_order, rejected};

/// Returns the published refunds of holds, oldest first, and the consumers they name.
async fn refunds(harness: &Harness) -> Vec<(String, HoldRefunded)> {
    let payloads: Vec<Vec<u8>> = sqlx::query_scalar(
        "SELECT payload FROM outbox WHERE kind = 'gift-cards.HoldRefunded' ORDER BY position",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    let events = payloads
        .iter()
        .map(|payload| BalanceEvent::decode(payload.as_slice()).unwrap());
    events
        .map(|event| match event.change {
            Some(Change::HoldRefunded(refunded)) => (event.consumer_id, refunded),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[tokio::test]
async fn each_refund_is_published_once_with_the_name_of_the_balance() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, new_order());
    harness.hold(order, consumer, 1_000).await.unwrap();
    harness.receive(accepted(order)).await.unwrap();
    for _ in 0..2 {
        harness.refund_hold(order, "milk", 400).await.unwrap();
    }
    harness.refund_hold(order, "cake", 100).await.unwrap();
    let published = refunds(&harness).await;
    let expected = [("milk", 400), ("cake", 100)];
    assert_eq!(published.len(), expected.len());
    for ((consumer_id, refunded), (refund_id, cents)) in published.iter().zip(expected) {
        assert_eq!(*consumer_id, consumer.to_string());
        assert_eq!(
            (
                &*refunded.refund_id,
                refunded.amount_minor_units,
                &*refunded.currency
            ),
            (refund_id, cents, "usd")
        );
        assert_eq!(
            (&*refunded.order_id, &*refunded.balance_name),
            (&*order.to_string(), "JoePass")
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_refund_of_a_removed_consumer_is_not_published() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, new_order());
    harness.hold(order, consumer, 1_000).await.unwrap();
    harness.receive(accepted(order)).await.unwrap();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    harness.refund_hold(order, "milk", 400).await.unwrap();
    assert!(refunds(&harness).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn parts_go_back_once_each_and_never_more_than_the_hold() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, new_order());
    harness.hold(order, consumer, 1_000).await.unwrap();
    let reason = |result: Result<_, kit::ServiceError>| {
        result.map(|_: proto::giftcards::v1::Hold| ()).unwrap_err().reason
    };
    assert_eq!(
        reason(harness.refund_hold(order, "early", 1).await),
        "HOLD_NOT_REFUNDABLE"
    );
    harness.receive(accepted(order)).await.unwrap();
    for _ in 0..2 {
        harness.refund_hold(order, "first", 400).await.unwrap();
    }
    assert_eq!(harness.wallet(consumer).await, (4_400, 0));
    for (refund, cents, expected) in [
        ("first", 401, "REFUND_MISMATCH"),
        ("second", 601, "REFUND_TOO_LARGE"),
        ("second", 0, "REFUND_TOO_LARGE"),
        ("second", -1, "REFUND_TOO_LARGE"),
        ("", 1, "MALFORMED"),
    ] {
        assert_eq!(
            reason(harness.refund_hold(order, refund, cents).await),
            expected,
            "{refund} {cents}"
        );
    }
    let concurrent = join_all((0..6).map(|number| {
        let harness = &harness;
        async move { harness.refund_hold(order, &format!("part {number}"), 200).await }
    }))
    .await;
    assert_eq!(concurrent.iter().filter(|result| result.is_ok()).count(), 3);
    assert_eq!(harness.wallet(consumer).await, (5_000, 0));
    assert_eq!(harness.sum_of_postings(SALES).await, 0);
    assert_eq!(
        harness.transactions(consumer, 1, 0).await[0].kind,
        "order_refunded"
    );
    assert!(harness.audit_findings().await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn an_order_that_is_rejected_returns_what_was_not_refunded() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, new_order());
    harness.hold(order, consumer, 1_000).await.unwrap();
    harness.receive(accepted(order)).await.unwrap();
    harness.refund_hold(order, "part", 400).await.unwrap();
    for _ in 0..2 {
        harness.receive(rejected(order)).await.unwrap();
    }
    assert_eq!(harness.wallet(consumer).await, (5_000, 0));
    // A repeated call changes nothing, and there is nothing left to refund.
    harness.refund_hold(order, "part", 400).await.unwrap();
    let error = harness.refund_hold(order, "more", 1).await.unwrap_err();
    assert_eq!(error.reason, "HOLD_NOT_REFUNDABLE");
    assert_eq!(harness.wallet(consumer).await, (5_000, 0));
    assert!(harness.audit_findings().await.is_empty());
    harness.close().await;
}
