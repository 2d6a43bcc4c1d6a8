//! Calling an order off: by the consumer before the store accepts, or by the system when no store does in time.

use proto::ordering::v1 as pb;
use types::{ConsumerId, OrderId};

use crate::{
    Ordering,
    db::orders::Row,
    domain::order::{Actor, Step},
    ops::transition::{Move, StepError, transition},
};

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
