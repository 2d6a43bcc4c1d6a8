//! A reservation that is planned with the store as its pricing has read it.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::{
    Grpc, Stores,
    domain::reservation::Reservation,
    ops::{
        pause_store::pause_store,
        reserve_capacity::{ReserveCapacityError, reserve_capacity},
    },
};
use types::StoreId;

use crate::{
    capacity::{SMALL_STORE, asap, used_seconds},
    harness::{Harness, NOW, at, new_order, ok, request_from_service, webhook_keys},
    schedule_versions::PAUSE,
};

const VERSION: &str = "SELECT coalesce(max(version), 0) FROM store_schedule_versions";

/// Prices an empty cart.
async fn price(cx: &Arc<Stores>, store_id: StoreId) {
    let request = pb::ResolveLinesRequest {
        store_id: store_id.to_string(),
        ..Default::default()
    };
    let request = request_from_service("ordering", request);
    ok(Grpc::new(Arc::clone(cx)).resolve_lines(request).await);
}

impl Harness {
    /// Changes the number of baristas without a new version, which no operation does.
    async fn change_baristas_secretly(&self, store_id: StoreId, baristas: i32) {
        sqlx::query("UPDATE stores SET baristas = $2 WHERE store_id = $1")
            .bind(store_id)
            .bind(baristas)
            .execute(&self.database.pool)
            .await
            .unwrap();
    }
}

async fn reserve(cx: &Stores, store_id: StoreId, make_seconds: u32) -> Reservation {
    reserve_capacity(cx, asap(new_order(), store_id, make_seconds))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_reservation_after_the_pricing_does_not_read_the_store_again() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    price(&harness.cx, store_id).await;
    harness.change_baristas_secretly(store_id, 3).await;
    // One barista needs ten minutes each, three would need four and seven.
    let first = reserve(&harness.cx, store_id, 600).await;
    assert_eq!(first.ready_at, at("2026-11-20T17:10:00Z"));
    let second = reserve(&harness.cx, store_id, 600).await;
    assert_eq!(second.ready_at, at("2026-11-20T17:20:00Z"));
    assert_eq!(used_seconds(&harness).await, 1_200);
    assert_eq!(harness.count(VERSION).await, 2);

    // The snapshot is too old, although reservations were added to it.
    harness.clock.advance(SignedDuration::from_secs(2));
    let later = reserve(&harness.cx, store_id, 600).await;
    assert!(
        later.ready_at < at("2026-11-20T17:20:00Z"),
        "{later:?} of three baristas"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_change_of_the_schedule_after_the_pricing_counts() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    price(&harness.cx, store_id).await;
    harness.set_baristas(store_id, 3, "").await;
    let reserved = reserve(&harness.cx, store_id, 600).await;
    assert_eq!(reserved.ready_at, at("2026-11-20T17:04:00Z"), "of three baristas");

    price(&harness.cx, store_id).await;
    pause_store(&harness.cx, store_id, PAUSE).await.unwrap();
    assert!(matches!(
        reserve_capacity(&harness.cx, asap(new_order(), store_id, 60)).await,
        Err(ReserveCapacityError::PickupUnavailable(_))
    ));

    price(&harness.cx, store_id).await;
    pause_store(&harness.cx, store_id, None).await.unwrap();
    reserve(&harness.cx, store_id, 60).await;
    assert_eq!(used_seconds(&harness).await, 660);
    harness.close().await;
}

#[tokio::test]
async fn replicas_that_priced_before_each_others_reservations_never_overbook() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let replicas = [
        Arc::clone(&harness.cx),
        harness.with_webhook_keys(webhook_keys("first", "")),
    ];
    let not_after = at(NOW) + SignedDuration::from_mins(5);
    for replica in &replicas {
        price(replica, store_id).await;
    }
    for replica in &replicas {
        reserve(replica, store_id, 50).await;
    }
    let attempts = (0..40).map(|number: usize| {
        let cx = Arc::clone(&replicas[number % 2]);
        tokio::spawn(async move {
            let mut request = asap(new_order(), store_id, 100);
            request.not_after = Some(not_after);
            reserve_capacity(&cx, request).await
        })
    });
    let results: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
    let accepted = results.iter().filter(|result| result.is_ok()).count();
    assert_eq!((accepted, used_seconds(&harness).await), (2, 300));
    for rejection in results.into_iter().filter_map(Result::err) {
        assert!(
            matches!(rejection, ReserveCapacityError::EtaChanged { .. }),
            "{rejection:?}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_repeated_request_returns_the_reservation_and_takes_no_more_capacity() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    price(&harness.cx, store_id).await;
    let request = asap(new_order(), store_id, 300);
    let first = reserve_capacity(&harness.cx, request).await.unwrap();
    assert_eq!(reserve_capacity(&harness.cx, request).await.unwrap(), first);
    assert_eq!(used_seconds(&harness).await, 300);
    let next = reserve(&harness.cx, store_id, 300).await;
    assert_eq!(next.ready_at, at("2026-11-20T17:10:00Z"));
    harness.close().await;
}
