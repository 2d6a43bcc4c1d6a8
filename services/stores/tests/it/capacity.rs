//! Reservation and release of capacity.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::{
    domain::{
        pickup::RequestedPickup,
        reservation::{Reservation, ReserveCapacity},
    },
    ops::{
        release_capacity::release_capacity,
        reserve_capacity::{ReserveCapacityError, reserve_capacity},
    },
};
use tonic::Request;
use types::{OrderId, StoreId};

use crate::harness::{
    Harness, NOW, at, error, new_consumer, new_order, ok, reason, request_from_consumer,
    request_from_service, unknown_store,
};

/// A store with one barista that opens at `NOW` for eight hours.
pub const SMALL_STORE: &str = "Echo Park Lake";
const LARGE_STORE: &str = "Market & Van Ness";

pub fn asap(order_id: OrderId, store_id: StoreId, make_seconds: u32) -> ReserveCapacity {
    ReserveCapacity {
        order_id,
        store_id,
        make_seconds,
        pickup: RequestedPickup::Asap,
        not_after: None,
    }
}

pub async fn used_seconds(harness: &Harness) -> i64 {
    harness
        .count("SELECT coalesce(sum(used_seconds), 0) FROM capacity_slots")
        .await
}

fn reserve_request(store_id: StoreId, make_seconds: u32) -> pb::ReserveCapacityRequest {
    pb::ReserveCapacityRequest {
        order_id: new_order().to_string(),
        store_id: store_id.to_string(),
        make_seconds,
        ..Default::default()
    }
}

fn release_request(order_id: OrderId) -> Request<pb::ReleaseCapacityRequest> {
    let order_id = order_id.to_string();
    request_from_service("ordering", pb::ReleaseCapacityRequest { order_id })
}

/// Sends the requests at once.
async fn reserve_concurrently(
    harness: &Harness,
    requests: impl IntoIterator<Item = ReserveCapacity>,
) -> Vec<Result<Reservation, ReserveCapacityError>> {
    let tasks = requests.into_iter().map(|request| {
        let cx = Arc::clone(&harness.cx);
        tokio::spawn(async move { reserve_capacity(&cx, request).await })
    });
    join_all(tasks).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test]
async fn concurrent_reservations_never_overbook() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let requests = (0..20).map(|_| asap(new_order(), store_id, 100));
    let mut ready: Vec<_> = reserve_concurrently(&harness, requests)
        .await
        .into_iter()
        .map(|reservation| reservation.unwrap().ready_at)
        .collect();
    ready.sort_unstable();
    // One barista needs 33 minutes and 20 seconds for 2,000 seconds of make time.
    assert_eq!(ready.last(), Some(&at("2026-11-20T17:34:00Z")));
    assert_eq!(used_seconds(&harness).await, 2_000);
    assert_eq!(
        harness
            .count("SELECT count(*) FROM capacity_slots WHERE used_seconds > 300")
            .await,
        0
    );
    harness.close().await;
}

#[tokio::test]
async fn a_reservation_after_the_latest_acceptable_time_fails_and_keeps_no_capacity() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let not_after = at(NOW) + SignedDuration::from_mins(5);
    let requests = (0..20).map(|_| ReserveCapacity {
        not_after: Some(not_after),
        ..asap(new_order(), store_id, 100)
    });
    let results = reserve_concurrently(&harness, requests).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 3);
    let eta_changed = results.iter().filter(|result| {
        matches!(result, Err(ReserveCapacityError::EtaChanged { ready_at }) if *ready_at > not_after)
    });
    assert_eq!(eta_changed.count(), 17);
    assert_eq!(used_seconds(&harness).await, 300);

    let request = pb::ReserveCapacityRequest {
        not_after: not_after.to_string(),
        ..reserve_request(store_id, 100)
    };
    let error = error(
        harness
            .grpc
            .reserve_capacity(request_from_service("ordering", request))
            .await,
    );
    assert_eq!(
        (error.reason.as_ref(), error.code.http_status()),
        ("ETA_CHANGED", 409)
    );
    let detail: pb::EtaChanged = error.detail().unwrap();
    assert_eq!(detail.ready_at, "2026-11-20T17:07:00Z");
    harness.close().await;
}

