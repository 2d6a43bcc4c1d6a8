//! Optimistic locking: a reservation is written only if the store is unchanged since it was planned.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use stores::{
    db::{
        self,
        capacity::{NewReservation, ReserveOutcome},
    },
    domain::{
        capacity::slot_at,
        hours::WeeklyHours,
        pause::{Pause, PauseReason},
        pickup::RequestedPickup,
        reservation::ReserveCapacity,
    },
    ops::{
        import_stores::{ImportOptions, import_stores},
        pause_store::pause_store,
        release_capacity::release_capacity,
        reserve_capacity::{ReserveCapacityError, reserve_capacity},
    },
};
use types::StoreId;

use crate::{
    capacity::{SMALL_STORE, asap, used_seconds},
    harness::{Harness, NOW, at, new_order},
};

pub const PAUSE: Option<Pause> = Some(Pause {
    reason: PauseReason::Busy,
    until: None,
});

const SAMPLE: &str = include_str!("../../../../deploy/seed/stores-sample.csv");

/// Plans a reservation, runs `change`, and then writes the plan.
async fn reserve_after(harness: &Harness, store_id: StoreId, change: impl AsyncFnOnce()) -> ReserveOutcome {
    let now = at(NOW);
    let mut conn = harness.database.pool.acquire().await.unwrap();
    let slots = slot_at(now)..=slot_at(now) + 100;
    let snapshot = db::stores::by_id(&mut conn, store_id, None, slots)
        .await
        .unwrap()
        .unwrap();
    let plan = snapshot.schedule().plan(100, RequestedPickup::Asap, now).unwrap();
    change().await;
    let reservation = NewReservation {
        order_id: new_order(),
        store_id,
        staffing: &snapshot.store.staffing,
        schedule_version: snapshot.schedule_version,
        make_seconds: 100,
        plan: &plan,
    };
    db::capacity::reserve(&mut conn, reservation, now).await.unwrap()
}

#[tokio::test]
async fn a_plan_is_not_written_after_a_reservation_or_pause_at_the_same_store() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let other_store = harness.store("Market & Van Ness").await;
    let reserve_at = async |store_id| {
        reserve_capacity(&harness.cx, asap(new_order(), store_id, 10))
            .await
            .unwrap();
    };
    // The first plan of a store has no version row to compare with.
    for _ in 0..2 {
        assert_eq!(
            reserve_after(&harness, store_id, async || reserve_at(store_id).await).await,
            ReserveOutcome::VersionConflict
        );
    }
    let pause = async || drop(pause_store(&harness.cx, store_id, PAUSE).await.unwrap());
    assert_eq!(
        reserve_after(&harness, store_id, pause).await,
        ReserveOutcome::VersionConflict
    );
    assert_eq!(used_seconds(&harness).await, 20);
    assert_eq!(harness.count("SELECT count(*) FROM reservations").await, 2);

    pause_store(&harness.cx, store_id, None).await.unwrap();
    assert_eq!(
        reserve_after(&harness, store_id, async || reserve_at(other_store).await).await,
        ReserveOutcome::Reserved
    );
    harness.close().await;
}

#[tokio::test]
async fn a_plan_is_not_written_after_an_import_that_changes_the_store() {
    let harness = Harness::seeded().await;
    let import = async |text: String| {
        let options = ImportOptions {
            company: None,
            hours: Some(WeeklyHours::parse_daily("00:00-24:00").unwrap()),
        };
        import_stores(&harness.cx, text.as_bytes(), &options, |_| {})
            .await
            .unwrap();
    };
    import(SAMPLE.to_owned()).await;
    let store_id = harness.store("Café Alameda").await;
    let import_unchanged = async || import(SAMPLE.to_owned()).await;
    assert_eq!(
        reserve_after(&harness, store_id, import_unchanged).await,
        ReserveOutcome::Reserved
    );
    let import_changed = async || import(SAMPLE.replace("Café Alameda", "Café Encinal")).await;
    assert_eq!(
        reserve_after(&harness, store_id, import_changed).await,
        ReserveOutcome::VersionConflict
    );
    harness.close().await;
}

