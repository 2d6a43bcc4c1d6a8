//! The queue that stores work from.

use std::time::Duration;

use callers::Caller;
use ordering::{
    db::orders,
    domain::{
        order::OrderRecord,
        status::{Actor, Status},
    },
    ops::{
        advance_order::{Advance, advance_order},
        list_queue::list_queue,
        order_error::OrderError,
    },
};
use types::{CredentialId, OrderId, Page, StoreId};

use crate::harness::Harness;

/// Inserts an order that the store has to start after this time.
async fn insert(harness: &Harness, store_id: StoreId, status: Status, start_in: Duration) -> OrderId {
    let mut record = harness.record(status);
    record.order.store_id = store_id;
    record.order.start_at = harness.now() + start_in;
    harness.insert(&record).await.unwrap();
    record.order.id
}

fn caller(harness: &Harness, stores: Option<Vec<StoreId>>) -> Caller {
    Caller::Store {
        credential: CredentialId::new(harness.now()),
        stores,
    }
}

/// Follows the cursor to the last page.
async fn all_pages(harness: &Harness, caller: &Caller, take: u32) -> Vec<OrderId> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = list_queue(&harness.cx, caller, None, after, Page::new(take, 0, take))
            .await
            .unwrap();
        assert!(page.orders.len() <= take as usize);
        ids.extend(page.orders.iter().map(|details| details.order.id));
        match page.next {
            // The cursor as clients send it.
            Some(next) => after = Some(next.to_string().parse().unwrap()),
            None => return ids,
        }
    }
}

