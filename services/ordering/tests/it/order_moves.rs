//! Moves of scheduled orders to another time.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{
        order::{OrderDetails, OrderRecord},
        status::{Actor, Status},
        tender::Tender,
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::cancel_order,
        order_moves::recover_moves,
        reschedule_order::{RescheduleOrderError, reschedule_order},
    },
};
use proto::{ordering::v1::order_event::Change, stores::v1 as stores};
use types::StoreId;

use crate::{fake_services::FakeServices, harness::Harness, store_side::reason_of};

impl Harness {
    async fn reschedule(
        &self,
        record: &OrderRecord,
        ready_at: Timestamp,
    ) -> Result<OrderDetails, RescheduleOrderError> {
        let caller = self.store_of(record);
        reschedule_order(
            &self.cx,
            &caller,
            record.order.id,
            ready_at,
            "We close early that day.",
        )
        .await
    }

    /// Lets the lease and the retry delay of the moves end.
    async fn expire_move(&self) {
        sqlx::query("UPDATE order_moves SET lease_until = now() - interval '1 second', retry_at = now()")
            .execute(&self.cx.pool)
            .await
            .unwrap();
    }

    async fn open_moves(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM order_moves")
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }
}

fn on_move(services: &FakeServices, ready_at: Timestamp) {
    let start_at = ready_at - Duration::from_mins(5);
    services.on("MoveReservation", move || stores::Reservation {
        ready_at: ready_at.to_string(),
        start_at: start_at.to_string(),
        ..stores::Reservation::default()
    });
}

#[tokio::test]
async fn a_scheduled_order_moves_to_the_time_that_its_store_reserved() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at - Duration::from_mins(30);
    on_move(&services, ready_at);
    for _ in 0..2 {
        let moved = harness.reschedule(&record, ready_at).await.unwrap();
        let order = &moved.order;
        assert_eq!(
            (order.status, order.version, order.ready_at),
            (Status::Scheduled, 2, ready_at)
        );
        assert_eq!(order.first_ready_at(), record.order.ready_at, "the first promise");
        assert_eq!(order.delay_reason, "We close early that day.");
        let entry = moved.history.last().unwrap();
        assert_eq!((entry.actor, entry.ready_at), (Actor::Store, Some(ready_at)));
    }
    let stored = harness.find(record.order.id).await;
    assert_eq!(stored.order.start_at, ready_at - Duration::from_mins(5));
    assert_eq!(stored.placement.pickup_at, Some(ready_at));
    let [event] = harness.order_events().await.try_into().unwrap();
    assert_eq!(event.order.unwrap().ready_at, ready_at.to_string());
    assert!(matches!(event.change.unwrap(), Change::Delayed(_)));
    harness.database.drop().await;
}

#[tokio::test]
async fn the_promised_time_can_be_requested_again() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    on_move(&services, record.order.ready_at);
    let repeated = harness.reschedule(&record, record.order.ready_at).await.unwrap();
    assert_eq!(repeated.order, record.order);
    assert_eq!(services.count("MoveReservation"), 1);
    assert!(harness.order_events().await.is_empty());
    assert_eq!(harness.open_moves().await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn concurrent_moves_leave_the_reservation_at_the_promised_time() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let reserved = record_moves(&services);
    for round in 1..=5_u64 {
        let time = |minutes: u64| record.order.ready_at + Duration::from_mins(10 * round + minutes);
        let results = tokio::join!(
            harness.reschedule(&record, time(0)),
            harness.reschedule(&record, time(5)),
            harness.reschedule(&record, time(8)),
        );
        let promised = harness.find(record.order.id).await.order.ready_at;
        assert_eq!(*reserved.lock().unwrap(), promised.to_string(), "{results:?}");
        for result in <[_; 3]>::from(results) {
            if let Err(error) = result {
                assert_eq!(ServiceError::from(error).reason, "ORDER_CHANGED");
            }
        }
    }
    assert_eq!(harness.open_moves().await, 0);
    harness.database.drop().await;
}

/// Lets stores move every reservation, and returns the time that it has.
fn record_moves(services: &FakeServices) -> Arc<Mutex<String>> {
    let reserved = Arc::new(Mutex::new(String::new()));
    let recorded = reserved.clone();
    services.on_request(
        "MoveReservation",
        move |request: stores::MoveReservationRequest| {
            recorded.lock().unwrap().clone_from(&request.ready_at);
            stores::Reservation {
                start_at: request.ready_at.clone(),
                ready_at: request.ready_at,
                ..stores::Reservation::default()
            }
        },
    );
    reserved
}

