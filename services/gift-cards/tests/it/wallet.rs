//! What a consumer sees.

use gift_cards::ops::{self, seed::DEMO_CONSUMER};
use proto::ordering::v1::{OrderAccepted, OrderRejected};
use types::ConsumerId;

use crate::harness::{Harness, at, joepass_order, order};

#[tokio::test]
async fn a_wallet_is_there_on_first_sight() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    assert!(harness.transactions(consumer, 0, 0).await.is_empty());
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    harness.close().await;
}

#[tokio::test]
async fn seeding_again_gives_nothing_again() {
    let harness = Harness::start().await;
    ops::seed::seed(&harness.cx).await.unwrap();
    harness.hold(order(), DEMO_CONSUMER, 1_000).await.unwrap();
    ops::seed::seed(&harness.cx).await.unwrap();
    assert_eq!(harness.wallet(DEMO_CONSUMER).await, (4_000, 1_000));
    assert_eq!(harness.on(ops::DEVELOPMENT).await, -5_000);
    harness.close().await;
}

#[tokio::test]
async fn each_line_explains_itself_and_their_sum_is_the_balance() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(5_000).await;
    let (held, paid, released, refunded) = (order(), order(), order(), order());
    for order in [held, paid, released, refunded] {
        harness.hold(order, consumer, 530).await.unwrap();
    }
    for order in [paid, refunded] {
        harness
            .hears(OrderAccepted {
                order: joepass_order(order),
            })
            .await
            .unwrap();
    }
    harness.close_hold(released).await;
    harness
        .hears(OrderRejected {
            order: joepass_order(refunded),
        })
        .await
        .unwrap();

    let all = harness.transactions(consumer, 100, 0).await;
    let seen: Vec<_> = all
        .iter()
        .map(|line| {
            (
                line.kind.as_str(),
                line.amount.as_ref().unwrap().minor_units,
                line.state.as_str(),
            )
        })
        .collect();
    assert_eq!(
        seen,
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
    assert_eq!(all[0].title, "Given back: Order at Sunset & Maltman");
    assert_eq!(all[0].order_id, refunded.to_string());
    let sum: i64 = all
        .iter()
        .map(|line| line.amount.as_ref().unwrap().minor_units)
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
    let stranger = harness.consumer_with(0).await;
    assert!(harness.transactions(stranger, 0, 0).await.is_empty());
    harness.close().await;
}
