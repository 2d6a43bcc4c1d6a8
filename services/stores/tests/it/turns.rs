//! A plan is written only while its store stands as it did when it was planned; whatever races, the slices hold exactly
//! what is reserved.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use stores::{
    db::{
        self,
        capacity::{Reserving, Written},
    },
    domain::{capacity::slice_of, pickup::Wanted},
    ops::{
        import::{import, parse_hours},
        pause::pause,
        release::release_now,
        reserve::{ReserveCapacity, ReserveError, reserve},
        show::shop,
    },
};
use types::StoreId;

use crate::{
    harness::{Harness, NOON, at, new_order},
    minutes::{SMALL, asap, used},
};

const SAMPLE: &str = include_str!("../../../../deploy/seed/stores-sample.csv");

/// Plans on a store as it stands, lets something happen, and then writes the plan.
async fn planned_before(harness: &Harness, store: StoreId, happens: impl AsyncFnOnce()) -> Written {
    let now = at(NOON);
    let mut conn = harness.database.pool.acquire().await.unwrap();
    let slices = slice_of(now)..=slice_of(now) + 100;
    let moment = db::stores::by_id(&mut conn, store, None, slices)
        .await
        .unwrap()
        .unwrap();
    let plan = shop(&moment.store, &moment.load)
        .plan(100, Wanted::Soonest, now)
        .unwrap();
    happens().await;
    let reserving = Reserving {
        order: new_order(),
        store,
        baristas: moment.store.baristas,
        turn: moment.turn,
        make_seconds: 100,
        plan: &plan,
    };
    db::capacity::reserve(&mut conn, reserving, now).await.unwrap()
}

#[tokio::test]
async fn a_plan_that_was_overtaken_is_not_written() {
    let harness = Harness::seeded().await;
    let (store, other) = (
        harness.store(SMALL).await,
        harness.store("Market & Van Ness").await,
    );
    let reserved = async |store| {
        reserve(&harness.cx, asap(new_order(), store, 10)).await.unwrap();
    };
    // The first of all plans too: there is no row to count on yet.
    for _ in 0..2 {
        assert_eq!(
            planned_before(&harness, store, async || reserved(store).await).await,
            Written::Moved
        );
    }
    let paused = async || drop(pause(&harness.cx, store, true).await.unwrap());
    assert_eq!(planned_before(&harness, store, paused).await, Written::Moved);
    assert_eq!(used(&harness).await, 20);
    assert_eq!(harness.count("SELECT count(*) FROM reservations").await, 2);

    pause(&harness.cx, store, false).await.unwrap();
    let elsewhere = async || reserved(other).await;
    assert_eq!(
        planned_before(&harness, store, elsewhere).await,
        Written::Reserved
    );
    harness.close().await;
}

#[tokio::test]
async fn a_plan_is_not_written_at_a_store_that_was_brought_up_to_date() {
    let harness = Harness::seeded().await;
    let load = async |text: String| {
        let hours = parse_hours("00:00-24:00").unwrap();
        import(&harness.cx, text.as_bytes(), &hours, |_| {})
            .await
            .unwrap();
    };
    load(SAMPLE.to_owned()).await;
    let store = harness.store("Café Alameda").await;
    let again = async || load(SAMPLE.to_owned()).await;
    assert_eq!(planned_before(&harness, store, again).await, Written::Reserved);
    let changed = async || load(SAMPLE.replace("Café Alameda", "Café Encinal")).await;
    assert_eq!(planned_before(&harness, store, changed).await, Written::Moved);
    harness.close().await;
}

