//! Leases and claims compare times of the database only: replicas can have different clocks.

use std::sync::Arc;

use jiff::SignedDuration;
use payments::workers::{effects::execute_due_effects, reconcile_charges::reconcile_charges};
use types::{Clock, ManualClock, SystemClock};

use crate::harness::{Card, Harness, accepted, new_order_id};

#[tokio::test]
async fn a_replica_with_a_fast_clock_does_not_reconcile_too_early() {
    let mut harness = Harness::new().await;
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    harness.authorize(new_order_id(), &ada, &account).await.unwrap();
    harness.cx.clock = Arc::new(ManualClock::at(SystemClock.now() + SignedDuration::from_hours(1)));
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 0);
    sqlx::query("UPDATE charges SET updated_at = now() - interval '3 minutes'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1);
    let is_now: bool = sqlx::query_scalar(
        "SELECT reconciled_at BETWEEN now() - interval '10 minutes' AND now() FROM charges",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert!(is_now);
    harness.shut_down().await;
}

#[tokio::test]
async fn effects_are_due_and_charges_change_at_times_of_the_database() {
    for offset in [SignedDuration::from_hours(1), SignedDuration::from_hours(-1)] {
        let mut harness = Harness::new().await;
        harness.cx.clock = Arc::new(ManualClock::at(SystemClock.now() + offset));
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.authorize(order_id, &ada, &card).await.unwrap();
        harness.consume_order_event(order_id, accepted()).await;
        let is_now: bool = sqlx::query_scalar(
            "SELECT bool_and(at BETWEEN now() - interval '10 minutes' AND now())
             FROM (SELECT due_at AS at FROM effects UNION ALL SELECT created_at FROM effects
                   UNION ALL SELECT created_at FROM charges UNION ALL SELECT updated_at FROM charges) AS times",
        )
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
        assert!(is_now, "{offset}");
        execute_due_effects(&harness.cx).await.unwrap();
        assert_eq!(harness.stored_state(order_id).await, "succeeded", "{offset}");
        harness.shut_down().await;
    }
}

/// Without the database's clock, the next attempt would be due in an hour.
#[tokio::test]
async fn a_failed_effect_is_retried_after_its_delay_by_the_database_s_clock() {
    let mut harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.cx.clock = Arc::new(ManualClock::at(SystemClock.now() + SignedDuration::from_hours(1)));
    let options = serde_json::json!({ "status": 503, "times": 1 });
    harness
        .sandbox
        .inject_fault("error", "/v1/payment_intents/*/capture", options)
        .await;
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "succeeded");
    harness.shut_down().await;
}
