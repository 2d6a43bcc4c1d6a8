//! Capacity under many orders, with fewer baristas, and after moves.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::{
    domain::{pickup::RequestedPickup, reservation::ReserveCapacity},
    ops::{release_capacity::release_capacity, reserve_capacity::reserve_capacity},
};
use types::{Clock as _, OrderId, StoreId};

use crate::{
    capacity::{SMALL_STORE, asap, used_seconds},
    harness::{Harness, NOW, at, new_order, ok, reason, request_from_service},
};

const OVERBOOKED: &str = "SELECT count(*) FROM capacity_slots WHERE used_seconds > capacity_seconds";

impl Harness {
    async fn move_reservation(&self, order_id: OrderId, ready_at: &str) -> Result<pb::Reservation, String> {
        let request = pb::MoveReservationRequest {
            order_id: order_id.to_string(),
            ready_at: ready_at.into(),
        };
        let response = self
            .grpc
            .move_reservation(request_from_service("ordering", request))
            .await;
        if response.is_ok() {
            Ok(ok(response))
        } else {
            Err(reason(response))
        }
    }
}

fn scheduled(order_id: OrderId, store_id: StoreId, pickup_at: &str) -> ReserveCapacity {
    ReserveCapacity {
        pickup: RequestedPickup::At(at(pickup_at)),
        ..asap(order_id, store_id, 300)
    }
}

#[tokio::test]
async fn of_200_simultaneous_orders_for_the_last_capacity_one_is_accepted_and_what_is_released_is_offered_again()
 {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    // One barista makes orders of five minutes: between 9:00 and 9:15 there is time for three.
    let pickup_at = "2026-11-20T17:15:00Z";
    for _ in 0..2 {
        reserve_capacity(&harness.cx, scheduled(new_order(), store_id, pickup_at))
            .await
            .unwrap();
    }
    let attempts = (0..200).map(|_| {
        let (cx, order_id) = (Arc::clone(&harness.cx), new_order());
        tokio::spawn(async move {
            let reserved = reserve_capacity(&cx, scheduled(order_id, store_id, pickup_at)).await;
            (order_id, reserved.is_ok())
        })
    });
    let accepted: Vec<OrderId> = join_all(attempts)
        .await
        .into_iter()
        .map(Result::unwrap)
        .filter_map(|(order_id, is_reserved)| is_reserved.then_some(order_id))
        .collect();
    assert_eq!(accepted.len(), 1);
    assert_eq!(
        (used_seconds(&harness).await, harness.count(OVERBOOKED).await),
        (900, 0)
    );
    assert_ne!(harness.pickup_times(store_id).await[0], pickup_at);

    assert!(release_capacity(&harness.cx, accepted[0]).await.unwrap());
    assert_eq!(
        harness.pickup_times(store_id).await[0],
        pickup_at,
        "offered again"
    );
    reserve_capacity(&harness.cx, scheduled(new_order(), store_id, pickup_at))
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn with_fewer_baristas_reservations_stay_and_no_more_are_accepted() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    harness.set_baristas(store_id, 3, "").await;
    reserve_capacity(&harness.cx, asap(new_order(), store_id, 900))
        .await
        .unwrap();
    assert_eq!(used_seconds(&harness).await, 900, "all of the first five minutes");
    harness.set_baristas(store_id, 1, "2026-11-20").await;
    assert_eq!(
        (used_seconds(&harness).await, harness.count(OVERBOOKED).await),
        (900, 0)
    );
    let next = reserve_capacity(&harness.cx, asap(new_order(), store_id, 300))
        .await
        .unwrap();
    assert_eq!(next.ready_at, at("2026-11-20T17:10:00Z"));
    // Tomorrow has three baristas.
    let tomorrow = ReserveCapacity {
        pickup: RequestedPickup::At(at("2026-11-21T20:05:00Z")),
        ..asap(new_order(), store_id, 900)
    };
    let tomorrow = reserve_capacity(&harness.cx, tomorrow).await.unwrap();
    assert_eq!(tomorrow.start_at, at("2026-11-21T20:00:00Z"));
    harness.close().await;
}

#[tokio::test]
async fn a_reservation_moves_to_a_time_with_capacity_or_stays() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let (order_id, other_order) = (new_order(), new_order());
    let (first, second) = ("2026-11-20T20:00:00Z", "2026-11-20T21:00:00Z");
    reserve_capacity(&harness.cx, scheduled(order_id, store_id, first))
        .await
        .unwrap();
    reserve_capacity(&harness.cx, scheduled(other_order, store_id, second))
        .await
        .unwrap();
    for _ in 0..2 {
        let moved = harness.move_reservation(order_id, second).await.unwrap();
        assert_eq!(
            (&*moved.ready_at, &*moved.start_at),
            (second, "2026-11-20T20:50:00Z"),
            "made before the other order"
        );
    }
    assert_eq!(
        (used_seconds(&harness).await, harness.count(OVERBOOKED).await),
        (600, 0)
    );
    for (ready_at, expected) in [
        ("2026-11-21T08:00:00Z", "PICKUP_TIME_INVALID"),
        ("2026-11-20T17:02:00Z", "SLOT_UNAVAILABLE"),
        ("2026-11-20T16:00:00Z", "PICKUP_TIME_INVALID"),
    ] {
        assert_eq!(
            harness.move_reservation(order_id, ready_at).await.unwrap_err(),
            expected,
            "{ready_at}"
        );
    }
    assert_eq!(used_seconds(&harness).await, 600);
    release_capacity(&harness.cx, order_id).await.unwrap();
    assert_eq!(used_seconds(&harness).await, 300);
    assert_eq!(
        harness.move_reservation(order_id, first).await.unwrap_err(),
        "RESERVATION_CLOSED"
    );
    harness.close().await;
}