#[tokio::test]
async fn capacity_used_without_a_new_version_is_a_conflict_not_an_error() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let fill = async || {
        sqlx::query(
            "INSERT INTO capacity_slots SELECT store_id, slot, baristas * 300, baristas * 300
             FROM stores, generate_series($2::bigint, $2 + 1) AS slot WHERE store_id = $1",
        )
        .bind(store_id)
        .bind(slot_at(at(NOW)))
        .execute(&harness.database.pool)
        .await
        .unwrap();
    };
    assert_eq!(
        reserve_after(&harness, store_id, fill).await,
        ReserveOutcome::VersionConflict
    );
    assert_eq!(harness.count("SELECT count(*) FROM reservations").await, 0);
    reserve_capacity(&harness.cx, asap(new_order(), store_id, 100))
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_order_keeps_its_reservation_when_the_store_accepts_no_more_orders() {
    let harness = Harness::seeded().await;
    let (store_id, order_id) = (harness.store(SMALL_STORE).await, new_order());
    let reservation = reserve_capacity(&harness.cx, asap(order_id, store_id, 100))
        .await
        .unwrap();
    pause_store(&harness.cx, store_id, PAUSE).await.unwrap();
    assert!(matches!(
        reserve_capacity(&harness.cx, asap(new_order(), store_id, 100)).await,
        Err(ReserveCapacityError::PickupUnavailable(_))
    ));
    assert_eq!(
        reserve_capacity(&harness.cx, asap(order_id, store_id, 100))
            .await
            .unwrap(),
        reservation
    );
    harness.close().await;
}

/// One order of a race.
#[derive(Debug)]
struct Racer {
    make_seconds: u32,
    /// Requested ready time in minutes from now; as soon as possible if empty.
    pickup_in_minutes: Option<i64>,
    requests_twice: bool,
    releases: bool,
}

fn racers() -> impl Strategy<Value = Vec<Racer>> {
    let racer = (
        1_u32..700,
        proptest::option::of(10_i64..90),
        proptest::bool::ANY,
        proptest::bool::weighted(0.3),
    );
    let racer = racer.prop_map(
        |(make_seconds, pickup_in_minutes, requests_twice, releases)| Racer {
            make_seconds,
            pickup_in_minutes,
            requests_twice,
            releases,
        },
    );
    proptest::collection::vec(racer, 2..24)
}

/// Runs all requests and releases at once.
async fn race(harness: &Harness, stores: [StoreId; 2], racers: Vec<Racer>) {
    let tasks = racers.into_iter().enumerate().flat_map(|(number, racer)| {
        let order_id = new_order();
        let pickup = racer.pickup_in_minutes.map_or(RequestedPickup::Asap, |minutes| {
            RequestedPickup::At(at(NOW) + SignedDuration::from_mins(minutes))
        });
        let request = ReserveCapacity {
            pickup,
            ..asap(order_id, stores[number % 2], racer.make_seconds)
        };
        let reservations = (0..=usize::from(racer.requests_twice)).map({
            let cx = Arc::clone(&harness.cx);
            move |_| {
                let cx = Arc::clone(&cx);
                tokio::spawn(async move { reserve_capacity(&cx, request).await.err() })
            }
        });
        let release = racer.releases.then(|| {
            let cx = Arc::clone(&harness.cx);
            tokio::spawn(async move {
                release_capacity(&cx, order_id).await.unwrap();
                None
            })
        });
        reservations.chain(release).collect::<Vec<_>>()
    });
    for error in join_all(tasks).await.into_iter().filter_map(Result::unwrap) {
        assert!(
            matches!(
                error,
                ReserveCapacityError::PickupUnavailable(_) | ReserveCapacityError::ReservationClosed
            ),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn slots_match_the_reservations_after_any_race() {
    let harness = Harness::seeded().await;
    let stores = [
        harness.store(SMALL_STORE).await,
        harness.store("Market & Van Ness").await,
    ];
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let racers = racers().new_tree(&mut runner).unwrap().current();
        race(&harness, stores, racers).await;
        let wrong_slots = harness
            .count(
                "WITH reserved AS (
                   SELECT store_id, slot, sum(allocation.seconds) AS seconds
                   FROM reservations, unnest(slots, slot_seconds) AS allocation (slot, seconds)
                   WHERE released_at IS NULL GROUP BY store_id, slot
                 )
                 SELECT count(*) FROM reserved FULL JOIN capacity_slots USING (store_id, slot)
                 WHERE coalesce(reserved.seconds, 0) <> coalesce(used_seconds, 0) OR used_seconds > capacity_seconds",
            )
            .await;
        assert_eq!(wrong_slots, 0, "slots that differ from the reservations");
        let incomplete = harness
            .count(
                "SELECT count(*) FROM reservations WHERE released_at IS NULL
                 AND make_seconds <> (SELECT coalesce(sum(seconds), 0) FROM unnest(slot_seconds) AS seconds)",
            )
            .await;
        assert_eq!(incomplete, 0, "reservations of less than the make time");
    }
    harness.close().await;
}
