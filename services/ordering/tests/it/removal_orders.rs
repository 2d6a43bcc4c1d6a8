//! Orders that were confirmed while their consumer was removed.

use kit::consumer::Handler as _;
use ordering::{
    consumers::Consumers,
    domain::{
        order::OrderRecord,
        status::{Actor, Status},
    },
    ops::{
        advance_order::{Advance, advance_order},
        forget_consumer::erase_late_data,
        get_order::get_order,
    },
};
use proto::ordering::v1::{EndReason, order_event::Change};

use crate::{
    harness::Harness,
    place_order::Checkout,
    removal::{pass_time_until_erasure, personal_command, personal_rows, removed},
};

/// Checks that the order was canceled by one event, after `previous_events`, and has no personal data.
async fn assert_canceled(harness: &Harness, record: &OrderRecord, previous_events: usize) {
    let OrderRecord { order, .. } = record;
    let details = get_order(&harness.cx, order.consumer_id, order.id).await.unwrap();
    assert_eq!(
        (
            details.order.status,
            details.order.reason.as_str(),
            details.order.is_charged
        ),
        (Status::Cancelled, "CONSUMER_CANCELLED", false)
    );
    assert_eq!(
        details.order.message,
        "You canceled this order by deleting your account. You weren't charged."
    );
    assert_eq!(details.history.last().unwrap().actor, Actor::Consumer);
    let events = harness.order_events().await;
    let [event] = &events[previous_events..] else {
        panic!("{events:?}");
    };
    let Some(Change::Cancelled(cancelled)) = &event.change else {
        panic!("{event:?}");
    };
    let end = cancelled.end.as_ref().unwrap();
    assert_eq!(
        (end.reason(), end.charged),
        (EndReason::CancelledByConsumer, false)
    );
    assert_eq!(
        event.order.as_ref().unwrap().version,
        details.order.version,
        "the version of the order when it was canceled"
    );
    assert_eq!(personal_rows(harness).await, [""; 0]);
}

#[tokio::test]
async fn the_removal_cancels_orders_that_no_store_accepted_once() {
    for status in [Status::Placed, Status::Scheduled] {
        let harness = Harness::new().await;
        let record = harness.insert_order(status).await;
        let other = harness.insert_order(status).await;
        // The event can be delivered twice, and the erasure is repeated later.
        for _ in 0..2 {
            harness.consume(&removed(record.order.consumer_id)).await;
        }
        pass_time_until_erasure(&harness).await;
        erase_late_data(&harness.cx).await.unwrap();
        assert_eq!(
            harness.status(other.order.id).await,
            status,
            "of another consumer"
        );
        harness.consume(&removed(other.order.consumer_id)).await;
        assert_canceled(&harness, &other, 1).await;
        assert_eq!(harness.status(record.order.id).await, Status::Cancelled);
        harness.database.drop().await;
    }
}

#[tokio::test]
async fn an_order_that_was_placed_just_before_the_removal_is_canceled() {
    let checkout = Checkout::new().await;
    let harness = &checkout.harness;
    let placed = checkout.place(personal_command(&checkout)).await.unwrap();
    harness.consume(&removed(checkout.consumer_id)).await;
    let record = harness.find(placed.order.id).await;
    assert_canceled(harness, &record, 1).await;
    checkout.harness.database.drop().await;
}

/// The store makes it, without the name and the vehicle.
#[tokio::test]
async fn the_removal_keeps_orders_that_a_store_accepted() {
    for status in [
        Status::Accepted,
        Status::Preparing,
        Status::Ready,
        Status::Completed,
    ] {
        let harness = Harness::new().await;
        let record = harness.insert_order(status).await;
        harness.consume(&removed(record.order.consumer_id)).await;
        pass_time_until_erasure(&harness).await;
        erase_late_data(&harness.cx).await.unwrap();
        assert_eq!(harness.status(record.order.id).await, status);
        assert!(harness.order_events().await.is_empty());
        assert_eq!(personal_rows(&harness).await, [""; 0]);
        harness.database.drop().await;
    }
}

#[tokio::test]
async fn an_order_that_is_confirmed_while_the_removal_is_handled_is_canceled() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::PaymentPending).await;
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    assert!(harness.place_within(&mut tx, &record).await);
    let event = removed(record.order.consumer_id);
    tokio::join!(harness.consume(&event), async {
        harness.database.wait_for_blocked(1).await;
        tx.commit().await.unwrap();
    });
    assert_canceled(&harness, &record, 1).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_is_confirmed_after_the_removal_is_canceled_later() {
    let harness = Harness::new().await;
    let record = harness.record(Status::PaymentPending);
    // The removal does not see what this transaction writes.
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    harness.insert_within(&mut tx, &record).await.unwrap();
    assert!(harness.place_within(&mut tx, &record).await);
    harness.consume(&removed(record.order.consumer_id)).await;
    tx.commit().await.unwrap();
    assert_eq!(harness.status(record.order.id).await, Status::Placed);

    pass_time_until_erasure(&harness).await;
    for _ in 0..2 {
        erase_late_data(&harness.cx).await.unwrap();
    }
    assert_canceled(&harness, &record, 1).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removal_that_a_crash_interrupted_is_repeated() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Placed).await;
    let event = removed(record.order.consumer_id);
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    Consumers(harness.cx.clone())
        .handle(&testing::delivery(&event), &mut tx)
        .await
        .unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(harness.status(record.order.id).await, Status::Placed);
    assert!(harness.order_events().await.is_empty());

    harness.consume(&event).await;
    assert_canceled(&harness, &record, 0).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn either_a_concurrent_removal_or_acceptance_takes_effect() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let record = harness.insert_order(Status::Placed).await;
        let (store, event) = (harness.store_of(&record), removed(record.order.consumer_id));
        let (accepted, ()) = tokio::join!(
            advance_order(&harness.cx, Some(&store), record.order.id, Advance::Accept),
            harness.consume(&event)
        );
        let expected = if accepted.is_ok() {
            Status::Accepted
        } else {
            Status::Cancelled
        };
        assert_eq!(harness.status(record.order.id).await, expected, "{accepted:?}");
    }
    assert_eq!(harness.order_events().await.len(), 25);
    harness.database.drop().await;
}