#[tokio::test]
async fn closed_times_are_found_after_a_holiday_was_added() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let times = ["2026-11-20T20:00:00Z", "2026-11-21T20:00:00Z"]
        .map(str::to_owned)
        .to_vec();
    let closed = async || {
        let request = pb::ListClosedTimesRequest {
            store_id: store_id.to_string(),
            times: times.clone(),
        };
        let response = harness
            .grpc
            .list_closed_times(request_from_service("ordering", request))
            .await;
        ok(response).times
    };
    assert!(closed().await.is_empty());
    harness.set_special_day(store_id, "2026-11-21", &[]).await;
    assert_eq!(closed().await, times[1..]);
    harness.close().await;
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Reserve { make_seconds: u32 },
    Schedule { make_seconds: u32, minutes_ahead: i64 },
    Release(prop::sample::Index),
    Move(prop::sample::Index, i64),
    Baristas { baristas: u32, is_today: bool },
    Wait { minutes: i64 },
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (1_u32..1_500).prop_map(|make_seconds| Change::Reserve { make_seconds }),
        4 => (1_u32..1_500, 3_i64..90)
            .prop_map(|(make_seconds, minutes_ahead)| Change::Schedule { make_seconds, minutes_ahead }),
        2 => any::<prop::sample::Index>().prop_map(Change::Release),
        2 => (any::<prop::sample::Index>(), 3_i64..90).prop_map(|(order, minutes)| Change::Move(order, minutes)),
        2 => (1_u32..5, any::<bool>()).prop_map(|(baristas, is_today)| Change::Baristas { baristas, is_today }),
        1 => (1_i64..10).prop_map(|minutes| Change::Wait { minutes }),
    ];
    prop::collection::vec(change, 1..40)
}

/// A new slot refers to the row of the store, which a change of the schedule locks.
#[tokio::test]
async fn a_change_of_the_schedule_and_reservations_of_new_slots_wait_for_each_other() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    for _ in 0..20 {
        let reservations = [
            "2026-11-20T18:00:00Z",
            "2026-11-20T19:00:00Z",
            "2026-11-20T20:00:00Z",
        ]
        .map(|time| reserve_capacity(&harness.cx, scheduled(new_order(), store_id, time)));
        let (reserved, _changed) =
            tokio::join!(join_all(reservations), harness.set_baristas(store_id, 2, ""));
        assert!(reserved.iter().all(Result::is_ok), "{reserved:?}");
        sqlx::query("WITH emptied AS (DELETE FROM capacity_slots) DELETE FROM reservations")
            .execute(&harness.database.pool)
            .await
            .unwrap();
    }
    harness.close().await;
}

/// Applies random changes to one store. After each, no slot that it changed has more reserved than its baristas can make,
/// and the slots add up to the reservations.
#[tokio::test]
async fn capacity_never_overshoots_under_random_changes() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let changes = changes().new_tree(&mut runner).unwrap().current();
        sqlx::query("WITH emptied AS (DELETE FROM capacity_slots), freed AS (DELETE FROM store_shifts) DELETE FROM reservations")
            .execute(&harness.database.pool)
            .await
            .unwrap();
        apply(&harness, store_id, &changes).await;
    }
    harness.close().await;
}

async fn apply(harness: &Harness, store_id: StoreId, changes: &[Change]) {
    let elapsed = harness.clock.now().duration_since(at(NOW));
    harness.clock.advance(-elapsed);
    let mut orders: Vec<OrderId> = vec![];
    for change in changes {
        let in_minutes = |minutes| harness.clock.now() + SignedDuration::from_mins(minutes);
        match *change {
            Change::Reserve { make_seconds } => {
                let order_id = new_order();
                if reserve_capacity(&harness.cx, asap(order_id, store_id, make_seconds))
                    .await
                    .is_ok()
                {
                    orders.push(order_id);
                }
            }
            Change::Schedule {
                make_seconds,
                minutes_ahead,
            } => {
                let order_id = new_order();
                let request = ReserveCapacity {
                    pickup: RequestedPickup::At(in_minutes(minutes_ahead)),
                    ..asap(order_id, store_id, make_seconds)
                };
                if reserve_capacity(&harness.cx, request).await.is_ok() {
                    orders.push(order_id);
                }
            }
            Change::Release(index) if !orders.is_empty() => {
                let order_id = orders.swap_remove(index.index(orders.len()));
                assert!(release_capacity(&harness.cx, order_id).await.unwrap());
            }
            Change::Move(index, minutes) if !orders.is_empty() => {
                let ready_at = in_minutes(minutes).to_string();
                drop(
                    harness
                        .move_reservation(orders[index.index(orders.len())], &ready_at)
                        .await,
                );
            }
            Change::Baristas { baristas, is_today } => {
                let before = used_seconds(harness).await;
                harness
                    .set_baristas(store_id, baristas, if is_today { "2026-11-20" } else { "" })
                    .await;
                assert_eq!(used_seconds(harness).await, before, "reservations stay");
            }
            Change::Wait { minutes } => harness.clock.advance(SignedDuration::from_mins(minutes)),
            Change::Release(_) | Change::Move(..) => {}
        }
        assert_eq!(harness.count(OVERBOOKED).await, 0, "{change:?}");
        let reserved = harness
            .count(
                "SELECT coalesce(sum(seconds), 0)::bigint FROM reservations, unnest(slot_seconds) AS seconds WHERE released_at IS NULL",
            )
            .await;
        assert_eq!(used_seconds(harness).await, reserved, "{change:?}");
    }
}
