//! The wallet and its transactions.

use gift_cards::{
    accounts::{DEVELOPMENT, SALES},
    ops::seed::{DEMO_CONSUMER, seed},
};
use proto::giftcards::v1::{FindBalanceRequest, gift_cards_server::GiftCards as _};
use testing::into_result;
use types::{BalanceId, ConsumerId};

use crate::harness::{Harness, accepted, at, new_order, rejected, request_from_consumer};

#[tokio::test]
async fn the_first_request_opens_an_empty_wallet() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    assert!(harness.transactions(consumer, 0, 0).await.is_empty());
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    harness.close().await;
}

#[tokio::test]
async fn seeding_twice_gives_the_demo_balance_once() {
    let harness = Harness::start().await;
    seed(&harness.cx).await.unwrap();
    harness.hold(new_order(), DEMO_CONSUMER, 1_000).await.unwrap();
    seed(&harness.cx).await.unwrap();
    assert_eq!(harness.wallet(DEMO_CONSUMER).await, (4_000, 1_000));
    assert_eq!(harness.sum_of_postings(DEVELOPMENT).await, -5_000);
    harness.close().await;
}

#[tokio::test]
async fn transactions_have_titles_and_states_and_sum_to_the_balance() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(5_000).await;
    let (held, paid, released, refunded) = (new_order(), new_order(), new_order(), new_order());
    for order in [held, paid, released, refunded] {
        harness.hold(order, consumer, 530).await.unwrap();
    }
    for order in [paid, refunded] {
        harness.receive(accepted(order)).await.unwrap();
    }
    harness.close_hold(released).await;
    harness.receive(rejected(refunded)).await.unwrap();

    let all = harness.transactions(consumer, 100, 0).await;
    let summary: Vec<_> = all
        .iter()
        .map(|transaction| {
            (
                transaction.kind.as_str(),
                transaction.amount.as_ref().unwrap().minor_units,
                transaction.state.as_str(),
            )
        })
        .collect();
    assert_eq!(
        summary,
        [
            ("order_refunded", 530, "refunded"),
            ("order_released", 530, "released"),
            ("order_held", -530, "refunded"),
            ("order_held", -530, "released"),
            ("order_held", -530, "paid"),
            ("order_held", -530, "held"),
            ("gift", 5_000, ""),
        ]
    );
    assert_eq!(all[0].title, "Refunded: Order at Sunset & Maltman");
    assert_eq!(all[1].title, "Released: Order at Sunset & Maltman");
    assert_eq!(all[0].order_id, refunded.to_string());
    let sum: i64 = all
        .iter()
        .map(|transaction| transaction.amount.as_ref().unwrap().minor_units)
        .sum();
    assert_eq!(
        (sum, all[0].balance_after.as_ref().unwrap().minor_units),
        (3_940, 3_940)
    );
    assert_eq!(harness.wallet(consumer).await, (3_940, 530));

    let pages = [
        harness.transactions(consumer, 4, 0).await,
        harness.transactions(consumer, 4, 4).await,
    ]
    .concat();
    assert_eq!(pages, all);
    let other = harness.consumer_with(0).await;
    assert!(harness.transactions(other, 0, 0).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn only_its_consumer_finds_a_balance() {
    let harness = Harness::start().await;
    let (owner, other) = (harness.consumer_with(500).await, harness.consumer_with(500).await);
    let find = async |consumer: ConsumerId, balance_id: String| {
        let request = request_from_consumer(consumer, FindBalanceRequest { balance_id });
        into_result(harness.grpc().find_balance(request).await)
            .unwrap()
            .name
    };
    let joepass = harness.joepass(owner).await.to_string();
    assert_eq!(find(owner, joepass.clone()).await, "JoePass");
    assert_eq!(find(other, joepass).await, "");
    let of_the_system = BalanceId::from_uuid(SALES.uuid());
    for unknown in [
        BalanceId::new(at()).to_string(),
        of_the_system.to_string(),
        "1".to_owned(),
    ] {
        assert_eq!(find(owner, unknown).await, "");
    }
    harness.close().await;
}
