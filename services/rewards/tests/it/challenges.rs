//! Challenges: progress from completed orders, claims, and refunds.

use std::sync::Arc;

use futures::future::join_all;
use kit::{ErrorCode, consumer::ConsumeError};
use proto::{
    ordering::v1::OrderSnapshot,
    rewards::v1::{Challenge, ChallengeState},
};
use types::{ConsumerId, StoreId};

use crate::harness::{
    Harness, at, completed, consumer_removed, delivery, new_consumer, new_order, order_snapshot,
    payment_failed, refund,
};

async fn challenge(harness: &Harness, consumer: ConsumerId, id: &str) -> Challenge {
    let list = harness.offers(consumer, "").await.unwrap();
    let challenge = list.challenges.into_iter().find(|other| other.challenge_id == id);
    challenge.unwrap()
}

async fn progress(harness: &Harness, consumer: ConsumerId, id: &str) -> (i64, ChallengeState) {
    let challenge = challenge(harness, consumer, id).await;
    (challenge.progress, challenge.state())
}

#[tokio::test]
async fn completed_orders_count_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let delivered = delivery(&completed(order_snapshot(new_order(), consumer)));
    for _ in 0..2 {
        harness.consume(&delivered).await.unwrap();
    }
    // The same completion in a second event.
    let order = harness.complete_order(consumer).await;
    harness
        .receive(completed(order_snapshot(order, consumer)))
        .await
        .unwrap();
    assert_eq!(
        progress(&harness, consumer, "five-orders").await,
        (2, ChallengeState::Open)
    );
    assert_eq!(progress(&harness, consumer, "regular").await.0, 1_280);
    assert_eq!(progress(&harness, new_consumer(), "five-orders").await.0, 0);
    harness.close().await;
}

#[tokio::test]
async fn stores_count_once_each() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let stores = [StoreId::new(at()), StoreId::new(at())];
    for store in [stores[0], stores[0], stores[1]] {
        let order = OrderSnapshot {
            store_id: store.to_string(),
            ..order_snapshot(new_order(), consumer)
        };
        harness.receive(completed(order)).await.unwrap();
    }
    assert_eq!(
        progress(&harness, consumer, "explorer").await,
        (2, ChallengeState::Open)
    );
    harness.close().await;
}

