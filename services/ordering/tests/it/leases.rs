use std::time::Duration;

use ordering::{
    db::orders::{self, Change, Row},
    domain::order::Status,
};

use crate::harness::Harness;

fn placed() -> Change<'static> {
    Change {
        status: Status::Placed,
        reason: "",
        message: "",
        placed_at: None,
        accept_by: None,
    }
}

async fn advance(harness: &Harness, row: &Row) -> bool {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    orders::advance(&mut conn, row, &placed()).await.unwrap()
}

#[tokio::test]
async fn a_saga_that_was_taken_over_writes_nothing_any_more() {
    let harness = Harness::new().await;
    let slow = harness.order("payment_pending").await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let now = harness.now();
    assert!(
        orders::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    harness.later(Duration::from_secs(16));
    let now = harness.now();
    let taken = orders::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 10)
        .await
        .unwrap();
    assert_eq!(taken, [slow.order_id()]);
    assert!(!orders::set_promise(&mut conn, &slow, now, now).await.unwrap());
    assert!(
        !orders::await_action(&mut conn, &slow, "secret", now)
            .await
            .unwrap()
    );
    drop(conn);
    assert!(!advance(&harness, &slow).await);
    assert_eq!(harness.status(slow.order_id()).await, "payment_pending");
    harness.database.drop().await;
}

#[tokio::test]
async fn of_many_recoveries_one_takes_an_order() {
    let harness = Harness::new().await;
    for _ in 0..10 {
        harness.order("payment_pending").await;
    }
    harness.later(Duration::from_secs(16));
    let now = harness.now();
    let claims = (0..8).map(|_| async {
        let mut conn = harness.cx.pool.acquire().await.unwrap();
        orders::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 5)
            .await
            .unwrap()
    });
    let taken: Vec<_> = futures::future::join_all(claims)
        .await
        .into_iter()
        .flatten()
        .collect();
    let mut once = taken.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((taken.len(), once.len()), (10, 10));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_waits_for_its_consumer_is_left_alone_until_that_expires() {
    let harness = Harness::new().await;
    let row = harness.order("payment_pending").await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let until = harness.now() + Duration::from_secs(600);
    assert!(
        orders::await_action(&mut conn, &row, "secret", until)
            .await
            .unwrap()
    );
    harness.later(Duration::from_secs(300));
    let now = harness.now();
    assert!(
        orders::claim_expired(&mut conn, now, until, 10)
            .await
            .unwrap()
            .is_empty()
    );
    let epoch = orders::claim_awaiting(&mut conn, row.order_id(), now + harness.cx.rules.saga())
        .await
        .unwrap();
    assert_eq!(epoch, Some(row.epoch + 1));
    drop(conn);
    assert!(!advance(&harness, &row).await);
    assert!(
        advance(
            &harness,
            &Row {
                epoch: row.epoch + 1,
                ..row
            }
        )
        .await
    );
    harness.database.drop().await;
}
