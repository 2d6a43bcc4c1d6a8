//! Holds and captures that are written with one statement.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::accounts::SALES;
use prost::Message;
use proto::giftcards::v1::{
    BalanceEvent, HoldState, HoldValueRequest, InsufficientBalance, balance_event::Change,
};
use types::{ConsumerId, OrderId};

use crate::harness::{Harness, accepted, consumer_removed, hold_request, new_order, usd};

/// Returns a request that names the consumer's JoePass.
async fn request(harness: &Harness, order: OrderId, consumer: ConsumerId, cents: i64) -> HoldValueRequest {
    HoldValueRequest {
        balance_id: harness.joepass(consumer).await.to_string(),
        ..hold_request(order, consumer, cents)
    }
}

/// Returns the version and the balance of the newest event.
async fn newest_balance(harness: &Harness) -> (i64, i64) {
    let (version, payload): (i64, Vec<u8>) =
        sqlx::query_as("SELECT aggregate_version, payload FROM outbox ORDER BY position DESC LIMIT 1")
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
    match BalanceEvent::decode(payload.as_slice()).unwrap().change {
        Some(Change::BalanceChanged(changed)) => {
            assert_eq!(
                (&*changed.currency, changed.changed_at),
                ("usd", harness.now().to_string())
            );
            (version, changed.available_minor_units)
        }
        change => panic!("{change:?}"),
    }
}

#[tokio::test]
async fn the_event_of_a_hold_has_the_balance_after_it() {
    let harness = Harness::start().await;
    for rest in [0, 1, 127, 128, 3_760, 16_384, 99_999_999, 1 << 40] {
        let consumer = harness.consumer_with(rest + 5).await;
        let held = harness
            .hold_value(request(&harness, new_order(), consumer, 5).await)
            .await
            .unwrap();
        assert_eq!(held.available, usd(rest));
        assert_eq!(newest_balance(&harness).await, (2, rest));
    }
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_holds_never_exceed_the_balance() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    let holds = (0..30).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move {
            let request = request(&harness, new_order(), consumer, 100).await;
            harness.hold_value(request).await.is_ok()
        })
    });
    let held = join_all(holds)
        .await
        .into_iter()
        .filter(|is_held| *is_held.as_ref().unwrap())
        .count();
    assert_eq!((held, harness.wallet(consumer).await), (10, (0, 1_000)));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_holds_and_a_close_at_the_same_time_hold_once_or_nothing() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    for _ in 0..30 {
        let order = new_order();
        let request = request(&harness, order, consumer, 300).await;
        let holds = (0..2).map(|_| {
            let (harness, request) = (Arc::clone(&harness), request.clone());
            tokio::spawn(async move { harness.hold_value(request).await })
        });
        let closer = Arc::clone(&harness);
        let close = tokio::spawn(async move { closer.close_hold(order).await });
        for hold in join_all(holds).await {
            if let Err(error) = hold.unwrap() {
                assert_eq!(error.reason, "HOLD_CLOSED");
            }
        }
        let closed = close.await.unwrap();
        assert!([HoldState::Released, HoldState::Closed].contains(&closed.state()));
        assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    }
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn a_repeated_hold_and_one_of_too_much_change_nothing() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    let request_of = async |order, cents| request(&harness, order, consumer, cents).await;
    let held = harness.hold_value(request_of(order, 700).await).await.unwrap();
    assert_eq!(
        harness.hold_value(request_of(order, 700).await).await.unwrap(),
        held
    );
    let error = harness
        .hold_value(request_of(order, 100).await)
        .await
        .unwrap_err();
    assert_eq!(error.reason, "HOLD_MISMATCH");
    let error = harness
        .hold_value(request_of(new_order(), 301).await)
        .await
        .unwrap_err();
    assert_eq!(error.detail(), Some(InsufficientBalance { available: usd(300) }));
    assert_eq!(harness.wallet(consumer).await, (300, 700));
    harness.close().await;
}

#[tokio::test]
async fn nothing_is_held_from_the_joepass_of_a_removed_consumer() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let request = request(&harness, new_order(), consumer, 100).await;
    harness.receive(consumer_removed(consumer)).await.unwrap();
    let error = harness.hold_value(request).await.unwrap_err();
    assert_eq!(error.reason, "BALANCE_UNKNOWN");
    harness.close().await;
}

#[tokio::test]
async fn an_accepted_order_that_costs_nothing_is_captured_without_a_posting() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(0).await, new_order());
    harness.hold(order, consumer, 0).await.unwrap();
    harness.receive(accepted(order)).await.unwrap();
    assert_eq!(
        harness.hold(order, consumer, 0).await.unwrap().state(),
        HoldState::Captured
    );
    assert_eq!(harness.sum_of_postings(SALES).await, 0);
    harness.close().await;
}
