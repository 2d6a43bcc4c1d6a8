//! Refunds that the consumer's bank did not accept.

use gift_cards::accounts::{CLOSED_ACCOUNTS, FAILED_REFUNDS};
use types::ConsumerId;

use crate::{
    charge_events::refund_failed,
    harness::{Harness, at, consumer_removed, new_order},
};

#[tokio::test]
async fn a_failed_refund_is_added_to_joepass_once() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let event = refund_failed(new_order(), Some(consumer), 530);
    for _ in 0..2 {
        harness.receive(event.clone()).await.unwrap();
    }
    assert_eq!(harness.wallet(consumer).await, (530, 0));
    assert_eq!(harness.sum_of_postings(FAILED_REFUNDS).await, -530);
    assert_eq!(
        harness.published().await,
        ["gift-cards.BalanceChanged", "gift-cards.RefundCredited"]
    );
    assert_eq!(
        harness.transactions(consumer, 1, 0).await[0].kind,
        "refund_credit"
    );
    harness.close().await;
}

#[tokio::test]
async fn the_failed_refund_of_a_removed_consumer_goes_to_the_closed_accounts() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    harness.receive(consumer_removed(consumer)).await.unwrap();
    harness
        .receive(refund_failed(new_order(), Some(consumer), 530))
        .await
        .unwrap();
    assert_eq!(harness.sum_of_postings(CLOSED_ACCOUNTS).await, 530);
    harness.close().await;
}
