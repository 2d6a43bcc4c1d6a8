//! Cancels an order that no store has accepted.

use types::{ConsumerId, OrderId};

use super::{
    order_error::OrderError,
    transition::{StepRequest, transition},
};
use crate::{
    Ordering,
    domain::{
        end::EndReason,
        order::OrderDetails,
        status::{Actor, Step},
    },
};

/// Cancels an order for its consumer. If it is already canceled, returns it unchanged.
///
/// # Errors
/// [`OrderError::NotFound`] if the consumer has no such order, [`OrderError::InvalidTransition`] if a store
/// accepted it or it ended otherwise.
pub async fn cancel_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<OrderDetails, OrderError> {
    let request = StepRequest {
        step: Step::Cancel,
        actor: Actor::Consumer,
        end: Some((
            EndReason::CancelledByConsumer,
            "You canceled this order.".into(),
        )),
    };
    transition(cx, order_id, |order| order.consumer_id == consumer_id, request).await
}

/// Cancels an order that no store accepted in time.
///
/// # Errors
/// [`OrderError::InvalidTransition`] if a store accepted it, or it ended otherwise.
pub async fn cancel_unaccepted_order(cx: &Ordering, order_id: OrderId) -> Result<OrderDetails, OrderError> {
    let request = StepRequest {
        step: Step::Cancel,
        actor: Actor::System,
        end: Some((
            EndReason::NotAcceptedInTime,
            "The store didn't accept your order in time.".into(),
        )),
    };
    transition(cx, order_id, |_| true, request).await
}
