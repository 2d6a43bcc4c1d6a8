//! What is due is decided by the database's clock: replicas can have different clocks.

use std::time::Duration;

use ordering::{
    domain::status::Status,
    ops::advance_order::{Advance, advance_order},
    workers::{
        cancel_unaccepted_orders, complete_uncollected_orders, complete_unmarked_orders, promote_due_orders,
    },
};
use types::OrderId;

use crate::harness::Harness;

const DAY: Duration = Duration::from_hours(24);

/// Sets the times of all orders: promised in two hours, started in one.
async fn schedule_from_now(harness: &Harness) {
    harness
        .execute(
            "UPDATE orders SET start_at = now() + interval '1 hour', ready_at = now() + interval '2 hours'",
        )
        .await;
}

/// Runs all jobs of a replica whose clock is two days ahead, and returns the status of the order.
async fn status_after_jobs(harness: &Harness, order_id: OrderId) -> Status {
    let cx = &harness.cx;
    promote_due_orders(cx).await.unwrap();
    cancel_unaccepted_orders(cx).await.unwrap();
    complete_uncollected_orders(cx).await.unwrap();
    complete_unmarked_orders(cx).await.unwrap();
    harness.status(order_id).await
}

#[tokio::test]
async fn a_replica_with_a_fast_clock_neither_starts_nor_cancels_orders_too_early() {
    let harness = Harness::new().await;
    let order_id = harness.insert_order(Status::Scheduled).await.order.id;
    schedule_from_now(&harness).await;
    harness.advance_clock(2 * DAY);
    assert_eq!(status_after_jobs(&harness, order_id).await, Status::Scheduled);
    harness
        .execute("UPDATE orders SET start_at = now() - interval '1 second'")
        .await;
    assert_eq!(status_after_jobs(&harness, order_id).await, Status::Placed);
    harness.advance_clock(2 * DAY);
    assert_eq!(status_after_jobs(&harness, order_id).await, Status::Placed);
    harness
        .execute("UPDATE orders SET accept_by = accept_by - interval '601 seconds'")
        .await;
    assert_eq!(status_after_jobs(&harness, order_id).await, Status::Cancelled);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_replica_with_a_slow_clock_gives_stores_the_whole_time_to_accept() {
    let harness = Harness::new().await;
    let order_id = harness.insert_order(Status::Scheduled).await.order.id;
    harness.clock.advance(-jiff::SignedDuration::from_hours(1));
    advance_order(&harness.cx, None, order_id, Advance::Promote)
        .await
        .unwrap();
    assert_eq!(status_after_jobs(&harness, order_id).await, Status::Placed);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_replica_with_a_fast_clock_does_not_complete_orders_too_early() {
    let harness = Harness::new().await;
    for status in [Status::Ready, Status::Accepted] {
        let order_id = harness.insert_order(status).await.order.id;
        schedule_from_now(&harness).await;
        harness.advance_clock(2 * DAY);
        assert_eq!(status_after_jobs(&harness, order_id).await, status);
        harness
            .execute("UPDATE orders SET start_at = start_at - interval '2 days', ready_at = ready_at - interval '2 days'")
            .await;
        harness
            .execute("UPDATE order_history SET at = now() - interval '2 days'")
            .await;
        assert_eq!(status_after_jobs(&harness, order_id).await, Status::Completed);
    }
    harness.database.drop().await;
}
