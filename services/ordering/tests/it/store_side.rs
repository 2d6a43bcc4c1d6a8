//! Scheduled orders and the figures of the day, as the staff of a store see them.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::{Timestamp, tz::TimeZone};
use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{
        order::{OrderDetails, OrderRecord},
        status::{Actor, Status},
        tender::Tender,
    },
    ops::{
        cancel_order::cancel_order,
        get_store_summary::get_store_summary,
        list_scheduled_orders::list_scheduled_orders,
        reject_order::reject_order,
        reschedule_order::{RescheduleOrderError, reschedule_order},
    },
};
use proto::{ordering::v1::order_event::Change, stores::v1 as stores};
use types::StoreId;

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START, line},
};

impl Harness {
    /// Inserts an order that is scheduled in two hours.
    async fn insert_scheduled(&self, store_id: StoreId) -> OrderRecord {
        let mut record = self.record(Status::Scheduled);
        record.order.store_id = store_id;
        record.order.is_scheduled = true;
        record.order.ready_at = self.now() + Duration::from_hours(2);
        record.order.start_at = self.now() + Duration::from_mins(115);
        record.placement.pickup_at = Some(record.order.ready_at);
        self.insert(&record).await.unwrap();
        record
    }

    async fn with_store_services() -> (Self, FakeServices) {
        let now = START.parse().unwrap();
        let services = FakeServices::start(StoreId::new(now), now).await;
        (Self::with_services(&services).await, services)
    }

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
}

fn on_move(services: &FakeServices, ready_at: Timestamp) {
    let start_at = ready_at - Duration::from_mins(5);
    services.on("MoveReservation", move || stores::Reservation {
        ready_at: ready_at.to_string(),
        start_at: start_at.to_string(),
        ..stores::Reservation::default()
    });
}

fn reason_of<T: std::fmt::Debug, E: Into<ServiceError> + std::fmt::Debug>(result: Result<T, E>) -> String {
    result.unwrap_err().into().reason.into_owned()
}

#[tokio::test]
async fn scheduled_orders_outside_the_hours_are_marked_and_can_be_rejected() {
    let (harness, services) = Harness::with_store_services().await;
    let store_id = StoreId::new(harness.now());
    let first = harness.insert_scheduled(store_id).await;
    let mut later = harness.record(Status::Scheduled);
    later.order.store_id = store_id;
    later.order.ready_at = first.order.ready_at + Duration::from_hours(1);
    later.placement.pickup_at = Some(later.order.ready_at);
    harness.insert(&later).await.unwrap();
    harness.insert_scheduled(StoreId::new(harness.now())).await;
    let closed = first.order.ready_at.to_string();
    services.on("ListClosedTimes", move || stores::ListClosedTimesResponse {
        times: vec![closed.clone()],
    });
    let caller = harness.store_of(&first);
    let listed = async || {
        let orders = list_scheduled_orders(&harness.cx, &caller, store_id)
            .await
            .unwrap();
        let marks = orders
            .into_iter()
            .map(|order| (order.details.order.id, order.is_outside_hours));
        marks.collect::<Vec<_>>()
    };
    assert_eq!(listed().await, [(first.order.id, true), (later.order.id, false)]);
    reject_order(
        &harness.cx,
        &caller,
        first.order.id,
        "Sorry, we're closed that day.",
    )
    .await
    .unwrap();
    assert_eq!(listed().await, [(later.order.id, false)]);
    let foreign = harness.store_of(&harness.record(Status::Scheduled));
    let response = list_scheduled_orders(&harness.cx, &foreign, store_id).await;
    assert_eq!(reason_of(response), "FORBIDDEN");
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
}

/// A request that failed after the move has left the reservation at another time than the promise.
#[tokio::test]
async fn repeating_the_promised_time_moves_the_reservation_back() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    on_move(&services, record.order.ready_at);
    let repeated = harness.reschedule(&record, record.order.ready_at).await.unwrap();
    assert_eq!(repeated.order, record.order);
    assert_eq!(services.count("MoveReservation"), 1);
    assert!(harness.order_events().await.is_empty());
}

#[tokio::test]
async fn concurrent_moves_leave_the_reservation_at_the_promised_time() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let reserved = Arc::new(Mutex::new(String::new()));
    let moves = reserved.clone();
    services.on_request(
        "MoveReservation",
        move |request: stores::MoveReservationRequest| {
            moves.lock().unwrap().clone_from(&request.ready_at);
            stores::Reservation {
                start_at: request.ready_at.clone(),
                ready_at: request.ready_at,
                ..stores::Reservation::default()
            }
        },
    );
    for round in 1..=5_u64 {
        let time = |minutes: u64| record.order.ready_at + Duration::from_mins(10 * round + minutes);
        let results = tokio::join!(
            harness.reschedule(&record, time(0)),
            harness.reschedule(&record, time(5)),
            harness.reschedule(&record, time(8)),
        );
        let promised = harness.find(record.order.id).await.order.ready_at;
        assert_eq!(*reserved.lock().unwrap(), promised.to_string(), "{results:?}");
    }
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
    let later = ready_at + Duration::from_mins(1);
    let error = ServiceError::from(harness.reschedule(&record, later).await.unwrap_err());
    assert_eq!(
        (&*error.reason, error.field.as_deref()),
        ("PICKUP_TIME_INVALID", Some("readyAt"))
    );
}

