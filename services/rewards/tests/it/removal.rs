//! Removed consumers.

use proto::ordering::v1::EndReason;
use types::ConsumerId;

use crate::harness::{
    Harness, completed, consumer_registered, consumer_removed, new_consumer, new_order, order_end,
    order_snapshot, ready, rejected,
};

/// Counts the rows that contain the consumer, except the tombstone.
async fn count_rows(harness: &Harness, consumer: ConsumerId) -> i64 {
    sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM messages WHERE consumer_id = $1)
              + (SELECT count(*) FROM claims WHERE consumer_id = $1)
              + (SELECT count(*) FROM ledger.accounts WHERE owner = $1)
              + (SELECT count(*) FROM consumers WHERE consumer_id = $1 AND phone_hash IS NOT NULL)",
    )
    .bind(consumer.uuid())
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn removal_erases_the_consumer_everywhere() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.receive(consumer_registered(consumer)).await.unwrap();
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    harness
        .receive(completed(order_snapshot(order, consumer)))
        .await
        .unwrap();
    for _ in 0..2 {
        harness.receive(consumer_removed(consumer)).await.unwrap();
    }
    assert_eq!(count_rows(&harness, consumer).await, 0);
    assert_eq!(
        (
            harness.points(consumer).await,
            harness.inbox(consumer, 0, 0).await.total
        ),
        (0, 0)
    );
    harness.close().await;
}

#[tokio::test]
async fn late_events_of_a_removed_consumer_have_no_effect() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    harness.claim(order, consumer, "WELCOME3", 640).await.unwrap();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    harness.receive(consumer_registered(consumer)).await.unwrap();
    harness
        .receive(ready(order_snapshot(new_order(), consumer)))
        .await
        .unwrap();
    harness
        .receive(rejected(
            order_snapshot(order, consumer),
            order_end(EndReason::RejectedByStore),
        ))
        .await
        .unwrap();
    harness
        .receive(completed(order_snapshot(new_order(), consumer)))
        .await
        .unwrap();
    assert_eq!(
        harness
            .claim(new_order(), consumer, "FRESH10", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_UNKNOWN"
    );
    assert_eq!(count_rows(&harness, consumer).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn the_phone_number_of_a_removed_consumer_cannot_use_a_code_again() {
    let harness = Harness::start().await;
    let (before, after) = (new_consumer(), new_consumer());
    harness.claim(new_order(), before, "WELCOME3", 640).await.unwrap();
    harness.receive(consumer_removed(before)).await.unwrap();
    harness.receive(consumer_registered(after)).await.unwrap();
    assert_eq!(harness.price(after, "WELCOME3", 640).await.reason, "PROMO_USED");
    assert_eq!(
        harness
            .claim(new_order(), after, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_USED"
    );
    harness.close().await;
}
