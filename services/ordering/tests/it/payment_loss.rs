//! The payment of a placed order is lost: the bank releases the hold, or returns the debit.

use std::time::Duration;

use ordering::{
    db::payment_losses,
    domain::{
        order::OrderRecord,
        payment_loss::PaymentLoss,
        status::{Actor, Status},
        tender::{StoredValuePart, Tender},
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_unpaid_order::cancel_orders_without_payment,
        get_order::get_order,
        list_queue::list_queue,
        order_error::OrderError,
    },
};
use proto::{
    ordering::v1::{EndReason, order_event},
    payments::v1::{
        CaptureFailed, ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, PaymentDeclined,
        PaymentReturned, charge_event::Change,
    },
};
use types::{Money, Page};

use crate::harness::Harness;

fn declined(record: &OrderRecord) -> ChargeEvent {
    charge_event(record, Change::Declined(PaymentDeclined::default()))
}

fn returned(record: &OrderRecord) -> ChargeEvent {
    charge_event(record, Change::Returned(PaymentReturned::default()))
}

fn capture_failed(record: &OrderRecord) -> ChargeEvent {
    charge_event(record, Change::CaptureFailed(CaptureFailed {}))
}

fn charge_event(record: &OrderRecord, change: Change) -> ChargeEvent {
    ChargeEvent {
        charge: Some(ChargeSnapshot {
            subject: Some(ChargeSubject {
                purpose: ChargePurpose::Order.into(),
                id: record.order.id.to_string(),
            }),
            ..ChargeSnapshot::default()
        }),
        change: Some(change),
    }
}

#[tokio::test]
async fn an_order_that_is_not_ready_is_canceled_once() {
    for status in [
        Status::Scheduled,
        Status::Placed,
        Status::Accepted,
        Status::Preparing,
    ] {
        for (event, reason, end_reason) in [
            (
                declined as fn(&OrderRecord) -> ChargeEvent,
                "PAYMENT_HOLD_EXPIRED",
                EndReason::PaymentHoldExpired,
            ),
            (returned, "PAYMENT_RETURNED", EndReason::PaymentReturned),
            (
                capture_failed,
                "PAYMENT_CAPTURE_FAILED",
                EndReason::PaymentCaptureFailed,
            ),
        ] {
            let harness = Harness::new().await;
            let record = harness.insert_order(status).await;
            for _ in 0..2 {
                harness.consume(&event(&record)).await;
            }
            let details = get_order(&harness.cx, record.order.consumer_id, record.order.id)
                .await
                .unwrap();
            let order = details.order;
            assert_eq!(
                (order.status, order.reason.as_str()),
                (Status::Cancelled, reason),
                "{status}"
            );
            assert!(
                order.message.ends_with("You weren't charged."),
                "{}",
                order.message
            );
            let actors: Vec<Actor> = details.history.iter().map(|change| change.actor).collect();
            assert_eq!(actors, [Actor::Consumer, Actor::System], "{status}");
            let events = harness.order_events().await;
            let [event] = events.as_slice() else {
                panic!("{events:?}");
            };
            let Some(order_event::Change::Cancelled(cancelled)) = &event.change else {
                panic!("{event:?}");
            };
            let end = cancelled.end.as_ref().unwrap();
            assert_eq!((end.reason(), end.charged), (end_reason, false), "{status}");
            harness.database.drop().await;
        }
    }
}

