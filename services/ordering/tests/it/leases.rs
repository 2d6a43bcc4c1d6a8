use std::time::Duration;

use ordering::{
    db::{
        leases::{self, Taken},
        orders::Row,
        steps::Change,
    },
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

#[tokio::test]
async fn a_saga_that_was_taken_over_writes_nothing_any_more() {
    let harness = Harness::new().await;
    let slow = harness.order("payment_pending").await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let now = harness.now();
    assert!(
        leases::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    harness.later(Duration::from_secs(16));
    let now = harness.now();
    let taken = leases::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 10)
        .await
        .unwrap();
    let [
        Taken {
            order,
            epoch,
            client_secret,
        },
    ] = taken.as_slice()
    else {
        panic!("{taken:?}");
    };
    assert_eq!(
        (*order, *epoch, client_secret.as_str()),
        (slow.order_id(), slow.epoch + 1, "")
    );
    assert!(
        !leases::await_action(&mut conn, &slow, "secret", now)
            .await
            .unwrap()
    );
    drop(conn);
    assert!(!harness.advance(&slow, &placed()).await);
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
        leases::claim_expired(&mut conn, now, now + harness.cx.rules.saga(), 5)
            .await
            .unwrap()
    });
    let taken: Vec<_> = futures::future::join_all(claims)
        .await
        .into_iter()
        .flatten()
        .map(|taken| taken.order)
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
        leases::await_action(&mut conn, &row, "secret", until)
            .await
            .unwrap()
    );
    harness.later(Duration::from_secs(300));
    let now = harness.now();
    assert!(
        leases::claim_expired(&mut conn, now, until, 10)
            .await
            .unwrap()
            .is_empty()
    );
    let taken = leases::claim_awaiting(&mut conn, row.order_id(), now + harness.cx.rules.saga())
        .await
        .unwrap();
    let taken = taken.expect("nobody had it");
    assert_eq!(
        (taken.epoch, taken.client_secret.as_str()),
        (row.epoch + 1, "secret")
    );
    drop(conn);
    assert!(!harness.advance(&row, &placed()).await);
    let taken_on = Row {
        epoch: taken.epoch,
        ..row
    };
    assert!(harness.advance(&taken_on, &placed()).await);
    harness.database.drop().await;
}

/// An order whose consumer was asked to authenticate, until an instant.
async fn awaiting(harness: &Harness, until: Duration) -> Row {
    let row = harness.order("payment_pending").await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let until = harness.now() + until;
    assert!(
        leases::await_action(&mut conn, &row, "secret", until)
            .await
            .unwrap()
    );
    row
}

#[tokio::test]
async fn of_many_who_carry_an_order_on_one_has_it_until_it_puts_it_back() {
    let harness = Harness::new().await;
    let row = awaiting(&harness, Duration::from_secs(600)).await;
    let until = harness.now() + harness.cx.rules.saga();
    let claims = (0..8).map(|_| async {
        let mut conn = harness.cx.pool.acquire().await.unwrap();
        leases::claim_awaiting(&mut conn, row.order_id(), until)
            .await
            .unwrap()
    });
    let taken: Vec<_> = futures::future::join_all(claims)
        .await
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(taken.len(), 1, "{taken:?}");
    let held = Row {
        epoch: taken[0].epoch,
        ..row.clone()
    };
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    assert!(
        leases::await_action(&mut conn, &held, "secret", until)
            .await
            .unwrap()
    );
    let again = leases::claim_awaiting(&mut conn, row.order_id(), until)
        .await
        .unwrap();
    assert_eq!(again.map(|taken| taken.epoch), Some(held.epoch + 1));
    drop(conn);
    harness.database.drop().await;
}

/// Whoever carried it on from here could place an order whose money recovery is letting go.
#[tokio::test]
async fn nobody_carries_on_an_order_that_recovery_closes() {
    let harness = Harness::new().await;
    let row = awaiting(&harness, Duration::from_secs(600)).await;
    harness.later(Duration::from_secs(601));
    let now = harness.now();
    let until = now + harness.cx.rules.saga();
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let taken = leases::claim_expired(&mut conn, now, until, 10).await.unwrap();
    assert_eq!(
        taken[0].client_secret, "secret",
        "recovery knows what was awaited"
    );
    assert_eq!(
        leases::claim_awaiting(&mut conn, row.order_id(), until)
            .await
            .unwrap(),
        None
    );
    drop(conn);
    harness.database.drop().await;
}
