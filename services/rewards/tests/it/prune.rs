use rewards::ops::prune_tombstones::prune_tombstones;

use crate::harness::{Harness, new_order};

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[tokio::test]
async fn tombstones_of_claims_are_deleted_after_a_month() {
    let harness = Harness::start().await;
    harness.close_claim(new_order()).await;
    harness.advance_clock(30 * DAY_SECONDS);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 0);
    harness.close_claim(new_order()).await;
    harness.advance_clock(2 * DAY_SECONDS);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 1);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 0);
    harness.close().await;
}
