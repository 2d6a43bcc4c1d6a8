use std::time::Duration;

use ordering::{
    db::leases::{self, Lease},
    domain::{
        order::{OrderRecord, Placement},
        status::Status,
    },
};

use crate::harness::Harness;

fn with_epoch(record: OrderRecord, epoch: i64) -> OrderRecord {
    OrderRecord {
        placement: Placement {
            epoch,
            ..record.placement
        },
        ..record
    }
}

/// Acquires up to ten expired leases.
async fn acquire_expired(harness: &Harness) -> Vec<Lease> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    leases::acquire_expired(&mut conn, harness.cx.rules.saga_lease(), 10)
        .await
        .unwrap()
}

async fn acquire_waiting(harness: &Harness, record: &OrderRecord) -> Option<Lease> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    leases::acquire_waiting(&mut conn, record.order.id, harness.cx.rules.saga_lease())
        .await
        .unwrap()
}

async fn release_to_wait(harness: &Harness, record: &OrderRecord, timeout: Duration) -> bool {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    leases::release_to_wait(&mut conn, record, timeout).await.unwrap()
}

/// Returns an order that waits for the consumer's authentication.
async fn waiting_order(harness: &Harness, timeout: Duration) -> OrderRecord {
    let record = harness.insert_order(Status::PaymentPending).await;
    assert!(release_to_wait(harness, &record, timeout).await);
    record
}

#[tokio::test]
async fn a_saga_that_lost_its_lease_writes_nothing() {
    let harness = Harness::new().await;
    let slow = harness.insert_order(Status::PaymentPending).await;
    assert!(acquire_expired(&harness).await.is_empty());
    harness.pass_lease_time(Duration::from_secs(16)).await;
    assert_eq!(
        acquire_expired(&harness).await,
        [Lease {
            order_id: slow.order.id,
            epoch: slow.placement.epoch + 1,
            awaited_authentication: false,
        }]
    );
    assert!(!release_to_wait(&harness, &slow, Duration::from_mins(10)).await);
    assert!(!harness.place(&slow).await);
    assert_eq!(harness.status(slow.order.id).await, Status::PaymentPending);
    harness.database.drop().await;
}

#[tokio::test]
async fn concurrent_recoveries_acquire_each_lease_once() {
    let harness = Harness::new().await;
    for _ in 0..10 {
        harness.insert_order(Status::PaymentPending).await;
    }
    harness.pass_lease_time(Duration::from_secs(16)).await;
    let recoveries = (0..8).map(|_| async {
        let mut conn = harness.cx.pool.acquire().await.unwrap();
        let lease = harness.cx.rules.saga_lease();
        let mut acquired = Vec::new();
        // Each run acquires at most five leases, and skips those that another run is acquiring.
        for _ in 0..10 {
            acquired.extend(leases::acquire_expired(&mut conn, lease, 5).await.unwrap());
        }
        acquired
    });
    let acquired: Vec<_> = futures::future::join_all(recoveries)
        .await
        .into_iter()
        .flatten()
        .map(|lease| lease.order_id)
        .collect();
    let mut distinct = acquired.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!((acquired.len(), distinct.len()), (10, 10));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_waits_for_authentication_is_not_recovered_before_it_expires() {
    let harness = Harness::new().await;
    let record = waiting_order(&harness, Duration::from_mins(10)).await;
    harness.pass_lease_time(Duration::from_mins(5)).await;
    assert!(acquire_expired(&harness).await.is_empty());
    let lease = acquire_waiting(&harness, &record).await.unwrap();
    assert_eq!(
        (lease.epoch, lease.awaited_authentication),
        (record.placement.epoch + 1, true)
    );
    assert!(!harness.place(&record).await);
    assert!(harness.place(&with_epoch(record, lease.epoch)).await);
    harness.database.drop().await;
}

#[tokio::test]
async fn one_of_concurrent_resumes_has_the_lease_until_it_releases_it() {
    let harness = Harness::new().await;
    let record = waiting_order(&harness, Duration::from_mins(10)).await;
    let resumes = (0..8).map(|_| acquire_waiting(&harness, &record));
    let acquired: Vec<_> = futures::future::join_all(resumes)
        .await
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(acquired.len(), 1, "{acquired:?}");
    let held = with_epoch(record, acquired[0].epoch);
    assert!(release_to_wait(&harness, &held, Duration::from_mins(10)).await);
    let second = acquire_waiting(&harness, &held).await;
    assert_eq!(second.map(|lease| lease.epoch), Some(held.placement.epoch + 1));
    harness.database.drop().await;
}

/// Resuming it could place an order while recovery releases its money.
#[tokio::test]
async fn an_order_in_recovery_cannot_be_resumed() {
    let harness = Harness::new().await;
    let record = waiting_order(&harness, Duration::from_mins(10)).await;
    harness.pass_lease_time(Duration::from_secs(601)).await;
    let leases = acquire_expired(&harness).await;
    assert!(
        leases[0].awaited_authentication,
        "recovery reads that the order waited for authentication"
    );
    assert_eq!(acquire_waiting(&harness, &record).await, None);
    harness.database.drop().await;
}
