//! Leases and claims compare times of the database only: replicas can have different clocks.

use std::sync::Arc;

use jiff::SignedDuration;
use payments::workers::reconcile_charges::reconcile_charges;
use types::{Clock, ManualClock, SystemClock};

use crate::harness::{Card, Harness, new_order_id};

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
