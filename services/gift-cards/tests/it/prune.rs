use std::sync::Arc;

use gift_cards::{GiftCards, ops::prune_tombstones::prune_tombstones};
use jiff::SignedDuration;
use types::ManualClock;

use crate::harness::{Harness, at, new_order};

#[tokio::test]
async fn tombstones_are_deleted_after_a_month_and_holds_are_kept() {
    let harness = Harness::start().await;
    let consumer_id = harness.consumer_with(500).await;
    let (tombstone, held, released) = (new_order(), new_order(), new_order());
    harness.close_hold(tombstone).await;
    for order_id in [held, released] {
        harness.hold(order_id, consumer_id, 100).await.unwrap();
    }
    harness.close_hold(released).await;

    let days_later = |days: i64| GiftCards {
        clock: Arc::new(ManualClock::at(at() + SignedDuration::from_hours(24 * days))),
        ..harness.cx.clone()
    };
    assert_eq!(prune_tombstones(&days_later(30)).await.unwrap(), 0);
    assert_eq!(prune_tombstones(&days_later(32)).await.unwrap(), 1);
    // Only the order of the deleted tombstone can hold value again.
    assert!(harness.hold(tombstone, consumer_id, 100).await.is_ok());
    assert!(harness.hold(released, consumer_id, 100).await.is_err());
    assert_eq!(harness.wallet(consumer_id).await, (300, 200));
    harness.close().await;
}
