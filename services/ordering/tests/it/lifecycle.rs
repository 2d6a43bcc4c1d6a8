use std::time::Duration;

use callers::Caller;
use ordering::{
    domain::{
        order::OrderDetails,
        status::{Actor, Status},
        tender::Tender,
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::{cancel_order, cancel_unaccepted_order},
        get_order::get_order,
        list_active_orders::list_active_orders,
        list_queue::{ListQueueError, list_queue},
        order_error::OrderError,
        reject_order::{RejectOrderError, reject_order},
        user_arrived::{UserArrivedError, user_arrived},
    },
};
use proto::ordering::v1::{EndReason, OrderEnd, order_event::Change};
use types::{ConsumerId, CredentialId, OrderId, Page, SessionId, StoreId};

use crate::harness::Harness;

async fn accept(harness: &Harness, caller: &Caller, order_id: OrderId) -> Result<OrderDetails, OrderError> {
    advance_order(&harness.cx, Some(caller), order_id, Advance::Accept).await
}

#[tokio::test]
async fn a_store_advances_an_order_to_completed_with_one_event_per_step() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let (store, order_id) = (harness.store_of(&record), record.order.id);
    for step in [
        Advance::Accept,
        Advance::Accept,
        Advance::Start,
        Advance::MarkReady,
    ] {
        advance_order(&harness.cx, Some(&store), order_id, step)
            .await
            .unwrap();
    }
    let completed = advance_order(&harness.cx, Some(&store), order_id, Advance::Complete)
        .await
        .unwrap();
    let history: Vec<_> = completed
        .history
        .iter()
        .map(|change| (change.status, change.actor))
        .collect();
    assert_eq!(
        history,
        [
            (Status::Placed, Actor::Consumer),
            (Status::Accepted, Actor::Store),
            (Status::Preparing, Actor::Store),
            (Status::Ready, Actor::Store),
            (Status::Completed, Actor::Store),
        ]
    );
    assert_eq!(
        harness.database.outbox_event_types().await,
        [
            "ordering.OrderAccepted",
            "ordering.OrderPreparing",
            "ordering.OrderReady",
            "ordering.OrderCompleted"
        ]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_system_promotes_a_scheduled_order() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Scheduled).await;
    let (store, order_id) = (harness.store_of(&record), record.order.id);
    let promoted_by_store = advance_order(&harness.cx, Some(&store), order_id, Advance::Promote).await;
    assert!(matches!(promoted_by_store, Err(OrderError::NotFound)));
    let accepted_by_system = advance_order(&harness.cx, None, order_id, Advance::Accept).await;
    assert!(matches!(accepted_by_system, Err(OrderError::NotFound)));
    let promoted = advance_order(&harness.cx, None, order_id, Advance::Promote)
        .await
        .unwrap();
    assert_eq!(promoted.order.status, Status::Placed);
    harness.database.drop().await;
}