#[tokio::test]
async fn concurrent_requests_for_one_order_create_one_reservation() {
    let harness = Harness::seeded().await;
    let (store_id, order_id) = (harness.store(SMALL_STORE).await, new_order());
    let requests = (0..20).map(|_| asap(order_id, store_id, 100));
    let reservations: Vec<Reservation> = reserve_concurrently(&harness, requests)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert!(
        reservations
            .iter()
            .all(|reservation| *reservation == reservations[0])
    );
    assert_eq!(used_seconds(&harness).await, 100);
    harness.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(
        reserve_capacity(&harness.cx, asap(order_id, store_id, 100))
            .await
            .unwrap(),
        reservations[0],
        "a later request gets the same reservation"
    );
    let other_store = harness.store(LARGE_STORE).await;
    assert!(matches!(
        reserve_capacity(&harness.cx, asap(order_id, other_store, 100)).await,
        Err(ReserveCapacityError::ReservationMismatch)
    ));
    harness.close().await;
}

#[tokio::test]
async fn concurrent_releases_release_once() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let (order_id, other_order) = (new_order(), new_order());
    reserve_capacity(&harness.cx, asap(other_order, store_id, 250))
        .await
        .unwrap();
    reserve_capacity(&harness.cx, asap(order_id, store_id, 400))
        .await
        .unwrap();
    let releases = (0..8).map(|_| harness.grpc.release_capacity(release_request(order_id)));
    let released = join_all(releases)
        .await
        .into_iter()
        .filter(|response| response.as_ref().unwrap().get_ref().released)
        .count();
    assert_eq!((released, used_seconds(&harness).await), (1, 250));
    assert!(matches!(
        reserve_capacity(&harness.cx, asap(order_id, store_id, 400)).await,
        Err(ReserveCapacityError::ReservationClosed)
    ));
    harness.close().await;
}