#[tokio::test]
async fn the_store_no_longer_sees_the_order_and_cannot_advance_it() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Accepted).await;
    harness.consume(&declined(&record)).await;
    let (cx, store) = (&harness.cx, harness.store_of(&record));
    assert!(
        list_queue(cx, &store, None, None, Page::new(100, 0, 100))
            .await
            .unwrap()
            .orders
            .is_empty()
    );
    for step in [Advance::Accept, Advance::Start, Advance::MarkReady] {
        let outcome = advance_order(cx, Some(&store), record.order.id, step).await;
        assert!(
            matches!(&outcome, Err(OrderError::InvalidTransition(invalid))
                if invalid.from == Status::Cancelled),
            "{outcome:?}"
        );
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_ready_order_keeps_its_status_and_gets_the_reason() {
    for status in [Status::Ready, Status::Completed] {
        for (event, reason) in [
            (
                declined as fn(&OrderRecord) -> ChargeEvent,
                "PAYMENT_HOLD_EXPIRED",
            ),
            (capture_failed, "PAYMENT_CAPTURE_FAILED"),
        ] {
            let harness = Harness::new().await;
            let record = harness.insert_order(status).await;
            assert!(harness.find(record.order.id).await.order.is_charged);
            for _ in 0..2 {
                harness.consume(&event(&record)).await;
            }
            let order = harness.find(record.order.id).await.order;
            assert_eq!(
                (order.status, order.reason.as_str(), order.is_charged),
                (status, reason, false)
            );
            assert_eq!(
                order.message,
                "Your payment for this order didn't go through. Please pay at the store."
            );
            let events = harness.order_events().await;
            let [event] = events.as_slice() else {
                panic!("{events:?}");
            };
            assert!(
                matches!(&event.change, Some(order_event::Change::PaymentFailed(_))),
                "{event:?}"
            );
            assert_eq!(event.order.as_ref().unwrap().version, order.version);
            harness.database.drop().await;
        }
    }
}

/// An order of $12.40, of which stored value paid $4.00.
async fn insert_split_order(harness: &Harness, status: Status) -> OrderRecord {
    let mut record = harness.record(status);
    record.order.tender = Tender::Card;
    record.order.stored_value = Some(StoredValuePart {
        balance_id: String::new(),
        amount: Money::usd(400),
    });
    harness.insert(&record).await.unwrap();
    record
}

#[tokio::test]
async fn an_order_that_stored_value_paid_in_part_is_unpaid_only_for_the_rest() {
    for status in [Status::Ready, Status::Completed] {
        let harness = Harness::new().await;
        let record = insert_split_order(&harness, status).await;
        assert_eq!(record.order.unpaid_amount(), None);
        harness.consume(&capture_failed(&record)).await;
        let order = harness.find(record.order.id).await.order;
        assert_eq!(order.unpaid_amount(), Some(Money::usd(840)), "{status}");
        assert_eq!(
            order.message,
            "Your payment of $8.40 for this order didn't go through. Please pay it at the store. The other $4.00 was paid."
        );
        harness.database.drop().await;
    }
}

#[tokio::test]
async fn an_order_that_was_not_made_is_not_unpaid() {
    let harness = Harness::new().await;
    for status in [Status::Rejected, Status::Cancelled, Status::PaymentFailed] {
        let mut record = harness.record(status);
        record.order.reason = "STORE_CLOSED".to_owned();
        assert_eq!(record.order.unpaid_amount(), None, "{status}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_canceled_order_that_stored_value_paid_in_part_is_not_reported_as_never_charged() {
    let harness = Harness::new().await;
    let record = insert_split_order(&harness, Status::Accepted).await;
    harness.consume(&capture_failed(&record)).await;
    let order = harness.find(record.order.id).await.order;
    assert_eq!(
        (order.status, order.message.as_str()),
        (
            Status::Cancelled,
            "Your payment didn't go through, so we canceled this order."
        )
    );
    harness.database.drop().await;
}

/// Payments turns the return into a debt.
#[tokio::test]
async fn a_debit_that_is_returned_after_the_order_was_made_changes_nothing() {
    for status in [Status::Ready, Status::Completed] {
        let harness = Harness::new().await;
        let record = harness.insert_order(status).await;
        harness.consume(&returned(&record)).await;
        let order = harness.find(record.order.id).await.order;
        assert_eq!((order.status, order.reason.as_str()), (status, ""));
        assert!(harness.order_events().await.is_empty());
        harness.database.drop().await;
    }
}

#[tokio::test]
async fn an_unpaid_order_keeps_the_reason_when_it_is_completed() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Ready).await;
    harness.consume(&capture_failed(&record)).await;
    let store = harness.store_of(&record);
    let completed = advance_order(&harness.cx, Some(&store), record.order.id, Advance::Complete)
        .await
        .unwrap()
        .order;
    assert_eq!(
        (completed.status, completed.reason.as_str(), completed.is_charged),
        (Status::Completed, "PAYMENT_CAPTURE_FAILED", false)
    );
    assert_eq!(harness.find(record.order.id).await.order, completed);
    harness.database.drop().await;
}

#[tokio::test]
async fn orders_that_ended_do_not_change() {
    let harness = Harness::new().await;
    let order_id = harness.insert_order(Status::Completed).await.order.id;
    let completed = harness.find(order_id).await;
    harness.consume(&returned(&completed)).await;
    assert_eq!(harness.find(order_id).await, completed);
    for status in [Status::Cancelled, Status::Rejected, Status::PaymentFailed] {
        let record = harness.insert_order(status).await;
        harness.consume(&declined(&record)).await;
        harness.consume(&returned(&record)).await;
        harness.consume(&capture_failed(&record)).await;
        let order = harness.find(record.order.id).await.order;
        assert_eq!((order.status, order.version), (status, record.order.version));
    }
    let unknown = harness.record(Status::Placed);
    harness.consume(&declined(&unknown)).await;
    assert!(harness.database.outbox_event_types().await.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn events_that_concern_no_order_are_acknowledged() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let without_order = ChargeEvent {
        charge: Some(ChargeSnapshot {
            subject: Some(ChargeSubject {
                purpose: ChargePurpose::TopUp.into(),
                id: "pur_01h455vb4pex5vsknk084sn02q".into(),
            }),
            ..ChargeSnapshot::default()
        }),
        ..declined(&record)
    };
    let without_change = ChargeEvent {
        change: None,
        ..declined(&record)
    };
    harness.consume(&without_order).await;
    harness.consume(&without_change).await;
    assert_eq!(harness.status(record.order.id).await, Status::Placed);
    harness.database.drop().await;
}

#[tokio::test]
async fn either_a_concurrent_loss_or_mark_ready_takes_effect() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let record = harness.insert_order(Status::Preparing).await;
        let (store, event) = (harness.store_of(&record), declined(&record));
        let (ready, ()) = tokio::join!(
            advance_order(&harness.cx, Some(&store), record.order.id, Advance::MarkReady),
            harness.consume(&event)
        );
        let expected = if ready.is_ok() {
            Status::Ready
        } else {
            Status::Cancelled
        };
        assert_eq!(harness.status(record.order.id).await, expected, "{ready:?}");
    }
    let changes = harness.database.outbox_event_types().await;
    // A loss after the order is ready is recorded without a status change.
    let of_status = changes
        .iter()
        .filter(|event_type| *event_type != "ordering.OrderPaymentFailed");
    assert_eq!(of_status.count(), 25);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_payment_loss_during_acceptance_cancels_the_order() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let record = harness.insert_order(Status::Placed).await;
        let (store, event, order_id) = (harness.store_of(&record), declined(&record), record.order.id);
        let accept_and_start = async {
            advance_order(&harness.cx, Some(&store), order_id, Advance::Accept).await?;
            advance_order(&harness.cx, Some(&store), order_id, Advance::Start).await
        };
        let (_, ()) = tokio::join!(accept_and_start, harness.consume(&event));
        assert_eq!(harness.status(order_id).await, Status::Cancelled);
    }
    harness.database.drop().await;
}

