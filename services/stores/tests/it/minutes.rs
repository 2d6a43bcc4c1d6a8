//! Make-minutes: reserved once, never too many, given back once.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proto::stores::v1::{self, stores_server::Stores as _};
use stores::{
    domain::pickup::Wanted,
    ops::reserve::{Promise, ReserveCapacity, ReserveError, reserve},
};
use types::{OrderId, StoreId};

use crate::harness::{Harness, NOON, at, consumer, new_consumer, new_order, nowhere, reason, service};

/// One barista, open from nine to five; at noon in New York it is nine there.
pub const SMALL: &str = "Echo Park Lake";

pub fn asap(order: OrderId, store: StoreId, make_seconds: u32) -> ReserveCapacity {
    ReserveCapacity {
        order,
        store,
        make_seconds,
        wanted: Wanted::Soonest,
        not_after: None,
    }
}

fn release(order: OrderId) -> tonic::Request<v1::ReleaseCapacityRequest> {
    service(
        "ordering",
        v1::ReleaseCapacityRequest {
            order_id: order.to_string(),
        },
    )
}

pub async fn used(harness: &Harness) -> i64 {
    harness
        .count("SELECT coalesce(sum(used_seconds), 0) FROM make_slices")
        .await
}

#[tokio::test]
async fn twenty_at_once_never_overbook() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let tries = (0..20).map(|_| {
        let cx = Arc::clone(&harness.cx);
        tokio::spawn(async move { reserve(&cx, asap(new_order(), store, 100)).await.unwrap() })
    });
    let mut ready: Vec<_> = join_all(tries)
        .await
        .into_iter()
        .map(|promise| promise.unwrap().ready_at)
        .collect();
    ready.sort_unstable();
    // 2,000 seconds of work for one barista: the last is ready after 33 minutes and 20 seconds, rounded up.
    assert_eq!(ready.last(), Some(&at("2026-11-20T17:34:00Z")));
    assert_eq!(used(&harness).await, 2_000);
    assert_eq!(
        harness
            .count("SELECT count(*) FROM make_slices WHERE used_seconds > 300")
            .await,
        0
    );
    harness.close().await;
}

#[tokio::test]
async fn a_promise_that_moved_is_refused_and_nothing_kept() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let latest = at(NOON) + SignedDuration::from_mins(5);
    let tries = (0..20).map(|_| {
        let cx = Arc::clone(&harness.cx);
        tokio::spawn(async move {
            reserve(
                &cx,
                ReserveCapacity {
                    not_after: Some(latest),
                    ..asap(new_order(), store, 100)
                },
            )
            .await
        })
    });
    let answers: Vec<_> = join_all(tries).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    let moved = |answer: &&Result<_, _>| matches!(answer, Err(ReserveError::PromiseMoved { ready_at }) if *ready_at > latest);
    assert_eq!(answers.iter().filter(moved).count(), 17);
    assert_eq!(used(&harness).await, 300);

    let asked = v1::ReserveCapacityRequest {
        order_id: new_order().to_string(),
        store_id: store.to_string(),
        make_seconds: 100,
        pickup_at: String::new(),
        not_after: latest.to_string(),
    };
    let refusal = kit::ServiceError::from_status(
        &harness
            .grpc
            .reserve_capacity(service("ordering", asked))
            .await
            .unwrap_err(),
    );
    assert_eq!(
        (refusal.reason.as_ref(), refusal.code.http_status()),
        ("ETA_CHANGED", 409)
    );
    assert_eq!(
        refusal
            .detail::<v1::EtaChanged>()
            .map(|detail| detail.ready_at)
            .as_deref(),
        Some("2026-11-20T17:07:00Z")
    );
    harness.close().await;
}

#[tokio::test]
async fn one_order_asked_for_twenty_times_is_one_reservation() {
    let harness = Harness::seeded().await;
    let (store, other, order) = (
        harness.store(SMALL).await,
        harness.store("Market & Van Ness").await,
        new_order(),
    );
    let tries = (0..20).map(|_| {
        let cx = Arc::clone(&harness.cx);
        tokio::spawn(async move { reserve(&cx, asap(order, store, 100)).await.unwrap() })
    });
    let promises: Vec<Promise> = join_all(tries).await.into_iter().map(Result::unwrap).collect();
    assert!(promises.iter().all(|promise| *promise == promises[0]));
    assert_eq!(used(&harness).await, 100);
    harness.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(
        reserve(&harness.cx, asap(order, store, 100)).await.unwrap(),
        promises[0],
        "also later"
    );
    assert!(matches!(
        reserve(&harness.cx, asap(order, other, 100)).await,
        Err(ReserveError::Elsewhere)
    ));
    harness.close().await;
}

#[tokio::test]
async fn minutes_go_back_once_and_for_good() {
    let harness = Harness::seeded().await;
    let (store, order, kept) = (harness.store(SMALL).await, new_order(), new_order());
    reserve(&harness.cx, asap(kept, store, 250)).await.unwrap();
    reserve(&harness.cx, asap(order, store, 400)).await.unwrap();
    let tries = (0..8).map(|_| harness.grpc.release_capacity(release(order)));
    let released = join_all(tries)
        .await
        .into_iter()
        .filter(|answer| answer.as_ref().unwrap().get_ref().released)
        .count();
    assert_eq!((released, used(&harness).await), (1, 250));
    assert!(matches!(
        reserve(&harness.cx, asap(order, store, 400)).await,
        Err(ReserveError::Closed)
    ));
    harness.close().await;
}

