//! Cancels orders that no store has accepted.

use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use super::{
    get_order::{find_order, get_order},
    order_error::OrderError,
    place_order::abandon::abandon_pending_order,
    transition::{StepRequest, transition, transition_within},
};
use crate::{
    Ordering,
    db::orders,
    domain::{
        end::{EndMessage, EndReason},
        order::OrderDetails,
        status::{Actor, Status, Step},
    },
};

/// Cancels an order for its consumer. An order that waits for the consumer's authentication is never placed: it fails, and
/// all its resources are released before this returns. If the order is already canceled, returns it unchanged.
///
/// # Errors
/// [`OrderError::NotFound`] if the consumer has no such order, [`OrderError::InvalidTransition`] if a store
/// accepted it or it ended otherwise, [`OrderError::Unavailable`] if a pending order could not be closed in time.
pub async fn cancel_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<OrderDetails, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let mut order = find_order(&mut conn, consumer_id, order_id).await?.order;
    drop(conn);
    if order.status == Status::PaymentPending {
        abandon_pending_order(cx, order_id).await?;
        let mut conn = cx.pool.acquire().await?;
        order = find_order(&mut conn, consumer_id, order_id).await?.order;
    }
    if order.status == Status::PaymentFailed && order.reason == EndReason::CancelledByConsumer.as_str() {
        return get_order(cx, consumer_id, order_id).await;
    }
    let request = StepRequest {
        step: Step::Cancel,
        actor: Actor::Consumer,
        end: Some((
            EndReason::CancelledByConsumer,
            EndMessage::BeforeRefund("You canceled this order."),
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
            EndMessage::BeforeRefund("The store didn't accept your order in time."),
        )),
    };
    transition(cx, order_id, |_| true, request).await
}

/// Cancels the orders of a removed consumer that no store accepted, in the caller's transaction. An order that a store accepts
/// first stays, because the store makes it.
pub(super) async fn cancel_orders_of_removed_consumer(
    cx: &Ordering,
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<(), InternalError> {
    for order_id in orders::list_cancellable(conn, consumer_id).await? {
        let request = StepRequest {
            step: Step::Cancel,
            actor: Actor::Consumer,
            end: Some((
                EndReason::CancelledByConsumer,
                EndMessage::BeforeRefund("You canceled this order by deleting your account."),
            )),
        };
        match transition_within(cx, conn, order_id, |_| true, request).await {
            Ok(_) => {}
            Err(OrderError::InvalidTransition(_)) => {
                tracing::info!(%order_id, "order of a removed consumer not canceled: a store accepted it");
            }
            Err(OrderError::Internal(error)) => return Err(error),
            Err(error) => return Err(InternalError::invariant_violated(error)),
        }
    }
    Ok(())
}