/// The process that received the loss ended before the order was placed.
#[tokio::test]
async fn a_recorded_payment_loss_cancels_the_order_after_another_process_placed_it() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::PaymentPending).await;
    let order_id = record.order.id;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    payment_losses::record(&mut conn, order_id, PaymentLoss::Returned)
        .await
        .unwrap();
    cancel_orders_without_payment(&harness.cx).await.unwrap();
    assert_eq!(harness.status(order_id).await, Status::PaymentPending);

    assert!(harness.place(&record).await);
    for _ in 0..2 {
        cancel_orders_without_payment(&harness.cx).await.unwrap();
        let order = harness.find(order_id).await.order;
        assert_eq!(
            (order.status, order.reason.as_str()),
            (Status::Cancelled, "PAYMENT_RETURNED")
        );
    }
    assert!(payment_losses::list(&mut conn).await.unwrap().is_empty());
    drop(conn);
    harness.database.drop().await;
}

/// The saga read an authorized charge just before the bank released the hold.
#[tokio::test]
async fn a_payment_loss_during_placement_cancels_the_placed_order() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::PaymentPending).await;
    harness.consume(&declined(&record)).await;
    assert_eq!(harness.status(record.order.id).await, Status::PaymentPending);
    assert!(harness.place(&record).await);
    for _ in 0..600 {
        if harness.status(record.order.id).await == Status::Cancelled {
            harness.database.drop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the order is {}", harness.status(record.order.id).await);
}
