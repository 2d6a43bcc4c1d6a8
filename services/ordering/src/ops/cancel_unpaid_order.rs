//! Cancels an order after its payment was lost. See `docs/decisions/0013-payment-lost-before-preparation.md`.

use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use super::{
    order_error::OrderError,
    place_order::resume::{is_pending, resume_after_payment_event},
    record_payment_failure::record_payment_failure,
    transition::{StepRequest, transition_within},
};
use crate::{
    Ordering,
    db::orders,
    domain::{
        end::{EndMessage, EndReason},
        status::{Actor, InvalidTransition, Status, Step},
    },
};

/// A ready order changes only a few more times, so this many consecutive conflicts are a bug.
const MAX_ATTEMPTS: u32 = 5;

/// How the payment of an order was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentLoss {
    /// The bank released the hold before the capture.
    HoldExpired,
    /// The bank returned the debit.
    Returned,
    /// The held amount can no longer be captured.
    CaptureFailed,
}

impl PaymentLoss {
    fn end(self) -> (EndReason, EndMessage) {
        let (reason, message) = match self {
            Self::HoldExpired => (
                EndReason::PaymentHoldExpired,
                "Your bank released the hold for this order, so we canceled it. You weren't charged.",
            ),
            Self::Returned => (
                EndReason::PaymentReturned,
                "Your bank returned the payment for this order, so we canceled it. You weren't charged.",
            ),
            Self::CaptureFailed => (
                EndReason::PaymentCaptureFailed,
                "Your payment didn't go through, so we canceled this order. You weren't charged.",
            ),
        };
        (reason, EndMessage::Text(message.into()))
    }
}

/// Cancels an order after its payment was lost. If the order is being placed, resumes it first, on a tracked task.
#[tracing::instrument(skip_all, fields(%order_id))]
pub(crate) async fn cancel_after_payment_loss(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
    loss: PaymentLoss,
) -> Result<(), InternalError> {
    if !is_pending(conn, order_id).await? {
        return cancel_unpaid_order(cx, conn, order_id, loss).await;
    }
    let task_cx = cx.clone();
    drop(cx.process.spawn(async move {
        resume_after_payment_event(&task_cx, order_id).await;
        cancel_after_placement(&task_cx, order_id, loss).await;
    }));
    Ok(())
}

/// Cancels the order if its saga placed it, because the saga read the charge before the payment was lost.
async fn cancel_after_placement(cx: &Ordering, order_id: OrderId, loss: PaymentLoss) {
    let outcome = async {
        let mut tx = kit::postgres::begin(&cx.pool).await?;
        cancel_unpaid_order(cx, &mut tx, order_id, loss).await?;
        Ok::<_, InternalError>(tx.commit().await?)
    };
    if let Err(error) = outcome.await {
        tracing::error!(%order_id, %error, "unpaid order not canceled; needs manual action");
    }
}

/// Cancels a placed order that is not ready yet, in the caller's transaction. If the order is ready or completed,
/// records the loss instead.
async fn cancel_unpaid_order(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
    loss: PaymentLoss,
) -> Result<(), InternalError> {
    let request = StepRequest {
        step: Step::CancelUnpaid,
        actor: Actor::System,
        end: Some(loss.end()),
    };
    match transition_within(cx, conn, order_id, |_| true, request).await {
        // Debits are returned days after pickup. Payments recovers them from the consumer.
        Err(OrderError::InvalidTransition(InvalidTransition {
            from: Status::Ready | Status::Completed,
            ..
        })) if loss == PaymentLoss::Returned => {
            tracing::info!(%order_id, "payment of an order that was made returned");
            Ok(())
        }
        Err(OrderError::InvalidTransition(InvalidTransition {
            from: Status::Ready | Status::Completed,
            ..
        })) => record_loss(cx, conn, order_id, loss).await,
        // The order ended for another reason or was never placed, so no payment is due.
        Ok(_) | Err(OrderError::InvalidTransition(_) | OrderError::NotFound | OrderError::Unavailable) => {
            Ok(())
        }
        Err(OrderError::Internal(error)) => Err(error),
    }
}

/// Records the loss on a ready or completed order, once.
async fn record_loss(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
    loss: PaymentLoss,
) -> Result<(), InternalError> {
    for _ in 0..MAX_ATTEMPTS {
        let Some(record) = orders::find(conn, order_id).await? else {
            return Ok(());
        };
        let (status, is_recorded) = (record.order.status, !record.order.reason.is_empty());
        if is_recorded {
            return Ok(());
        }
        if record_payment_failure(cx, conn, &record, &loss.end().0).await? {
            tracing::error!(%order_id, %status, ?loss, "order was made but is unpaid; needs manual action");
            return Ok(());
        }
    }
    Err(InternalError::invariant_violated(
        "order changed at every attempt",
    ))
}
