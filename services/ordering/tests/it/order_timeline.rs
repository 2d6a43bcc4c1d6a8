use std::sync::{Arc, Mutex};

use ordering::{
    domain::status::Status,
    ops::{get_order_timeline::get_order_timeline, order_error::OrderError},
};
use proto::operations::v1::{ListOrderRecordsRequest, ListOrderRecordsResponse, OrderRecord, PublishedEvent};
use types::{OrderId, StoreId};

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START},
};

async fn services() -> FakeServices {
    let at = START.parse().unwrap();
    FakeServices::start(StoreId::new(at), at).await
}

#[tokio::test]
async fn the_records_of_all_services_are_collected_by_time() {
    let services = services().await;
    let harness = Harness::with_services(&services).await;
    let record = harness.insert_order(Status::PaymentPending).await;
    assert!(harness.place(&record).await);
    let requests: Arc<Mutex<Vec<ListOrderRecordsRequest>>> = Arc::default();
    let received = Arc::clone(&requests);
    services.on_request("ListOrderRecords", move |request: ListOrderRecordsRequest| {
        received.lock().unwrap().push(request);
        ListOrderRecordsResponse {
            records: vec![OrderRecord {
                at: "2026-11-20T15:59:00Z".to_owned(),
                service: "payments".to_owned(),
                text: "charge created: 1240 cents by card".to_owned(),
                trace_id: "0af7651916cd43dd8448eb211c80319c".to_owned(),
            }],
            not_consumed: vec!["payments has no record of ordering.OrderAccepted".to_owned()],
            published_events: vec![PublishedEvent {
                event_type: "payments.RefundDone".to_owned(),
                at: START.to_owned(),
                is_time_exact: true,
            }],
        }
    });

    let timeline = get_order_timeline(&harness.cx, record.order.id).await.unwrap();

    let state = &timeline.summary().unwrap().state;
    assert_eq!(state, "placed at Sunset & Maltman, 1240 usd cents by joepass");
    let records = timeline.sorted();
    assert_eq!(records[0].text, "charge created: 1240 cents by card");
    assert_eq!(
        records[0].trace_id.as_deref(),
        Some("0af7651916cd43dd8448eb211c80319c")
    );
    assert!(
        records
            .iter()
            .any(|record| record.service == "ordering"
                && record.text.starts_with("status placed (by consumer"))
    );
    assert!(records.is_sorted_by_key(|record| record.at));
    assert_eq!(timeline.not_consumed().len(), 4);
    assert!(timeline.is_complete());
    let requests = std::mem::take(&mut *requests.lock().unwrap());
    let event_types = |request: &ListOrderRecordsRequest| -> Vec<String> {
        let events = request.published_events.iter();
        events.map(|event| event.event_type.clone()).collect()
    };
    assert_eq!(event_types(&requests[0]), ["ordering.OrderPlaced"]);
    // The other services consume events of payments too.
    for request in &requests[1..] {
        assert_eq!(
            event_types(request),
            ["ordering.OrderPlaced", "payments.RefundDone"]
        );
    }
    assert_eq!(requests.len(), 4);
    harness.database.drop().await;
}

#[tokio::test]
async fn services_that_do_not_respond_are_named() {
    let services = services().await;
    let harness = Harness::with_services(&services).await;
    let record = harness.insert_order(Status::PaymentPending).await;
    let timeline = get_order_timeline(&harness.cx, record.order.id).await.unwrap();
    assert_eq!(
        timeline.not_read(),
        [
            "payments did not respond",
            "stores did not respond",
            "gift-cards did not respond",
            "rewards did not respond"
        ]
    );
    assert!(timeline.sorted()[0].text.starts_with("status payment_pending"));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_unknown_order_has_no_timeline() {
    let services = services().await;
    let harness = Harness::with_services(&services).await;
    let unknown = get_order_timeline(&harness.cx, OrderId::new(harness.now())).await;
    assert!(matches!(unknown, Err(OrderError::NotFound)));
    assert_eq!(services.count("ListOrderRecords"), 0);
    harness.database.drop().await;
}