#[tokio::test]
async fn a_reservation_after_its_release_is_refused() {
    let harness = Harness::seeded().await;
    let (store, order) = (harness.store(SMALL).await, new_order());
    assert!(
        !harness
            .grpc
            .release_capacity(release(order))
            .await
            .unwrap()
            .into_inner()
            .released
    );
    assert!(
        !harness
            .grpc
            .release_capacity(release(order))
            .await
            .unwrap()
            .into_inner()
            .released
    );
    let asked = v1::ReserveCapacityRequest {
        order_id: order.to_string(),
        store_id: store.to_string(),
        make_seconds: 60,
        ..Default::default()
    };
    assert_eq!(
        reason(harness.grpc.reserve_capacity(service("ordering", asked)).await),
        "RESERVATION_CLOSED"
    );
    assert_eq!(used(&harness).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn reserving_against_releasing_leaves_nothing_held() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    for _ in 0..30 {
        let order = new_order();
        let cx = Arc::clone(&harness.cx);
        let reserving = tokio::spawn(async move { reserve(&cx, asap(order, store, 120)).await });
        let cx = Arc::clone(&harness.cx);
        let releasing =
            tokio::spawn(async move { stores::ops::release::release_now(&cx, order).await.unwrap() });
        let (reserved, released) = (reserving.await.unwrap(), releasing.await.unwrap());
        assert_eq!(reserved.is_ok(), released, "{reserved:?}");
        assert!(reserved.is_ok() || matches!(reserved, Err(ReserveError::Closed)));
    }
    assert_eq!(used(&harness).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn a_time_wanted_is_kept_or_refused() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let at_noon = at("2026-11-20T20:00:00Z");
    let scheduled = |when| ReserveCapacity {
        wanted: Wanted::At(when),
        ..asap(new_order(), store, 300)
    };
    let promise = reserve(&harness.cx, scheduled(at_noon)).await.unwrap();
    assert_eq!(
        (promise.ready_at, promise.start_at),
        (at_noon, at("2026-11-20T19:55:00Z"))
    );
    let next = reserve(&harness.cx, scheduled(at_noon)).await.unwrap();
    assert_eq!(next.start_at, at("2026-11-20T19:50:00Z"), "behind the first");

    let refused = async |pickup_at: &str, make_seconds| {
        let asked = v1::ReserveCapacityRequest {
            order_id: new_order().to_string(),
            store_id: store.to_string(),
            make_seconds,
            pickup_at: pickup_at.into(),
            not_after: String::new(),
        };
        reason(harness.grpc.reserve_capacity(service("ordering", asked)).await)
    };
    assert_eq!(
        refused("2026-11-21T08:00:00Z", 60).await,
        "PICKUP_TIME_INVALID",
        "midnight"
    );
    assert_eq!(
        refused("2026-11-26T20:00:00Z", 60).await,
        "PICKUP_TIME_INVALID",
        "six days ahead"
    );
    assert_eq!(
        refused("2026-11-20T20:00:00Z", 3 * 3600).await,
        "SLOT_UNAVAILABLE"
    );
    assert_eq!(refused("tomorrow", 60).await, "TIME_INVALID");
    harness.close().await;
}

#[tokio::test]
async fn who_and_where_are_checked() {
    let harness = Harness::seeded().await;
    let asked = |store: StoreId| v1::ReserveCapacityRequest {
        order_id: new_order().to_string(),
        store_id: store.to_string(),
        make_seconds: 60,
        ..Default::default()
    };
    let store = harness.store(SMALL).await;
    assert_eq!(
        reason(
            harness
                .grpc
                .reserve_capacity(consumer(new_consumer(), asked(store)))
                .await
        ),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(
            harness
                .grpc
                .reserve_capacity(service("gateway", asked(store)))
                .await
        ),
        "FORBIDDEN"
    );
    assert_eq!(
        reason(
            harness
                .grpc
                .reserve_capacity(service("ordering", asked(nowhere())))
                .await
        ),
        "STORE_UNKNOWN"
    );
    let no_order = v1::ReserveCapacityRequest {
        order_id: "str_1".into(),
        ..asked(store)
    };
    assert_eq!(
        reason(harness.grpc.reserve_capacity(service("ordering", no_order)).await),
        "ORDER_ID_INVALID"
    );
    let closed = harness.store("Fulton & Pearl").await;
    assert_eq!(
        reason(
            harness
                .grpc
                .reserve_capacity(service("ordering", asked(closed)))
                .await
        ),
        "STORE_CLOSED"
    );
    harness.close().await;
}

#[tokio::test]
async fn options_say_what_can_be_kept() {
    let harness = Harness::seeded().await;
    let options = async |name: &str| {
        let asked = v1::GetPickupOptionsRequest {
            store_id: harness.store(name).await.to_string(),
            make_seconds: 0,
        };
        harness
            .grpc
            .get_pickup_options(service("gateway", asked))
            .await
            .unwrap()
            .into_inner()
    };
    let small = options(SMALL).await;
    assert_eq!(
        (small.earliest_at.as_str(), small.counter, small.curbside),
        ("2026-11-20T17:03:00Z", true, false)
    );
    assert_eq!(
        (small.slots[0].as_str(), small.time_zone.as_str()),
        ("2026-11-20T17:15:00Z", "America/Los_Angeles")
    );
    reserve(&harness.cx, asap(new_order(), harness.store(SMALL).await, 1_500))
        .await
        .unwrap();
    let busier = options(SMALL).await;
    assert_eq!(
        (busier.earliest_at.as_str(), busier.slots[0].as_str()),
        ("2026-11-20T17:27:00Z", "2026-11-20T17:30:00Z")
    );
    let closed = options("Fulton & Pearl").await;
    assert_eq!(
        (closed.earliest_at.as_str(), closed.slots[0].as_str()),
        ("", "2026-11-20T18:15:00Z")
    );
    harness.close().await;
}
