//! Delays of orders: the promised time changes, the original one is kept, and the change is published.

use std::time::Duration;

use jiff::Timestamp;
use kit::ServiceError;
use ordering::{
    domain::{
        delay::{DelayDraft, NewReadyTime},
        order::{OrderDetails, OrderRecord},
        status::{Actor, Status},
        tender::Tender,
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::cancel_order,
        delay_order::{DelayOrderError, delay_order},
        list_queue::list_queue,
    },
};
use proto::ordering::v1::order_event::Change;
use types::{OrderId, Page, StoreId};

use crate::harness::Harness;

impl Harness {
    async fn delay(
        &self,
        record: &OrderRecord,
        ready: NewReadyTime,
        reason: &str,
    ) -> Result<OrderDetails, DelayOrderError> {
        let draft = DelayDraft {
            ready,
            reason: reason.to_owned(),
        };
        delay_order(&self.cx, &self.store_of(record), record.order.id, draft).await
    }

    async fn delayed_events(&self) -> usize {
        let events = self.order_events().await;
        let is_delay = |change: &Change| matches!(change, Change::Delayed(_));
        events
            .iter()
            .filter(|event| event.change.as_ref().is_some_and(is_delay))
            .count()
    }
}

fn reason_of<T: std::fmt::Debug>(result: Result<T, DelayOrderError>) -> String {
    ServiceError::from(result.unwrap_err()).reason.into_owned()
}

