//! Scheduled orders and the figures of the day, as the staff of a store see them.

use std::time::Duration;

use jiff::tz::TimeZone;
use kit::ServiceError;
use ordering::{
    domain::{order::OrderRecord, status::Status},
    ops::{
        get_store_order::get_store_order, get_store_summary::get_store_summary,
        list_scheduled_orders::list_scheduled_orders, reject_order::reject_order,
    },
};
use proto::stores::v1 as stores;
use types::StoreId;

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START, line},
};

impl Harness {
    /// Inserts an order that is scheduled in two hours.
    pub async fn insert_scheduled(&self, store_id: StoreId) -> OrderRecord {
        let mut record = self.record(Status::Scheduled);
        record.order.store_id = store_id;
        record.order.is_scheduled = true;
        record.order.ready_at = self.now() + Duration::from_hours(2);
        record.order.start_at = self.now() + Duration::from_mins(115);
        record.placement.pickup_at = Some(record.order.ready_at);
        self.insert(&record).await.unwrap();
        record
    }

    pub async fn with_store_services() -> (Self, FakeServices) {
        let now = START.parse().unwrap();
        let services = FakeServices::start(StoreId::new(now), now).await;
        (Self::with_services(&services).await, services)
    }
}

pub fn reason_of<T: std::fmt::Debug, E: Into<ServiceError> + std::fmt::Debug>(
    result: Result<T, E>,
) -> String {
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
async fn a_store_reads_its_orders_also_after_they_have_ended() {
    let harness = Harness::new().await;
    let insert = async |status| {
        let record = harness.record(status);
        harness.insert(&record).await.unwrap();
        (record.order.id, harness.store_of(&record))
    };
    for status in [
        Status::Scheduled,
        Status::Placed,
        Status::Ready,
        Status::Completed,
        Status::Cancelled,
        Status::Rejected,
    ] {
        let (order_id, caller) = insert(status).await;
        let details = get_store_order(&harness.cx, &caller, order_id).await.unwrap();
        assert_eq!((details.order.id, details.order.status), (order_id, status));
        let other_store = harness.store_of(&harness.record(status));
        let response = get_store_order(&harness.cx, &other_store, order_id).await;
        assert_eq!(reason_of(response), "ORDER_UNKNOWN", "{status}");
    }
    for status in [Status::PaymentPending, Status::PaymentFailed] {
        let (order_id, caller) = insert(status).await;
        let response = get_store_order(&harness.cx, &caller, order_id).await;
        assert_eq!(reason_of(response), "ORDER_UNKNOWN", "{status}");
    }
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