#[tokio::test]
async fn new_orders_come_before_uncollected_orders() {
    let harness = Harness::new().await;
    let store_id = StoreId::new(harness.now());
    let at = Duration::from_mins;
    let mut expected = Vec::new();
    let uncollected = insert(&harness, store_id, Status::Ready, at(0)).await;
    let also_uncollected = insert(&harness, store_id, Status::Ready, at(1)).await;
    let accepted = insert(&harness, store_id, Status::Accepted, at(3)).await;
    let preparing = insert(&harness, store_id, Status::Preparing, at(2)).await;
    let later = insert(&harness, store_id, Status::Placed, at(9)).await;
    let sooner = insert(&harness, store_id, Status::Placed, at(8)).await;
    let same_time = insert(&harness, store_id, Status::Placed, at(9)).await;
    expected.extend([sooner]);
    let mut same = [later, same_time];
    same.sort_by_key(|id| id.uuid());
    expected.extend(same);
    expected.extend([preparing, accepted, uncollected, also_uncollected]);
    for finished in [Status::Completed, Status::Scheduled, Status::PaymentPending] {
        insert(&harness, store_id, finished, at(0)).await;
    }
    let elsewhere = insert(&harness, StoreId::new(harness.now()), Status::Placed, at(20)).await;
    let own = caller(&harness, Some(vec![store_id]));
    for take in [1, 2, 3, 100] {
        assert_eq!(all_pages(&harness, &own, take).await, expected, "{take}");
    }
    expected.insert(3, elsewhere);
    for take in [2, 100] {
        assert_eq!(all_pages(&harness, &caller(&harness, None), take).await, expected);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_is_accepted_between_two_pages_is_not_missed() {
    let harness = Harness::new().await;
    let store_id = StoreId::new(harness.now());
    let first = insert(&harness, store_id, Status::Placed, Duration::ZERO).await;
    let second = insert(&harness, store_id, Status::Placed, Duration::from_mins(1)).await;
    let own = caller(&harness, Some(vec![store_id]));
    let page = list_queue(&harness.cx, &own, None, None, Page::new(1, 0, 1))
        .await
        .unwrap();
    assert_eq!(page.orders[0].order.id, first);
    advance_order(&harness.cx, Some(&own), second, Advance::Accept)
        .await
        .unwrap();
    let page = list_queue(&harness.cx, &own, None, page.next, Page::new(1, 0, 1))
        .await
        .unwrap();
    assert_eq!(page.orders[0].order.id, second);
    harness.database.drop().await;
}

async fn uncollected(harness: &Harness) -> Vec<OrderId> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let since = harness.now() - harness.cx.rules.complete_after();
    orders::list_uncollected(&mut conn, since).await.unwrap()
}

async fn mark_ready(harness: &Harness, record: &OrderRecord) {
    let store = harness.store_of(record);
    advance_order(&harness.cx, Some(&store), record.order.id, Advance::MarkReady)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_order_is_uncollected_some_time_after_its_promised_time_and_after_it_is_ready() {
    let harness = Harness::new().await;
    // Promised in ten minutes; completed an hour later.
    let on_time = harness.insert_order(Status::Accepted).await;
    let late = harness.insert_order(Status::Accepted).await;
    mark_ready(&harness, &on_time).await;
    harness.advance_clock(Duration::from_mins(30));
    mark_ready(&harness, &late).await;
    harness.advance_clock(Duration::from_mins(40));
    assert!(uncollected(&harness).await.is_empty());
    harness.advance_clock(Duration::from_secs(1));
    assert_eq!(uncollected(&harness).await, [on_time.order.id]);
    harness.advance_clock(Duration::from_mins(20));
    assert_eq!(uncollected(&harness).await.len(), 2);
    let completed = advance_order(&harness.cx, None, late.order.id, Advance::CompleteUncollected)
        .await
        .unwrap();
    assert_eq!(completed.order.status, Status::Completed);
    assert_eq!(completed.history.last().unwrap().actor, Actor::System);
    assert_eq!(uncollected(&harness).await, [on_time.order.id]);
    harness.database.drop().await;
}

async fn unmarked(harness: &Harness) -> Vec<OrderId> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let since = harness.now() - harness.cx.rules.complete_unmarked_after();
    orders::list_unmarked(&mut conn, since).await.unwrap()
}

#[tokio::test]
async fn accepted_orders_that_are_never_marked_ready_end() {
    let harness = Harness::new().await;
    let consumer_id = harness.record(Status::Accepted).order.consumer_id;
    let mut records = Vec::new();
    for status in [
        Status::Accepted,
        Status::Preparing,
        Status::Accepted,
        Status::Placed,
        Status::Ready,
    ] {
        let mut record = harness.record(status);
        record.order.consumer_id = consumer_id;
        harness.insert(&record).await.unwrap();
        records.push(record);
    }
    let [accepted, preparing, started, ..] = records.as_slice() else {
        unreachable!()
    };
    // Promised in ten minutes.
    harness.advance_clock(Duration::from_hours(24) + Duration::from_mins(10));
    assert!(unmarked(&harness).await.is_empty());
    let store = harness.store_of(started);
    advance_order(&harness.cx, Some(&store), started.order.id, Advance::Start)
        .await
        .unwrap();
    harness.advance_clock(Duration::from_secs(1));
    let mut found = unmarked(&harness).await;
    found.sort_by_key(|id| id.uuid());
    let mut expected = [accepted.order.id, preparing.order.id];
    expected.sort_by_key(|id| id.uuid());
    assert_eq!(found, expected, "not the order that the store just started");
    for record in [accepted, preparing] {
        let by_store = advance_order(
            &harness.cx,
            Some(&harness.store_of(record)),
            record.order.id,
            Advance::Complete,
        )
        .await;
        assert!(
            matches!(by_store, Err(OrderError::InvalidTransition(_))),
            "staff mark it ready first"
        );
        let completed = advance_order(&harness.cx, None, record.order.id, Advance::CompleteUnmarked)
            .await
            .unwrap();
        assert_eq!(completed.order.status, Status::Completed);
        assert!(completed.order.is_charged);
        assert_eq!(
            completed.order.made_at, None,
            "does not count as kept or broken promise"
        );
        assert_eq!(completed.history.last().unwrap().actor, Actor::System);
    }
    assert!(unmarked(&harness).await.is_empty());
    // Its slots are free: one order is placed and one is being made.
    for _ in 0..3 {
        let mut record = harness.record(Status::Placed);
        record.order.consumer_id = consumer_id;
        harness.insert(&record).await.unwrap();
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn the_store_and_the_system_complete_an_order_once() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Ready).await;
    let (store, order_id) = (harness.store_of(&record), record.order.id);
    let by_store = advance_order(&harness.cx, Some(&store), order_id, Advance::CompleteUncollected).await;
    assert!(matches!(by_store, Err(OrderError::NotFound)));
    let (by_store, by_system) = tokio::join!(
        advance_order(&harness.cx, Some(&store), order_id, Advance::Complete),
        advance_order(&harness.cx, None, order_id, Advance::CompleteUncollected),
    );
    for outcome in [by_store, by_system] {
        assert_eq!(outcome.unwrap().order.status, Status::Completed);
    }
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["ordering.OrderCompleted"]
    );
    harness.database.drop().await;
}