#[tokio::test]
async fn a_delay_promises_a_later_time_and_keeps_the_first_promise() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Accepted).await;
    let promised: Timestamp = record.order.ready_at;
    let later = promised + Duration::from_mins(10);
    let delayed = harness
        .delay(&record, NewReadyTime::At(later), " The grinder\nis down. ")
        .await
        .unwrap();
    let order = &delayed.order;
    assert_eq!((order.ready_at, order.first_ready_at()), (later, promised));
    assert_eq!(order.delay_reason, "The grinder is down.");
    assert_eq!((order.status, order.version), (Status::Accepted, 2));
    assert_eq!(&harness.find(order.id).await.order, order, "as stored");
    let entry = delayed.history.last().unwrap();
    assert_eq!(
        (entry.status, entry.actor, entry.ready_at),
        (Status::Accepted, Actor::Store, Some(later))
    );
    let [event] = harness.order_events().await.try_into().unwrap();
    let snapshot = event.order.unwrap();
    assert_eq!(
        (snapshot.ready_at, snapshot.first_ready_at, snapshot.version),
        (later.to_string(), promised.to_string(), 2)
    );
    match event.change.unwrap() {
        Change::Delayed(change) => assert_eq!(
            (change.previous_ready_at, change.reason),
            (promised.to_string(), "The grinder is down.".to_owned())
        ),
        other => panic!("{other:?}"),
    }
    let latest = later + Duration::from_mins(5);
    let delayed = harness
        .delay(&record, NewReadyTime::At(latest), "")
        .await
        .unwrap();
    assert_eq!(
        (
            delayed.order.first_ready_at(),
            delayed.order.delay_reason.as_str()
        ),
        (promised, "")
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_repeated_delay_changes_nothing() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Preparing).await;
    let later = NewReadyTime::At(record.order.ready_at + Duration::from_mins(10));
    let first = harness.delay(&record, later, "Busy.").await.unwrap();
    let second = harness.delay(&record, later, "Busy.").await.unwrap();
    assert_eq!(first, second);
    let within_the_minute = NewReadyTime::At(first.order.ready_at - Duration::from_millis(1));
    assert_eq!(
        harness.delay(&record, within_the_minute, "Busy.").await.unwrap(),
        first
    );
    let repeats = futures::future::join_all((0..10).map(|_| harness.delay(&record, later, "Busy."))).await;
    assert!(repeats.iter().all(Result::is_ok));
    assert_eq!(harness.delayed_events().await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_repeated_delay_by_minutes_changes_nothing() {
    let harness = Harness::new().await;
    harness.advance_clock(Duration::from_secs(50));
    let record = harness.insert_order(Status::Preparing).await;
    let minutes = NewReadyTime::InMinutes(25);
    let first = harness.delay(&record, minutes, "Busy.").await.unwrap();
    // The first repeat is in the same minute, the second one in the next.
    for seconds in [8, 7] {
        harness.advance_clock(Duration::from_secs(seconds));
        assert_eq!(harness.delay(&record, minutes, "Busy.").await.unwrap(), first);
    }
    assert_eq!(harness.delayed_events().await, 1);
    let other = harness.delay(&record, minutes, "Still busy.").await.unwrap();
    assert_eq!(
        (other.order.ready_at, other.order.delay_reason.as_str()),
        (first.order.ready_at + Duration::from_mins(1), "Still busy.")
    );
    harness.advance_clock(Duration::from_mins(2));
    let again = harness.delay(&record, minutes, "Still busy.").await.unwrap();
    assert_eq!(
        again.order.ready_at,
        other.order.ready_at + Duration::from_mins(2)
    );
    assert_eq!(harness.delayed_events().await, 3);
    harness.database.drop().await;
}

#[tokio::test]
async fn minutes_count_from_now_to_a_whole_minute() {
    let harness = Harness::new().await;
    harness.advance_clock(Duration::from_secs(30));
    let record = harness.insert_order(Status::Placed).await;
    let delayed = harness
        .delay(&record, NewReadyTime::InMinutes(25), "")
        .await
        .unwrap();
    assert_eq!(
        delayed.order.ready_at,
        "2026-11-20T16:26:00Z".parse::<Timestamp>().unwrap()
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn the_new_time_must_be_later_but_not_too_late() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Accepted).await;
    let promised = record.order.ready_at;
    let two_hours = promised + Duration::from_hours(2);
    for (ready, reason) in [
        (NewReadyTime::At(promised), "DELAY_NOT_LATER"),
        (
            NewReadyTime::At(promised - Duration::from_secs(1)),
            "DELAY_NOT_LATER",
        ),
        (NewReadyTime::InMinutes(5), "DELAY_NOT_LATER"),
        (
            NewReadyTime::At(two_hours + Duration::from_secs(1)),
            "DELAY_INVALID",
        ),
        (NewReadyTime::InMinutes(121), "DELAY_INVALID"),
    ] {
        assert_eq!(
            reason_of(harness.delay(&record, ready, "").await),
            reason,
            "{ready:?}"
        );
    }
    let too_many = harness.delay(&record, NewReadyTime::InMinutes(121), "").await;
    let error = ServiceError::from(too_many.unwrap_err());
    assert_eq!(error.field.as_deref(), Some("minutes"));
    let long = "é".repeat(201);
    let later = NewReadyTime::At(two_hours);
    assert_eq!(
        reason_of(harness.delay(&record, later, &long).await),
        "REASON_TOO_LONG"
    );
    harness.delay(&record, later, &"é".repeat(200)).await.unwrap();
    // The promised time has passed, so the new time must be in the future.
    harness.advance_clock(Duration::from_hours(4));
    let passed = NewReadyTime::At(two_hours + Duration::from_mins(1));
    assert_eq!(
        reason_of(harness.delay(&record, passed, "").await),
        "DELAY_NOT_LATER"
    );
    harness
        .delay(&record, NewReadyTime::InMinutes(120), "")
        .await
        .unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn a_new_order_cannot_be_delayed_beyond_the_hold_of_its_card() {
    let harness = Harness::new().await;
    let mut record = harness.record(Status::Placed);
    record.order.tender = Tender::Card;
    let latest = record.order.created_at + Duration::from_hours(6 * 24);
    record.order.ready_at = latest - Duration::from_mins(10);
    harness.insert(&record).await.unwrap();
    let too_late = NewReadyTime::At(latest + Duration::from_mins(1));
    assert_eq!(
        reason_of(harness.delay(&record, too_late, "").await),
        "PICKUP_TIME_TOO_LATE"
    );
    harness
        .delay(&record, NewReadyTime::At(latest), "")
        .await
        .unwrap();

    let mut accepted = harness.record(Status::Accepted);
    accepted.order.tender = Tender::Card;
    accepted.order.ready_at = latest;
    harness.insert(&accepted).await.unwrap();
    harness.delay(&accepted, too_late, "").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_store_of_the_order_can_delay_it() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Accepted).await;
    let mut foreign = record.clone();
    foreign.order.store_id = StoreId::new(harness.now());
    let ready = NewReadyTime::InMinutes(30);
    assert_eq!(
        reason_of(harness.delay(&foreign, ready, "").await),
        "ORDER_UNKNOWN"
    );
    let mut unknown = record.clone();
    unknown.order.id = OrderId::new(harness.now());
    assert_eq!(
        reason_of(harness.delay(&unknown, ready, "").await),
        "ORDER_UNKNOWN"
    );
    let consumer = callers::Caller::Consumer {
        id: record.order.consumer_id,
        session: types::SessionId::new(harness.now()),
    };
    let draft = DelayDraft {
        ready,
        reason: String::new(),
    };
    let result = delay_order(&harness.cx, &consumer, record.order.id, draft).await;
    assert_eq!(reason_of(result), "ORDER_UNKNOWN");
    harness.database.drop().await;
}

#[tokio::test]
async fn only_an_order_in_the_queue_that_is_not_ready_can_be_delayed() {
    let harness = Harness::new().await;
    for &status in Status::ALL {
        let record = harness.insert_order(status).await;
        let result = harness.delay(&record, NewReadyTime::InMinutes(30), "").await;
        let is_possible = matches!(status, Status::Placed | Status::Accepted | Status::Preparing);
        assert_eq!(result.is_ok(), is_possible, "{status}");
        if !is_possible {
            assert_eq!(
                reason_of(result),
                format!("ORDER_{}", status.as_str().to_uppercase())
            );
        }
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_ready_order_has_the_time_it_was_made() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Accepted).await;
    let store = harness.store_of(&record);
    harness
        .delay(&record, NewReadyTime::InMinutes(30), "")
        .await
        .unwrap();
    harness.advance_clock(Duration::from_mins(20));
    let ready = advance_order(&harness.cx, Some(&store), record.order.id, Advance::MarkReady)
        .await
        .unwrap();
    assert_eq!(ready.order.made_at, Some(harness.now()));
    harness.advance_clock(Duration::from_mins(1));
    advance_order(&harness.cx, Some(&store), record.order.id, Advance::Complete)
        .await
        .unwrap();
    let stored = harness.find(record.order.id).await.order;
    assert_eq!(
        stored.made_at, ready.order.made_at,
        "completion does not change it"
    );
    let events = harness.order_events().await;
    let snapshot = events[1].order.as_ref().unwrap();
    assert_eq!(
        (snapshot.first_ready_at.as_str(), snapshot.changed_at.as_str()),
        (
            record.order.ready_at.to_string().as_str(),
            ready.order.made_at.unwrap().to_string().as_str()
        ),
        "stores compares these"
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_delay_keeps_the_place_in_the_queue() {
    let harness = Harness::new().await;
    let first = harness.insert_order(Status::Accepted).await;
    let mut second = harness.record(Status::Accepted);
    second.order.store_id = first.order.store_id;
    second.order.start_at = first.order.start_at + Duration::from_mins(1);
    harness.insert(&second).await.unwrap();
    harness
        .delay(&first, NewReadyTime::InMinutes(60), "")
        .await
        .unwrap();
    let page = list_queue(
        &harness.cx,
        &harness.store_of(&first),
        None,
        None,
        Page::new(10, 0, 10),
    )
    .await
    .unwrap();
    let ids: Vec<OrderId> = page.orders.iter().map(|details| details.order.id).collect();
    assert_eq!(ids, [first.order.id, second.order.id]);
    harness.database.drop().await;
}

/// A lock on the row makes both actions read the order before either writes.
#[tokio::test]
async fn a_delay_that_races_with_another_change_is_written_before_it_or_not_at_all() {
    for delay_first in [true, false] {
        for is_cancel in [true, false] {
            let harness = Harness::new().await;
            let status = if is_cancel {
                Status::Placed
            } else {
                Status::Accepted
            };
            let record = harness.insert_order(status).await;
            let order_id = record.order.id;
            let mut lock = kit::postgres::begin(&harness.cx.pool).await.unwrap();
            sqlx::query("SELECT FROM orders WHERE id = $1 FOR UPDATE")
                .bind(order_id.uuid())
                .execute(&mut *lock)
                .await
                .unwrap();
            let (cx, store) = (harness.cx.clone(), harness.store_of(&record));
            let delay = async move {
                let draft = DelayDraft {
                    ready: NewReadyTime::InMinutes(30),
                    reason: String::new(),
                };
                delay_order(&cx, &store, order_id, draft).await
            };
            let (cx, store, consumer_id) = (
                harness.cx.clone(),
                harness.store_of(&record),
                record.order.consumer_id,
            );
            let other = async move {
                if is_cancel {
                    cancel_order(&cx, consumer_id, order_id).await
                } else {
                    advance_order(&cx, Some(&store), order_id, Advance::MarkReady).await
                }
            };
            let (delayed, changed) = if delay_first {
                let delay = tokio::spawn(delay);
                harness.database.wait_for_blocked(1).await;
                let other = tokio::spawn(other);
                harness.database.wait_for_blocked(2).await;
                lock.commit().await.unwrap();
                (delay.await.unwrap(), other.await.unwrap())
            } else {
                let other = tokio::spawn(other);
                harness.database.wait_for_blocked(1).await;
                let delay = tokio::spawn(delay);
                harness.database.wait_for_blocked(2).await;
                lock.commit().await.unwrap();
                (delay.await.unwrap(), other.await.unwrap())
            };
            // The other change is possible before and after the delay.
            changed.unwrap();
            assert_eq!(delayed.is_ok(), delay_first, "cancel: {is_cancel}");
            let stored = harness.find(order_id).await.order;
            assert_eq!(
                stored.status,
                if is_cancel {
                    Status::Cancelled
                } else {
                    Status::Ready
                }
            );
            assert_eq!(stored.first_ready_at.is_some(), delay_first);
            assert_eq!(harness.delayed_events().await, usize::from(delay_first));
            harness.database.drop().await;
        }
    }
}