#[tokio::test]
async fn other_stores_and_consumers_cannot_find_an_order() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let (cx, order_id, now) = (&harness.cx, record.order.id, harness.now());
    let other_store = Caller::Store {
        credential: CredentialId::new(now),
        stores: Some(vec![StoreId::new(now)]),
    };
    assert!(matches!(
        accept(&harness, &other_store, order_id).await,
        Err(OrderError::NotFound)
    ));
    assert!(matches!(
        reject_order(cx, &other_store, order_id, "no").await,
        Err(RejectOrderError::Transition(OrderError::NotFound))
    ));
    let other_consumer = ConsumerId::new(now);
    assert!(matches!(
        cancel_order(cx, other_consumer, order_id).await,
        Err(OrderError::NotFound)
    ));
    assert!(matches!(
        get_order(cx, other_consumer, order_id).await,
        Err(OrderError::NotFound)
    ));
    assert!(matches!(
        user_arrived(cx, other_consumer, order_id, "").await,
        Err(UserArrivedError::Transition(OrderError::NotFound))
    ));
    let consumer = Caller::Consumer {
        id: record.order.consumer_id,
        session: SessionId::new(now),
    };
    for (caller, store_id) in [
        (&other_store, Some(record.order.store_id)),
        (&consumer, None),
        (&consumer, Some(record.order.store_id)),
    ] {
        assert!(matches!(
            list_queue(cx, caller, store_id, None, Page::new(100, 0, 100)).await,
            Err(ListQueueError::Forbidden)
        ));
    }
    assert_eq!(harness.status(order_id).await, Status::Placed);
    assert!(harness.database.outbox_event_types().await.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_rejected_order_shows_the_reason_of_the_store() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let (cx, store, order_id) = (&harness.cx, harness.store_of(&record), record.order.id);
    for blank in ["", " \n "] {
        assert!(matches!(
            reject_order(cx, &store, order_id, blank).await,
            Err(RejectOrderError::ReasonMissing)
        ));
    }
    assert!(matches!(
        reject_order(cx, &store, order_id, &"é".repeat(201)).await,
        Err(RejectOrderError::ReasonTooLong)
    ));
    assert_eq!(harness.status(order_id).await, Status::Placed);
    let reason = "é".repeat(200);
    let rejected = reject_order(cx, &store, order_id, &format!(" {reason} "))
        .await
        .unwrap();
    assert_eq!(
        (rejected.order.reason.as_str(), &rejected.order.message),
        ("STORE_REJECTED", &reason)
    );
    let events = harness.order_events().await;
    let Some(Change::Rejected(event)) = &events[0].change else {
        panic!("{events:?}");
    };
    assert_eq!(
        event.end,
        Some(OrderEnd {
            reason: EndReason::RejectedByStore.into(),
            charged: false,
            message: reason,
        })
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_is_rejected_after_acceptance_is_charged() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let (store, order_id) = (harness.store_of(&record), record.order.id);
    accept(&harness, &store, order_id).await.unwrap();
    reject_order(&harness.cx, &store, order_id, "Out of oat milk.")
        .await
        .unwrap();
    let events = harness.order_events().await;
    let Some(Change::Rejected(event)) = &events[1].change else {
        panic!("{events:?}");
    };
    assert!(event.end.as_ref().unwrap().charged);
    harness.database.drop().await;
}

/// Ends an order with this tender before or after acceptance. Returns `is_charged` of the order and of its event.
async fn charged_after(harness: &Harness, tender: Tender, is_accepted: bool) -> (bool, bool) {
    let mut record = harness.record(Status::Placed);
    record.order.tender = tender;
    harness.insert(&record).await.unwrap();
    let (store, order_id) = (harness.store_of(&record), record.order.id);
    if is_accepted {
        accept(harness, &store, order_id).await.unwrap();
    }
    reject_order(&harness.cx, &store, order_id, "Out of oat milk.")
        .await
        .unwrap();
    let order = harness.find(order_id).await.order;
    let events = harness.order_events().await;
    match events.last().map(|event| &event.change) {
        Some(Some(Change::Rejected(event))) => (order.is_charged, event.end.as_ref().unwrap().charged),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_ended_order_and_its_event_agree_on_whether_it_was_charged() {
    let harness = Harness::new().await;
    for (tender, is_accepted, expected) in [
        (Tender::Card, false, false),
        (Tender::Card, true, true),
        (Tender::JoePass, false, false),
        (Tender::Bank, false, true),
    ] {
        let charged = charged_after(&harness, tender, is_accepted).await;
        assert_eq!(charged, (expected, expected), "{tender} {is_accepted}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_canceled_bank_debit_is_charged_and_its_message_mentions_the_refund() {
    let harness = Harness::new().await;
    let record = || {
        let mut record = harness.record(Status::Placed);
        record.order.tender = Tender::Bank;
        record
    };
    let (by_consumer, unaccepted) = (record(), record());
    for record in [&by_consumer, &unaccepted] {
        harness.insert(record).await.unwrap();
        assert!(harness.find(record.order.id).await.order.is_charged);
    }
    let order = &by_consumer.order;
    let canceled = cancel_order(&harness.cx, order.consumer_id, order.id)
        .await
        .unwrap();
    assert_eq!(
        (canceled.order.is_charged, canceled.order.message.as_str()),
        (true, "You canceled this order. We're refunding your payment.")
    );
    let canceled = cancel_unaccepted_order(&harness.cx, unaccepted.order.id)
        .await
        .unwrap();
    assert_eq!(
        (canceled.order.is_charged, canceled.order.message.as_str()),
        (
            true,
            "The store didn't accept your order in time. We're refunding your payment."
        )
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn concurrent_accepts_change_an_order_once() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let store = harness.store_of(&record);
    let accepts = (0..20).map(|_| accept(&harness, &store, record.order.id));
    let outcomes = futures::future::join_all(accepts).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["ordering.OrderAccepted"]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn the_system_cancels_only_orders_that_no_store_accepted() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    accept(&harness, &harness.store_of(&record), record.order.id)
        .await
        .unwrap();
    assert!(matches!(
        cancel_unaccepted_order(&harness.cx, record.order.id).await,
        Err(OrderError::InvalidTransition(_))
    ));
    let record = harness.insert_order(Status::Placed).await;
    let cancelled = cancel_unaccepted_order(&harness.cx, record.order.id)
        .await
        .unwrap();
    assert_eq!(
        (cancelled.order.reason.as_str(), cancelled.history[1].actor),
        ("NOT_ACCEPTED", Actor::System)
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn canceled_orders_state_the_reason_and_are_not_charged() {
    let harness = Harness::new().await;
    let by_consumer = harness.insert_order(Status::Placed).await.order;
    cancel_order(&harness.cx, by_consumer.consumer_id, by_consumer.id)
        .await
        .unwrap();
    let unaccepted = harness.insert_order(Status::Placed).await.order;
    cancel_unaccepted_order(&harness.cx, unaccepted.id).await.unwrap();
    let ends: Vec<(EndReason, bool)> = harness
        .order_events()
        .await
        .into_iter()
        .map(|event| match event.change {
            Some(Change::Cancelled(cancelled)) => cancelled.end.unwrap(),
            other => panic!("{other:?}"),
        })
        .map(|end| (end.reason(), end.charged))
        .collect();
    assert_eq!(
        ends,
        [
            (EndReason::CancelledByConsumer, false),
            (EndReason::NotAcceptedInTime, false)
        ]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_first_arrival_of_an_active_order_is_recorded() {
    let harness = Harness::new().await;
    let (order_id, consumer_id) = {
        let order = harness.insert_order(Status::Ready).await.order;
        (order.id, order.consumer_id)
    };
    let arrive = |vehicle: &'static str| user_arrived(&harness.cx, consumer_id, order_id, vehicle);
    let first = arrive("").await.unwrap().order;
    assert_eq!(first.vehicle, "blue Golf");
    harness.advance_clock(Duration::from_mins(1));
    let second = arrive("red Vespa").await.unwrap().order;
    assert_eq!(
        (second.arrived_at, second.vehicle.as_str()),
        (first.arrived_at, "red Vespa")
    );
    for same_vehicle in ["red\n\u{202e}Vespa", ""] {
        let third = arrive(same_vehicle).await.unwrap().order;
        assert_eq!(
            (third.vehicle.as_str(), third.version),
            ("red Vespa", second.version)
        );
    }
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["ordering.OrderArrived"; 2]
    );
    let long = "v".repeat(121);
    assert!(matches!(
        user_arrived(&harness.cx, consumer_id, order_id, &long).await,
        Err(UserArrivedError::VehicleTooLong)
    ));
    let completed = harness.insert_order(Status::Completed).await.order;
    assert!(matches!(
        user_arrived(&harness.cx, completed.consumer_id, completed.id, "").await,
        Err(UserArrivedError::Transition(OrderError::InvalidTransition(_)))
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn active_orders_can_be_limited_to_those_promised_for_a_day_of_the_store() {
    let harness = Harness::new().await;
    let mut record = harness.record(Status::Placed);
    // Six in the evening of November 20 in Los Angeles.
    record.order.ready_at = "2026-11-21T02:00:00Z".parse().unwrap();
    harness.insert(&record).await.unwrap();
    let count = async |day: &str| {
        let day = Some(day.parse().unwrap());
        list_active_orders(&harness.cx, record.order.consumer_id, day)
            .await
            .unwrap()
            .len()
    };
    assert_eq!((count("2026-11-20").await, count("2026-11-21").await), (1, 0));
    harness.database.drop().await;
}
