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
    db::{orders, payment_losses},
    domain::{
        end::{EndMessage, EndReason},
        payment_loss::PaymentLoss,
        status::{Actor, InvalidTransition, Status, Step},
    },
};

/// A ready order changes only a few more times, so this many consecutive conflicts are a bug.
const MAX_ATTEMPTS: u32 = 5;

/// Returns why an order ends whose payment was lost.
const fn reason_of(loss: PaymentLoss) -> EndReason {
    match loss {
        PaymentLoss::HoldExpired => EndReason::PaymentHoldExpired,
        PaymentLoss::Returned => EndReason::PaymentReturned,
        PaymentLoss::CaptureFailed => EndReason::PaymentCaptureFailed,
    }
}

/// Returns what ends an order whose payment was lost. If stored value paid a part, that part may have been captured, so the message
/// leaves out the payment: the app explains the refund.
fn end_after(loss: PaymentLoss, has_stored_value: bool) -> (EndReason, EndMessage) {
    let message = match loss {
        PaymentLoss::HoldExpired => "Your bank released the hold for this order, so we canceled it.",
        PaymentLoss::Returned => "Your bank returned the payment for this order, so we canceled it.",
        PaymentLoss::CaptureFailed => "Your payment didn't go through, so we canceled this order.",
    };
    let message = if has_stored_value {
        message.into()
    } else {
        format!("{message} You weren't charged.").into()
    };
    (reason_of(loss), EndMessage::Text(message))
}

/// Cancels an order after its payment was lost. If the order is being placed, records the loss, and resumes the order first, on a
/// tracked task. If the process stops before the end of the task, [`cancel_orders_without_payment`] handles the loss.
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
    payment_losses::record(conn, order_id, loss).await?;
    let task_cx = cx.clone();
    drop(cx.process.spawn(async move {
        resume_after_payment_event(&task_cx, order_id).await;
        if let Err(error) = cancel_orders_without_payment(&task_cx).await {
            tracing::warn!(%order_id, %error, "unpaid order not canceled; will retry");
        }
    }));
    Ok(())
}

/// Cancels the orders that their sagas placed although the payment was lost, because the sagas read the charges before that.
///
/// # Errors
/// The database is unavailable.
pub async fn cancel_orders_without_payment(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let losses = payment_losses::list(&mut conn).await?;
    drop(conn);
    for (order_id, loss) in losses {
        let mut tx = kit::postgres::begin(&cx.pool).await?;
        cancel_unpaid_order(cx, &mut tx, order_id, loss).await?;
        payment_losses::clear(&mut tx, order_id).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Cancels a placed order that is not ready yet, in the caller's transaction. If the order is ready or completed,
/// records the loss instead.
async fn cancel_unpaid_order(
    cx: &Ordering,
    conn: &mut PgConnection,
    order_id: OrderId,
    loss: PaymentLoss,
) -> Result<(), InternalError> {
    let Some(record) = orders::find(conn, order_id).await? else {
        return Ok(());
    };
    let request = StepRequest {
        step: Step::CancelUnpaid,
        actor: Actor::System,
        end: Some(end_after(loss, record.order.stored_value.is_some())),
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
        if record_payment_failure(cx, conn, &record, &reason_of(loss)).await? {
            tracing::error!(%order_id, %status, ?loss, "order was made but is unpaid; needs manual action");
            return Ok(());
        }
    }
    Err(InternalError::invariant_violated(
        "order changed at every attempt",
    ))
}
