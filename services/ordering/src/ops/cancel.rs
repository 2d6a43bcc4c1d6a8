//! Calling an order off: by the consumer before the store accepts, or by the system when no store does in time or nobody
//! pays for it any more.

use proto::ordering::v1 as pb;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use crate::{
    Ordering,
    db::orders::Row,
    domain::order::{Actor, Status, Step, WrongState},
    ops::transition::{self, Move, StepError, transition},
};

/// How an order that was placed comes to be unpaid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpaid {
    /// The bank let go of the money that it held, before it was taken.
    Lapsed,
    /// The bank sent a debit back.
    Returned,
}

/// The consumer calls an order off. Repeating it changes nothing.
///
/// # Errors
/// [`StepError`]: not their order, or the store has accepted.
pub async fn cancel(cx: &Ordering, consumer: ConsumerId, order: OrderId) -> Result<pb::Order, StepError> {
    let own = |row: &Row| row.consumer() == consumer;
    let wanted = Move {
        step: Step::Cancel,
        by: Actor::Consumer,
        reason: "CONSUMER_CANCELLED",
        message: "You cancelled this order. Nothing was charged.",
    };
    transition(cx, order, own, wanted).await
}

/// The system calls off an order that no store accepted in time.
///
/// # Errors
/// [`StepError`]: the store accepted at the last moment.
pub async fn cancel_unaccepted(cx: &Ordering, order: OrderId) -> Result<pb::Order, StepError> {
    let wanted = Move {
        step: Step::Cancel,
        by: Actor::System,
        reason: "NOT_ACCEPTED",
        message: "The store did not answer in time. Nothing was charged.",
    };
    transition(cx, order, |_| true, wanted).await
}

/// The system calls off an order that nobody pays for any more, in the caller's transaction. One that the store has made
/// by then stays as it is, and a person has to look at it (decision 13).
///
/// # Errors
/// The database's.
pub async fn cancel_unpaid(
    cx: &Ordering,
    conn: &mut PgConnection,
    order: OrderId,
    why: Unpaid,
) -> Result<(), kit::InternalError> {
    let (reason, message) = match why {
        Unpaid::Lapsed => (
            "PAYMENT_HOLD_EXPIRED",
            "Your bank no longer holds the money for this order, so we cancelled it. Nothing was charged.",
        ),
        Unpaid::Returned => (
            "PAYMENT_RETURNED",
            "Your bank sent back the payment for this order, so we cancelled it. Nothing was charged.",
        ),
    };
    let wanted = Move {
        step: Step::LosePayment,
        by: Actor::System,
        reason,
        message,
    };
    match transition::within(cx, conn, order, |_| true, wanted).await {
        // Banks take debits back days after the coffee was drunk: that is between payments and the consumer.
        Err(StepError::WrongState(WrongState {
            from: Status::Completed,
            ..
        })) if matches!(why, Unpaid::Returned) => {
            tracing::info!(order_id = %order, "the bank took back the payment of an order that was picked up");
            Ok(())
        }
        Err(StepError::WrongState(WrongState {
            from: from @ (Status::Ready | Status::Completed),
            ..
        })) => {
            tracing::error!(order_id = %order, status = %from, ?why, "an order was made that nobody pays for; somebody must look at it");
            Ok(())
        }
        // It ended without being made, or was never placed: then it was not to be paid for.
        Ok(_) | Err(StepError::WrongState(_) | StepError::Unknown) => Ok(()),
        Err(StepError::Internal(fault)) => Err(fault),
    }
}