#[tokio::test]
async fn a_move_whose_call_to_stores_failed_is_completed_once() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at + Duration::from_mins(30);
    let moved = harness.reschedule(&record, ready_at).await;
    assert_eq!(reason_of(moved), "UNAVAILABLE");
    assert_eq!(harness.find(record.order.id).await.order, record.order);
    let reserved = record_moves(&services);
    harness.expire_move().await;
    for _ in 0..2 {
        recover_moves(&harness.cx).await.unwrap();
    }
    let order = harness.find(record.order.id).await.order;
    assert_eq!((order.version, order.ready_at), (2, ready_at));
    assert_eq!(order.delay_reason, "We close early that day.");
    assert_eq!(*reserved.lock().unwrap(), ready_at.to_string());
    assert_eq!(harness.order_events().await.len(), 1);
    assert_eq!(harness.open_moves().await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_later_request_replaces_an_interrupted_move() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let time = |minutes| record.order.ready_at + Duration::from_mins(minutes);
    reason_of(harness.reschedule(&record, time(30)).await);
    let reserved = record_moves(&services);
    harness.reschedule(&record, time(10)).await.unwrap();
    recover_moves(&harness.cx).await.unwrap();
    assert_eq!(harness.find(record.order.id).await.order.ready_at, time(10));
    assert_eq!(*reserved.lock().unwrap(), time(10).to_string());
    harness.database.drop().await;
}