/// As a release does that knows nothing of turns, while it and this one serve side by side.
#[tokio::test]
async fn a_plan_that_was_overtaken_without_a_turn_is_made_anew() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let fill = async || {
        sqlx::query(
            "INSERT INTO make_slices SELECT store_id, slice, baristas * 300, baristas * 300
             FROM stores, generate_series($2::bigint, $2 + 1) AS slice WHERE store_id = $1",
        )
        .bind(store)
        .bind(slice_of(at(NOON)))
        .execute(&harness.database.pool)
        .await
        .unwrap();
    };
    assert_eq!(planned_before(&harness, store, fill).await, Written::Moved);
    assert_eq!(harness.count("SELECT count(*) FROM reservations").await, 0);
    reserve(&harness.cx, asap(new_order(), store, 100)).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_order_that_has_its_minutes_keeps_them_when_the_store_has_none_left() {
    let harness = Harness::seeded().await;
    let (store, order) = (harness.store(SMALL).await, new_order());
    let promise = reserve(&harness.cx, asap(order, store, 100)).await.unwrap();
    pause(&harness.cx, store, true).await.unwrap();
    assert!(matches!(
        reserve(&harness.cx, asap(new_order(), store, 100)).await,
        Err(ReserveError::NotThen(_))
    ));
    assert_eq!(
        reserve(&harness.cx, asap(order, store, 100)).await.unwrap(),
        promise
    );
    harness.close().await;
}

/// One order of a race: seconds of making, minutes ahead if it is wanted at a time, whether it is asked for twice, and
/// whether it is given back meanwhile.
type Racer = (u32, Option<i64>, bool, bool);

fn racers() -> impl Strategy<Value = Vec<Racer>> {
    let racer = (
        1_u32..700,
        proptest::option::of(10_i64..90),
        proptest::bool::ANY,
        proptest::bool::weighted(0.3),
    );
    proptest::collection::vec(racer, 2..24)
}

async fn race(harness: &Harness, stores: [StoreId; 2], racers: Vec<Racer>) {
    let tasks = racers.into_iter().enumerate().flat_map(|(number, racer)| {
        let (make_seconds, minutes, twice, given_back) = racer;
        let (order, store) = (new_order(), stores[number % 2]);
        let wanted = minutes.map_or(Wanted::Soonest, |minutes| {
            Wanted::At(at(NOON) + SignedDuration::from_mins(minutes))
        });
        let request = ReserveCapacity {
            wanted,
            ..asap(order, store, make_seconds)
        };
        let asks = (0..=usize::from(twice)).map({
            let cx = Arc::clone(&harness.cx);
            move |_| {
                let cx = Arc::clone(&cx);
                tokio::spawn(async move { reserve(&cx, request).await.err() })
            }
        });
        let gives = given_back.then(|| {
            let cx = Arc::clone(&harness.cx);
            tokio::spawn(async move {
                release_now(&cx, order).await.unwrap();
                None
            })
        });
        asks.chain(gives).collect::<Vec<_>>()
    });
    for refused in join_all(tasks).await.into_iter().filter_map(Result::unwrap) {
        assert!(
            matches!(refused, ReserveError::NotThen(_) | ReserveError::Closed),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn whatever_races_the_slices_hold_what_is_reserved() {
    let harness = Harness::seeded().await;
    let stores = [
        harness.store(SMALL).await,
        harness.store("Market & Van Ness").await,
    ];
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let racers = racers().new_tree(&mut runner).unwrap().current();
        race(&harness, stores, racers).await;
        let wrong = harness
            .count(
                "WITH held AS (
                   SELECT store_id, slice, sum(take.seconds) AS seconds
                   FROM reservations, unnest(slices, seconds) AS take (slice, seconds)
                   WHERE released_at IS NULL GROUP BY store_id, slice
                 )
                 SELECT count(*) FROM held FULL JOIN make_slices USING (store_id, slice)
                 WHERE coalesce(held.seconds, 0) <> coalesce(used_seconds, 0) OR used_seconds > capacity_seconds",
            )
            .await;
        assert_eq!(wrong, 0, "slices that hold something else than is reserved");
        let partial = "SELECT count(*) FROM reservations WHERE released_at IS NULL
                       AND make_seconds <> (SELECT coalesce(sum(each), 0) FROM unnest(seconds) AS each)";
        assert_eq!(
            harness.count(partial).await,
            0,
            "reservations of less than was asked"
        );
    }
    harness.close().await;
}
