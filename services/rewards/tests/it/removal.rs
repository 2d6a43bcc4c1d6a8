//! A consumer leaves.

use proto::{
    accounts::v1::{ConsumerRegistered, ConsumerRemoved},
    ordering::v1::{OrderCompleted, OrderReady, OrderRejected},
};
use types::ConsumerId;

use crate::harness::{Harness, consumer, fact, order};

const PHONE: &str = "hash of a number";

fn left(consumer: ConsumerId) -> ConsumerRemoved {
    ConsumerRemoved {
        consumer_id: consumer.to_string(),
        phone_hash: PHONE.to_owned(),
    }
}

fn registered(consumer: ConsumerId) -> ConsumerRegistered {
    ConsumerRegistered {
        consumer_id: consumer.to_string(),
        registered_at: String::new(),
        phone_hash: PHONE.to_owned(),
    }
}

/// Everywhere that a consumer may be found.
async fn traces(harness: &Harness, consumer: ConsumerId) -> i64 {
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
async fn nothing_of_the_person_stays() {
    let harness = Harness::start().await;
    let (consumer, claimed) = (consumer(), order());
    harness.hears(registered(consumer)).await.unwrap();
    harness.claim(claimed, consumer, "WELCOME3", 640).await.unwrap();
    harness
        .hears(OrderCompleted {
            order: Some(fact(claimed, consumer)),
            items: Vec::new(),
        })
        .await
        .unwrap();
    for _ in 0..2 {
        harness.hears(left(consumer)).await.unwrap();
    }
    assert_eq!(traces(&harness, consumer).await, 0);
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
async fn late_facts_meet_a_tombstone() {
    let harness = Harness::start().await;
    let (consumer, claimed) = (consumer(), order());
    harness.claim(claimed, consumer, "WELCOME3", 640).await.unwrap();
    harness.hears(left(consumer)).await.unwrap();
    harness.hears(registered(consumer)).await.unwrap();
    harness
        .hears(OrderReady {
            order: Some(fact(order(), consumer)),
        })
        .await
        .unwrap();
    harness
        .hears(OrderRejected {
            order: Some(fact(claimed, consumer)),
        })
        .await
        .unwrap();
    harness
        .hears(OrderCompleted {
            order: Some(fact(order(), consumer)),
            items: Vec::new(),
        })
        .await
        .unwrap();
    assert_eq!(
        harness
            .claim(order(), consumer, "FRESH10", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_UNKNOWN"
    );
    assert_eq!(traces(&harness, consumer).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn once_stays_once_for_the_phone_number() {
    let harness = Harness::start().await;
    let (before, after) = (consumer(), consumer());
    harness.claim(order(), before, "WELCOME3", 640).await.unwrap();
    harness.hears(left(before)).await.unwrap();
    harness.hears(registered(after)).await.unwrap();
    assert_eq!(harness.price(after, "WELCOME3", 640).await.reason, "PROMO_USED");
    assert_eq!(
        harness
            .claim(order(), after, "WELCOME3", 640)
            .await
            .unwrap()
            .reason,
        "PROMO_USED"
    );
    harness.close().await;
}