#[tokio::test]
async fn an_order_keeps_its_time_if_the_store_has_no_capacity_or_the_consumer_cancels() {
    let (harness, services) = Harness::with_store_services().await;
    let record = harness.insert_scheduled(StoreId::new(harness.now())).await;
    let ready_at = record.order.ready_at + Duration::from_mins(30);
    // Stores is unavailable.
    assert_eq!(
        reason_of(harness.reschedule(&record, ready_at).await),
        "UNAVAILABLE"
    );
    assert_eq!(harness.find(record.order.id).await.order, record.order);

    on_move(&services, ready_at);
    let held = services.hold("MoveReservation");
    let calls = services.count("MoveReservation");
    let cancelling = async {
        services.wait_for_calls("MoveReservation", calls + 1).await;
        cancel_order(&harness.cx, record.order.consumer_id, record.order.id)
            .await
            .unwrap();
        drop(held);
    };
    let (moved, ()) = tokio::join!(harness.reschedule(&record, ready_at), cancelling);
    assert_eq!(reason_of(moved), "ORDER_CHANGED");
    assert_eq!(services.count("MoveReservation"), calls + 2, "moved back");
    let stored = harness.find(record.order.id).await.order;
    assert_eq!(
        (stored.status, stored.ready_at),
        (Status::Cancelled, record.order.ready_at)
    );
    let repeated = harness.reschedule(&record, ready_at).await;
    assert_eq!(reason_of(repeated), "ORDER_CANCELLED");
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
}

#[tokio::test]
async fn the_summary_counts_the_orders_that_are_promised_for_the_day_of_the_store() {
    let harness = Harness::new().await;
    let store_id = StoreId::new(harness.now());
    let zone = TimeZone::get("America/Los_Angeles").unwrap();
    let today = zone.to_datetime(harness.now()).date();
    let noon = today.at(12, 0, 0, 0).to_zoned(zone.clone()).unwrap().timestamp();
    let mut inserted = Vec::new();
    // The last two are promised for other days.
    for (status, ready_at) in [
        (Status::Completed, noon),
        (Status::Ready, noon),
        (Status::Preparing, noon),
        (Status::Scheduled, noon),
        (Status::Rejected, noon),
        (Status::PaymentFailed, noon),
        (Status::Completed, noon - Duration::from_hours(13)),
        (Status::Scheduled, noon + Duration::from_hours(13)),
    ] {
        let mut record = harness.record(status);
        record.order.store_id = store_id;
        record.order.time_zone = "America/Los_Angeles".into();
        record.order.ready_at = ready_at;
        record.order.lines = vec![line()];
        harness.insert(&record).await.unwrap();
        let is_made = status == Status::Completed || status == Status::Ready;
        sqlx::query("UPDATE orders SET placed_at = $2::text::timestamptz, made_at = $3::text::timestamptz WHERE id = $1")
            .bind(record.order.id.uuid())
            .bind((noon - Duration::from_mins(10)).to_string())
            .bind(is_made.then(|| noon.to_string()))
            .execute(&harness.cx.pool)
            .await
            .unwrap();
        inserted.push(record);
    }
    // The second was promised five minutes earlier.
    sqlx::query("UPDATE orders SET first_ready_at = ready_at - interval '5 minutes' WHERE id = $1")
        .bind(inserted[1].order.id.uuid())
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    let caller = harness.store_of(&inserted[0]);
    let summary = get_store_summary(&harness.cx, &caller, store_id).await.unwrap();
    assert_eq!(summary.day, Some(today));
    assert_eq!(
        (summary.made, summary.kept, summary.kept_percent()),
        (2, 1, Some(50))
    );
    assert_eq!((summary.waiting, summary.scheduled, summary.rejected), (1, 1, 1));
    assert_eq!((summary.average_wait_seconds, summary.items_sold), (Some(600), 2));
    assert_eq!(
        (&*summary.items[0].name, summary.items[0].quantity),
        ("Iced latte", 2)
    );
    let foreign = harness.store_of(&harness.record(Status::Placed));
    let response = get_store_summary(&harness.cx, &foreign, store_id).await;
    assert_eq!(reason_of(response), "FORBIDDEN");
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