#[tokio::test]
async fn refunded_and_unpaid_orders_do_not_count() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let (refunded, partly, unpaid) = (
        harness.complete_order(consumer).await,
        harness.complete_order(consumer).await,
        harness.complete_order(consumer).await,
    );
    harness.receive(refund(refunded, consumer, 640)).await?;
    harness.receive(refund(partly, consumer, 140)).await?;
    harness
        .receive(payment_failed(order_snapshot(unpaid, consumer)))
        .await?;
    assert_eq!(progress(&harness, consumer, "five-orders").await.0, 1);
    assert_eq!(progress(&harness, consumer, "regular").await.0, 500);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn orders_that_a_discount_made_free_count() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let (tipped, free) = (new_order(), new_order());
    for (order, total_minor_units) in [(tipped, 112), (free, 0)] {
        let order = OrderSnapshot {
            earning_minor_units: 0,
            total_minor_units,
            store_id: StoreId::new(at()).to_string(),
            ..order_snapshot(order, consumer)
        };
        harness.receive(completed(order)).await?;
    }
    assert_eq!(progress(&harness, consumer, "five-orders").await.0, 2);
    assert_eq!(progress(&harness, consumer, "explorer").await.0, 2);
    // Refunds do not make the amount spent negative.
    harness.receive(refund(tipped, consumer, 12)).await?;
    assert_eq!(progress(&harness, consumer, "five-orders").await.0, 2);
    assert_eq!(progress(&harness, consumer, "regular").await.0, 0);
    harness.receive(refund(tipped, consumer, 100)).await?;
    assert_eq!(progress(&harness, consumer, "five-orders").await.0, 1);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_completed_challenge_is_claimed_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for _ in 0..4 {
        harness.complete_order(consumer).await;
    }
    let error = harness
        .claim_challenge(consumer, "five-orders")
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "CHALLENGE_NOT_COMPLETED")
    );
    harness.complete_order(consumer).await;
    assert_eq!(
        progress(&harness, consumer, "five-orders").await,
        (5, ChallengeState::Completed)
    );
    let claimed = harness.claim_challenge(consumer, "five-orders").await.unwrap();
    // 60 points for each order.
    assert_eq!(claimed.balance, 5 * 60 + 200);
    let challenge = claimed.challenge.unwrap();
    assert_eq!(challenge.state(), ChallengeState::Claimed);
    let claimed_at = harness.cx.clock.now();
    assert_eq!(challenge.claimed_at, claimed_at.to_string());
    assert_eq!(harness.points(consumer).await, 500);
    harness.advance_clock(86_400);
    let list = harness.offers(consumer, "").await.unwrap();
    let listed = list
        .challenges
        .iter()
        .find(|challenge| challenge.challenge_id == "five-orders")
        .unwrap();
    assert_eq!(listed.claimed_at, claimed_at.to_string());
    assert_eq!(harness.point_entries(consumer).await[0].title, "Five orders");
    let error = harness
        .claim_challenge(consumer, "five-orders")
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "CHALLENGE_CLAIMED")
    );
    for unknown in ["nosuch", ""] {
        let error = harness.claim_challenge(consumer, unknown).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "CHALLENGE_UNKNOWN")
        );
    }
    let error = harness
        .claim_challenge(new_consumer(), "five-orders")
        .await
        .unwrap_err();
    assert_eq!(
        error.reason, "CHALLENGE_NOT_COMPLETED",
        "orders of another consumer"
    );
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_concurrent_claims_succeeds() {
    let harness = Arc::new(Harness::start().await);
    let consumer = new_consumer();
    for _ in 0..5 {
        harness.complete_order(consumer).await;
    }
    let requests = (0..10).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.claim_challenge(consumer, "five-orders").await })
    });
    let claims: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    let (claimed, rejected): (Vec<_>, Vec<_>) = claims.into_iter().partition(Result::is_ok);
    assert_eq!((claimed.len(), rejected.len()), (1, 9));
    for error in rejected {
        assert_eq!(error.unwrap_err().reason, "CHALLENGE_CLAIMED");
    }
    assert_eq!(harness.points(consumer).await, 500);
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn a_refund_revokes_the_reward_until_the_challenge_is_completed_again() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = harness.complete_order(consumer).await;
    for _ in 0..4 {
        harness.complete_order(consumer).await;
    }
    harness.claim_challenge(consumer, "five-orders").await.unwrap();
    harness.receive(refund(order, consumer, 752)).await?;
    assert_eq!(harness.points(consumer).await, 4 * 60);
    assert_eq!(
        progress(&harness, consumer, "five-orders").await,
        (4, ChallengeState::Open)
    );
    harness.complete_order(consumer).await;
    harness.claim_challenge(consumer, "five-orders").await.unwrap();
    assert_eq!(harness.points(consumer).await, 5 * 60 + 200);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_removed_consumer_leaves_no_claims_and_orders() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for _ in 0..5 {
        harness.complete_order(consumer).await;
    }
    harness.claim_challenge(consumer, "five-orders").await.unwrap();
    harness.receive(consumer_removed(consumer)).await?;
    let rows: i64 = sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM challenge_claims WHERE consumer_id = $1)
              + (SELECT count(*) FROM order_points WHERE consumer_id = $1)",
    )
    .bind(consumer.uuid())
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert_eq!(rows, 0);
    let error = harness
        .claim_challenge(consumer, "five-orders")
        .await
        .unwrap_err();
    assert_eq!(error.reason, "CHALLENGE_UNKNOWN");
    harness.close().await;
    Ok(())
}
