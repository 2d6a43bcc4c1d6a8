//! If two actions on a placed order race, the first one to write takes effect. A lock on the row makes both actions
//! read the order before either writes, and determines which one writes first, so that each pair is tested both ways.

use std::{future::Future, pin::Pin};

use ordering::{
    Ordering,
    domain::{
        order::{OrderDetails, OrderRecord},
        status::{Status, Step},
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::{cancel_order, cancel_unaccepted_order},
        order_error::OrderError,
        reject_order::{RejectOrderError, reject_order},
    },
};
use proto::ordering::v1::{OrderEnd, OrderEvent, order_event::Change};

use crate::harness::Harness;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Accept,
    Cancel,
    AutoCancel,
    Reject,
}

impl Action {
    const ALL: [Self; 4] = [Self::Accept, Self::Cancel, Self::AutoCancel, Self::Reject];

    const fn step(self) -> Step {
        match self {
            Self::Accept => Step::Accept,
            Self::Cancel | Self::AutoCancel => Step::Cancel,
            Self::Reject => Step::Reject,
        }
    }

    fn take(self, harness: &Harness, record: &OrderRecord) -> Pin<Box<dyn Future<Output = Outcome> + Send>> {
        let (cx, store): (Ordering, _) = (harness.cx.clone(), harness.store_of(record));
        let (order_id, consumer_id) = (record.order.id, record.order.consumer_id);
        Box::pin(async move {
            match self {
                Self::Accept => advance_order(&cx, Some(&store), order_id, Advance::Accept).await,
                Self::Cancel => cancel_order(&cx, consumer_id, order_id).await,
                Self::AutoCancel => cancel_unaccepted_order(&cx, order_id).await,
                Self::Reject => reject_order(&cx, &store, order_id, "Out of oat milk.")
                    .await
                    .map_err(|error| match error {
                        RejectOrderError::Transition(error) => error,
                        other => panic!("{other}"),
                    }),
            }
        })
    }
}

type Outcome = Result<OrderDetails, OrderError>;

/// Takes both actions at once; `first` writes first.
async fn race(harness: &Harness, record: &OrderRecord, first: Action, second: Action) -> (Outcome, Outcome) {
    let mut lock = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT FROM orders WHERE id = $1 FOR UPDATE")
        .bind(record.order.id.uuid())
        .execute(&mut *lock)
        .await
        .unwrap();
    let first = tokio::spawn(first.take(harness, record));
    harness.database.wait_for_blocked(1).await;
    let second = tokio::spawn(second.take(harness, record));
    harness.database.wait_for_blocked(2).await;
    lock.commit().await.unwrap();
    (first.await.unwrap(), second.await.unwrap())
}

fn end_of(event: &OrderEvent) -> Option<&OrderEnd> {
    match event.change.as_ref().unwrap() {
        Change::Cancelled(cancelled) => cancelled.end.as_ref(),
        Change::Rejected(rejected) => rejected.end.as_ref(),
        _ => None,
    }
}

#[tokio::test]
async fn the_first_of_two_actions_wins_and_the_other_gets_the_new_status() {
    for first in Action::ALL {
        for second in Action::ALL.into_iter().filter(|&second| second != first) {
            let harness = Harness::new().await;
            let record = harness.insert_order(Status::Placed).await;
            let (winner, other) = race(&harness, &record, first, second).await;

            let after_first = Status::Placed.after(first.step()).unwrap();
            assert_eq!(winner.unwrap().order.status, after_first, "{first:?} {second:?}");
            let (end, steps) = match after_first.after(second.step()) {
                // A store can reject an order that it accepted.
                Ok(after_both) => (after_both, 2),
                Err(_) => (after_first, 1),
            };
            let is_repeated = after_first.is_result_of(second.step());
            match other {
                Ok(details) => {
                    assert!(steps == 2 || is_repeated, "{first:?} {second:?}");
                    assert_eq!(details.order.status, end);
                }
                Err(error) => assert!(
                    steps == 1
                        && !is_repeated
                        && matches!(&error, OrderError::InvalidTransition(invalid) if invalid.from == after_first),
                    "{first:?} {second:?}: {error}"
                ),
            }
            let order = harness.find(record.order.id).await.order;
            assert_eq!(order.status, end, "{first:?} {second:?}");
            // One event per step; the last one releases the hold, or refunds what was captured.
            let events = harness.order_events().await;
            assert_eq!(events.len(), steps, "{first:?} {second:?}");
            let charged = end_of(&events[steps - 1]).map(|end| end.charged);
            let expected = (end != Status::Accepted).then_some(steps == 2);
            assert_eq!(charged, expected, "{first:?} {second:?}");
            assert_eq!(order.is_charged, charged.unwrap_or(true), "{first:?} {second:?}");
            harness.database.drop().await;
        }
    }
}