/// A first request is slower than its lease: after it called stores, a second one moves the order to another time.
#[tokio::test]
async fn a_task_that_lost_its_lease_promises_nothing_and_the_reservation_follows_the_promise() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let time = |minutes| record.order.ready_at + Duration::from_mins(minutes);
    let reserved = record_moves(&services);
    let held = services.hold("MoveReservation");
    let first = harness.reschedule(&record, time(30));
    let second = async {
        services.wait_for_calls("MoveReservation", 1).await;
        harness.expire_move().await;
        let second = harness.reschedule(&record, time(10));
        let release = async {
            services.wait_for_calls("MoveReservation", 2).await;
            drop(held);
        };
        tokio::join!(second, release).0
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(reason_of(first), "ORDER_CHANGED");
    assert_eq!(second.unwrap().order.ready_at, time(10));
    for _ in 0..2 {
        recover_moves(&harness.cx).await.unwrap();
    }
    assert_eq!(harness.find(record.order.id).await.order.ready_at, time(10));
    assert_eq!(*reserved.lock().unwrap(), time(10).to_string());
    assert_eq!(harness.order_events().await.len(), 1);
    assert_eq!(harness.open_moves().await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_rejected_request_after_an_interrupted_move_restores_the_promised_time() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let time = |minutes| record.order.ready_at + Duration::from_mins(minutes);
    // Stores moves the reservation, and the response is lost.
    let moved = harness.reschedule(&record, time(30)).await;
    assert_eq!(reason_of(moved), "UNAVAILABLE");
    services.on_error("MoveReservation", || {
        ServiceError::new(ErrorCode::Conflict, "SLOT_UNAVAILABLE", "Full.")
    });
    let rejected = harness.reschedule(&record, time(10)).await;
    assert_eq!(reason_of(rejected), "SLOT_UNAVAILABLE");
    // The promised time is full as well, and is tried again.
    recover_moves(&harness.cx).await.unwrap();
    assert_eq!(harness.open_moves().await, 1);
    let reserved = record_moves(&services);
    harness.expire_move().await;
    recover_moves(&harness.cx).await.unwrap();
    assert_eq!(*reserved.lock().unwrap(), time(0).to_string());
    assert_eq!(harness.find(record.order.id).await.order, record.order);
    assert!(harness.order_events().await.is_empty());
    assert_eq!(harness.open_moves().await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_move_that_failed_often_is_tried_again_after_a_minute() {
    let (harness, _services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at + Duration::from_mins(30);
    reason_of(harness.reschedule(&record, ready_at).await);
    sqlx::query("UPDATE order_moves SET failures = 2000")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    harness.expire_move().await;
    recover_moves(&harness.cx).await.unwrap();
    let is_later: bool = sqlx::query_scalar(
        "SELECT failures = 2001 AND retry_at BETWEEN now() + interval '50 seconds' AND now() + interval '1 minute'
         FROM order_moves",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert!(is_later);
    harness.database.drop().await;
}

/// The store makes the order, and its promised time has passed or is full.
#[tokio::test]
async fn the_move_of_an_order_that_is_being_made_ends_when_stores_rejects_its_promised_time() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at + Duration::from_mins(30);
    reason_of(harness.reschedule(&record, ready_at).await);
    advance_order(&harness.cx, None, record.order.id, Advance::Promote)
        .await
        .unwrap();
    services.on_error("MoveReservation", || {
        ServiceError::new(ErrorCode::RuleViolation, "PICKUP_TIME_INVALID", "Passed.")
    });
    harness.expire_move().await;
    recover_moves(&harness.cx).await.unwrap();
    assert_eq!(harness.open_moves().await, 0);
    let order = harness.find(record.order.id).await.order;
    assert_eq!(
        (order.status, order.ready_at),
        (Status::Placed, record.order.ready_at)
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_time_that_has_passed_is_not_promised() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at - Duration::from_mins(30);
    let moved = harness.reschedule(&record, ready_at).await;
    assert_eq!(reason_of(moved), "UNAVAILABLE");
    let reserved = record_moves(&services);
    harness.advance_clock(Duration::from_mins(90));
    harness.expire_move().await;
    recover_moves(&harness.cx).await.unwrap();
    assert_eq!(harness.find(record.order.id).await.order, record.order);
    assert_eq!(*reserved.lock().unwrap(), record.order.ready_at.to_string());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_time_within_a_minute_is_rounded_up_and_the_field_of_an_error_is_that_of_the_request() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at + Duration::from_mins(30);
    on_move(&services, ready_at);
    let within = ready_at - Duration::from_millis(59_001);
    let moved = harness.reschedule(&record, within).await.unwrap();
    assert_eq!(moved.order.ready_at, ready_at);
    services.on_error("MoveReservation", || {
        ServiceError::new(ErrorCode::RuleViolation, "PICKUP_TIME_INVALID", "Closed.").with_field("pickupAt")
    });
    // Stores rejects a time that has passed as well.
    let passed = harness
        .reschedule(&record, harness.now() - Duration::from_mins(1))
        .await;
    assert_eq!(reason_of(passed), "PICKUP_TIME_INVALID");
    let later = ready_at + Duration::from_mins(1);
    let error = ServiceError::from(harness.reschedule(&record, later).await.unwrap_err());
    assert_eq!(
        (&*error.reason, error.field.as_deref()),
        ("PICKUP_TIME_INVALID", Some("readyAt"))
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_keeps_its_time_if_it_is_time_to_make_it_or_the_consumer_cancels() {
    let (harness, services) = Harness::with_store_services().await;
    for status in [Status::Placed, Status::Cancelled] {
        let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
        let ready_at = record.order.ready_at + Duration::from_mins(30);
        let reserved = record_moves(&services);
        let calls = services.count("MoveReservation");
        let held = services.hold("MoveReservation");
        let changing = async {
            services.wait_for_calls("MoveReservation", calls + 1).await;
            if status == Status::Placed {
                advance_order(&harness.cx, None, record.order.id, Advance::Promote)
                    .await
                    .unwrap();
            } else {
                cancel_order(&harness.cx, record.order.consumer_id, record.order.id)
                    .await
                    .unwrap();
            }
            drop(held);
        };
        let (moved, ()) = tokio::join!(harness.reschedule(&record, ready_at), changing);
        assert_eq!(reason_of(moved), "ORDER_CHANGED");
        harness.expire_move().await;
        recover_moves(&harness.cx).await.unwrap();
        let stored = harness.find(record.order.id).await.order;
        assert_eq!((stored.status, stored.ready_at), (status, record.order.ready_at));
        if status == Status::Placed {
            assert_eq!(*reserved.lock().unwrap(), record.order.ready_at.to_string());
        } else {
            let calls = services.count("MoveReservation");
            let repeated = harness.reschedule(&record, ready_at).await;
            assert_eq!(reason_of(repeated), "ORDER_CANCELLED");
            assert_eq!(services.count("MoveReservation"), calls);
        }
        assert_eq!(harness.open_moves().await, 0);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_store_moves_only_scheduled_orders() {
    let harness = Harness::new().await;
    let placed = harness.insert_order(Status::Placed).await;
    let ready_at = placed.order.ready_at + Duration::from_mins(30);
    assert_eq!(
        reason_of(harness.reschedule(&placed, ready_at).await),
        "ORDER_PLACED"
    );
    let scheduled = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let foreign = harness.store_of(&placed);
    let moved = reschedule_order(&harness.cx, &foreign, scheduled.order.id, ready_at, "").await;
    assert_eq!(reason_of(moved), "ORDER_UNKNOWN");
    let caller = harness.store_of(&scheduled);
    let moved = reschedule_order(
        &harness.cx,
        &caller,
        scheduled.order.id,
        ready_at,
        &"x".repeat(201),
    )
    .await;
    assert_eq!(reason_of(moved), "REASON_TOO_LONG");
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_cannot_be_moved_beyond_the_hold_of_its_card() {
    let (harness, services) = Harness::with_store_services().await;
    let mut record = harness.record(Status::Scheduled);
    record.order.is_scheduled = true;
    record.order.tender = Tender::Card;
    harness.insert(&record).await.unwrap();
    let latest = record.order.created_at + Duration::from_hours(6 * 24);
    let too_late = latest + Duration::from_secs(1);
    let error = ServiceError::from(harness.reschedule(&record, too_late).await.unwrap_err());
    assert_eq!(
        (error.code, &*error.reason, error.field.as_deref()),
        (ErrorCode::RuleViolation, "PICKUP_TIME_TOO_LATE", Some("readyAt"))
    );
    assert!(
        error
            .message
            .contains("Choose 8:00 AM on Thursday, November 26 or earlier."),
        "{}",
        error.message
    );
    assert_eq!(services.count("MoveReservation"), 0);
    on_move(&services, latest);
    harness.reschedule(&record, latest).await.unwrap();

    let mut by_bank = harness.record(Status::Scheduled);
    by_bank.order.is_scheduled = true;
    by_bank.order.tender = Tender::Bank;
    harness.insert(&by_bank).await.unwrap();
    on_move(&services, too_late);
    harness.reschedule(&by_bank, too_late).await.unwrap();
    harness.database.drop().await;
}
