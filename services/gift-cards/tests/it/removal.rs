//! A consumer leaves.

use std::sync::Arc;

use gift_cards::ops;
use proto::{
    accounts::v1::ConsumerRemoved,
    giftcards::v1::{GetWalletRequest, gift_cards_server::GiftCards as _},
    ordering::v1::OrderCancelled,
};
use types::ConsumerId;

use crate::harness::{Harness, at, request_from_consumer, joepass_order, order};

fn left(consumer: ConsumerId) -> ConsumerRemoved {
    ConsumerRemoved {
        consumer_id: consumer.to_string(),
        phone_hash: String::new(),
    }
}

async fn knows(harness: &Harness, consumer: ConsumerId) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM ledger.accounts WHERE owner = $1)")
        .bind(consumer.uuid())
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn the_person_goes_and_the_books_stay() {
    let harness = Harness::start().await;
    let (consumer, held) = (harness.consumer_with(1_000).await, order());
    harness.hold(held, consumer, 300).await.unwrap();
    for _ in 0..2 {
        harness.hears(left(consumer)).await.unwrap();
    }
    assert_eq!(harness.on(ops::DEPARTED).await, 700);
    assert!(!knows(&harness, consumer).await);
    assert_eq!(
        &*harness.hold(order(), consumer, 1).await.unwrap_err().reason,
        "BALANCE_UNKNOWN"
    );
    let wallet = harness
        .grpc()
        .get_wallet(request_from_consumer(consumer, GetWalletRequest {}))
        .await
        .unwrap();
    assert!(wallet.into_inner().balances.is_empty());
    // The order that still ran is heard of later.
    harness
        .hears(OrderCancelled {
            order: joepass_order(held),
        })
        .await
        .unwrap();
    assert!(!knows(&harness, consumer).await);
    harness.close().await;
}

#[tokio::test]
async fn who_was_never_seen_is_not_opened_later() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    harness.hears(left(consumer)).await.unwrap();
    assert_eq!(
        &*harness.hold(order(), consumer, 0).await.unwrap_err().reason,
        "BALANCE_UNKNOWN"
    );
    assert!(!knows(&harness, consumer).await);
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_races_a_hold_and_the_first_wallet() {
    let harness = Arc::new(Harness::start().await);
    for funded in [1_000, 0] {
        for _ in 0..15 {
            let consumer = if funded > 0 {
                harness.consumer_with(funded).await
            } else {
                ConsumerId::new(at())
            };
            let (holder, leaver) = (Arc::clone(&harness), Arc::clone(&harness));
            let hold = tokio::spawn(async move { holder.hold(order(), consumer, funded).await });
            let leave = tokio::spawn(async move { leaver.hears(left(consumer)).await });
            leave.await.unwrap().unwrap();
            if let Err(refusal) = hold.await.unwrap() {
                assert!(
                    ["BALANCE_UNKNOWN", "INSUFFICIENT_BALANCE"].contains(&&*refusal.reason),
                    "{refusal}"
                );
            }
            assert!(!knows(&harness, consumer).await);
        }
    }
    Arc::into_inner(harness).unwrap().close().await;
}
