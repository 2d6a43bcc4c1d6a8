//! The payment that an order was placed with is gone: its hold ran out at the bank, or its debit came back.

use std::time::Duration;

use ordering::{
    db::{orders::Row, steps::Change},
    domain::order::Status,
    ops::{accept::accept, mark_ready::mark_ready, read, start::start, transition::StepError},
};
use proto::payments::v1::{ChargeSnapshot, PaymentDeclined, PaymentReturned};

use crate::harness::Harness;

fn declined(row: &Row) -> PaymentDeclined {
    PaymentDeclined {
        charge: Some(charge(row)),
    }
}

fn returned(row: &Row) -> PaymentReturned {
    PaymentReturned {
        charge: Some(charge(row)),
    }
}

fn charge(row: &Row) -> ChargeSnapshot {
    ChargeSnapshot {
        order_id: row.order_id().to_string(),
        ..ChargeSnapshot::default()
    }
}

#[tokio::test]
async fn an_order_that_is_not_made_yet_is_called_off_and_everybody_hears_so() {
    for status in ["scheduled", "placed", "accepted", "preparing"] {
        for (bank, reason) in [(false, "PAYMENT_HOLD_EXPIRED"), (true, "PAYMENT_RETURNED")] {
            let harness = Harness::new().await;
            let row = harness.order(status).await;
            for _ in 0..2 {
                if bank {
                    harness.hears(&returned(&row)).await;
                } else {
                    harness.hears(&declined(&row)).await;
                }
            }
            let order = read::get(&harness.cx, row.consumer(), row.order_id())
                .await
                .unwrap();
            assert_eq!(
                order.status(),
                proto::ordering::v1::OrderStatus::Cancelled,
                "{status}"
            );
            assert_eq!(order.reason, reason, "{status}");
            assert!(
                order.message.ends_with("Nothing was charged."),
                "{}",
                order.message
            );
            let by: Vec<&str> = order.history.iter().map(|change| change.by.as_str()).collect();
            assert_eq!(by, ["consumer", "system"], "{status}");
            assert_eq!(
                harness.database.outbox_event_types().await,
                ["ordering.OrderCancelled"],
                "{status}"
            );
            harness.database.drop().await;
        }
    }
}

#[tokio::test]
async fn the_store_sees_it_no_longer_and_is_told_when_it_goes_on() {
    let harness = Harness::new().await;
    let row = harness.order("accepted").await;
    harness.hears(&declined(&row)).await;
    let (cx, store, id) = (&harness.cx, harness.store_of(&row), row.order_id());
    assert!(read::list_queue(cx, &store, None).await.unwrap().is_empty());
    for refused in [
        accept(cx, &store, id).await,
        start(cx, &store, id).await,
        mark_ready(cx, &store, id).await,
    ] {
        assert!(
            matches!(refused, Err(StepError::WrongState(wrong)) if wrong.from == Status::Cancelled),
            "{refused:?}"
        );
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn what_is_made_or_has_ended_stays_as_it_is() {
    let harness = Harness::new().await;
    for status in ["ready", "completed", "cancelled", "rejected", "payment_failed"] {
        let row = harness.order(status).await;
        harness.hears(&declined(&row)).await;
        harness.hears(&returned(&row)).await;
        let now = harness.find(row.order_id()).await;
        assert_eq!((now.status.as_str(), now.version), (status, row.version));
    }
    let unknown = harness.row("placed");
    harness.hears(&declined(&unknown)).await;
    assert!(harness.database.outbox_event_types().await.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn of_the_news_and_a_store_that_finishes_at_once_one_wins() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let row = harness.order("preparing").await;
        let (store, news) = (harness.store_of(&row), declined(&row));
        let (made, ()) = tokio::join!(
            mark_ready(&harness.cx, &store, row.order_id()),
            harness.hears(&news)
        );
        let expected = if made.is_ok() { "ready" } else { "cancelled" };
        assert_eq!(harness.status(row.order_id()).await, expected, "{made:?}");
    }
    assert_eq!(harness.database.outbox_event_types().await.len(), 25);
    harness.database.drop().await;
}

#[tokio::test]
async fn however_a_store_races_with_the_news_it_makes_nothing_unpaid() {
    let harness = Harness::new().await;
    for _ in 0..25 {
        let row = harness.order("placed").await;
        let (store, news, id) = (harness.store_of(&row), declined(&row), row.order_id());
        let works = async {
            accept(&harness.cx, &store, id).await?;
            start(&harness.cx, &store, id).await
        };
        let (_, ()) = tokio::join!(works, harness.hears(&news));
        assert_eq!(harness.status(id).await, "cancelled");
    }
    harness.database.drop().await;
}

/// The saga has just been told that the money is held when the bank lets go of it.
#[tokio::test]
async fn an_order_that_is_being_placed_is_called_off_once_it_is() {
    let harness = Harness::new().await;
    let row = harness.order("payment_pending").await;
    harness.hears(&declined(&row)).await;
    assert_eq!(harness.status(row.order_id()).await, "payment_pending");
    let placed = Change {
        status: Status::Placed,
        reason: "",
        message: "",
        placed_at: Some(harness.now()),
        accept_by: None,
    };
    assert!(harness.advance(&row, &placed).await);
    for _ in 0..100 {
        if harness.status(row.order_id()).await == "cancelled" {
            harness.database.drop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is {}", harness.status(row.order_id()).await);
}
