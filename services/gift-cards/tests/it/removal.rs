//! Removed consumers.

use std::sync::Arc;

use gift_cards::accounts::CLOSED_ACCOUNTS;
use proto::giftcards::v1::{GetWalletRequest, gift_cards_server::GiftCards as _};
use types::ConsumerId;

use crate::harness::{Harness, at, cancelled, consumer_removed, new_order, request_from_consumer};

async fn has_account(harness: &Harness, consumer: ConsumerId) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM ledger.accounts WHERE owner = $1)")
        .bind(consumer.uuid())
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn removal_keeps_the_postings_without_the_consumer() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 300).await.unwrap();
    for _ in 0..2 {
        harness.receive(consumer_removed(consumer)).await.unwrap();
    }
    assert_eq!(harness.sum_of_postings(CLOSED_ACCOUNTS).await, 700);
    assert!(!has_account(&harness, consumer).await);
    assert_eq!(
        &*harness.hold(new_order(), consumer, 1).await.unwrap_err().reason,
        "BALANCE_UNKNOWN"
    );
    let wallet = harness
        .grpc()
        .get_wallet(request_from_consumer(consumer, GetWalletRequest {}))
        .await
        .unwrap();
    assert!(wallet.into_inner().balances.is_empty());
    // The event of an order that was active at the removal.
    harness.receive(cancelled(order)).await.unwrap();
    assert!(!has_account(&harness, consumer).await);
    harness.close().await;
}

#[tokio::test]
async fn a_consumer_removed_before_the_first_request_gets_no_account() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    harness.receive(consumer_removed(consumer)).await.unwrap();
    assert_eq!(
        &*harness.hold(new_order(), consumer, 0).await.unwrap_err().reason,
        "BALANCE_UNKNOWN"
    );
    assert!(!has_account(&harness, consumer).await);
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removal_concurrent_with_a_hold_leaves_no_account() {
    let harness = Arc::new(Harness::start().await);
    for cents in [1_000, 0] {
        for _ in 0..15 {
            let consumer = if cents > 0 {
                harness.consumer_with(cents).await
            } else {
                ConsumerId::new(at())
            };
            let (holder, remover) = (Arc::clone(&harness), Arc::clone(&harness));
            let hold = tokio::spawn(async move { holder.hold(new_order(), consumer, cents).await });
            let removal = tokio::spawn(async move { remover.receive(consumer_removed(consumer)).await });
            removal.await.unwrap().unwrap();
            if let Err(error) = hold.await.unwrap() {
                assert!(
                    ["BALANCE_UNKNOWN", "INSUFFICIENT_BALANCE"].contains(&&*error.reason),
                    "{error}"
                );
            }
            assert!(!has_account(&harness, consumer).await);
        }
    }
    Arc::into_inner(harness).unwrap().close().await;
}