#[tokio::test]
async fn an_order_that_was_released_before_cannot_reserve() {
    let harness = Harness::seeded().await;
    let (store_id, order_id) = (harness.store(SMALL_STORE).await, new_order());
    for _ in 0..2 {
        let response = ok(harness.grpc.release_capacity(release_request(order_id)).await);
        assert!(!response.released);
    }
    let request = pb::ReserveCapacityRequest {
        order_id: order_id.to_string(),
        ..reserve_request(store_id, 60)
    };
    assert_eq!(
        reason(
            harness
                .grpc
                .reserve_capacity(request_from_service("ordering", request))
                .await
        ),
        "RESERVATION_CLOSED"
    );
    assert_eq!(used_seconds(&harness).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn reserving_and_releasing_at_once_leaves_no_capacity_reserved() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    for _ in 0..30 {
        let order_id = new_order();
        let cx = Arc::clone(&harness.cx);
        let reserving =
            tokio::spawn(async move { reserve_capacity(&cx, asap(order_id, store_id, 120)).await });
        let cx = Arc::clone(&harness.cx);
        let releasing = tokio::spawn(async move { release_capacity(&cx, order_id).await.unwrap() });
        let (reserved, released) = (reserving.await.unwrap(), releasing.await.unwrap());
        assert_eq!(reserved.is_ok(), released, "{reserved:?}");
        assert!(reserved.is_ok() || matches!(reserved, Err(ReserveCapacityError::ReservationClosed)));
    }
    assert_eq!(used_seconds(&harness).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn a_requested_time_is_met_or_fails_with_its_reason() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let local_noon = at("2026-11-20T20:00:00Z");
    let scheduled = || ReserveCapacity {
        pickup: RequestedPickup::At(local_noon),
        ..asap(new_order(), store_id, 300)
    };
    let first = reserve_capacity(&harness.cx, scheduled()).await.unwrap();
    assert_eq!(
        (first.ready_at, first.start_at),
        (local_noon, at("2026-11-20T19:55:00Z"))
    );
    let second = reserve_capacity(&harness.cx, scheduled()).await.unwrap();
    assert_eq!(
        second.start_at,
        at("2026-11-20T19:50:00Z"),
        "made before the first order"
    );

    let reason_for = async |pickup_at: &str, make_seconds| {
        let request = pb::ReserveCapacityRequest {
            pickup_at: pickup_at.into(),
            ..reserve_request(store_id, make_seconds)
        };
        reason(
            harness
                .grpc
                .reserve_capacity(request_from_service("ordering", request))
                .await,
        )
    };
    assert_eq!(
        reason_for("2026-11-21T08:00:00Z", 60).await,
        "PICKUP_TIME_INVALID",
        "at midnight"
    );
    assert_eq!(
        reason_for("2026-11-26T20:00:00Z", 60).await,
        "PICKUP_TIME_INVALID",
        "six days ahead"
    );
    assert_eq!(
        reason_for("2026-11-20T20:00:00Z", 3 * 3600).await,
        "SLOT_UNAVAILABLE"
    );
    assert_eq!(reason_for("tomorrow", 60).await, "TIME_INVALID");
    harness.close().await;
}

#[tokio::test]
async fn only_ordering_reserves_and_ids_are_validated() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let from_consumer = request_from_consumer(new_consumer(), reserve_request(store_id, 60));
    assert_eq!(
        reason(harness.grpc.reserve_capacity(from_consumer).await),
        "FORBIDDEN"
    );
    let from_gateway = request_from_service("gateway", reserve_request(store_id, 60));
    assert_eq!(
        reason(harness.grpc.reserve_capacity(from_gateway).await),
        "FORBIDDEN"
    );
    let reason_for = async |request| {
        let request = request_from_service("ordering", request);
        reason(harness.grpc.reserve_capacity(request).await)
    };
    assert_eq!(
        reason_for(reserve_request(unknown_store(), 60)).await,
        "STORE_UNKNOWN"
    );
    let without_order_id = pb::ReserveCapacityRequest {
        order_id: "str_1".into(),
        ..reserve_request(store_id, 60)
    };
    assert_eq!(reason_for(without_order_id).await, "ID_MALFORMED");
    let closed_store = harness.store("Fulton & Pearl").await;
    assert_eq!(
        reason_for(reserve_request(closed_store, 60)).await,
        "STORE_CLOSED"
    );
    harness.close().await;
}

#[tokio::test]
async fn pickup_options_depend_on_the_reserved_capacity() {
    let harness = Harness::seeded().await;
    let options = async |name: &str| {
        let request = pb::GetPickupOptionsRequest {
            store_id: harness.store(name).await.to_string(),
            make_seconds: 0,
        };
        ok(harness
            .grpc
            .get_pickup_options(request_from_service("gateway", request))
            .await)
    };
    let idle = options(SMALL_STORE).await;
    assert_eq!(
        (idle.earliest_at.as_str(), idle.counter, idle.curbside),
        ("2026-11-20T17:03:00Z", true, false)
    );
    assert_eq!(
        (idle.slots[0].as_str(), idle.time_zone.as_str()),
        ("2026-11-20T17:15:00Z", "America/Los_Angeles")
    );
    assert_eq!(idle.earliest_local_time, "09:03");
    let store_id = harness.store(SMALL_STORE).await;
    reserve_capacity(&harness.cx, asap(new_order(), store_id, 1_500))
        .await
        .unwrap();
    let busy = options(SMALL_STORE).await;
    assert_eq!(
        (busy.earliest_at.as_str(), busy.slots[0].as_str()),
        ("2026-11-20T17:27:00Z", "2026-11-20T17:30:00Z")
    );
    let closed = options("Fulton & Pearl").await;
    assert_eq!(
        (closed.earliest_at.as_str(), closed.slots[0].as_str()),
        ("", "2026-11-20T18:15:00Z")
    );
    assert_eq!(closed.earliest_local_time, "");
    harness.close().await;
}
