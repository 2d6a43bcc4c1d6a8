//! Promises another time for a scheduled order.

use callers::Caller;
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, outbox};
use types::{OrderId, limits::MAX_REJECT_REASON_CHARS, text::sanitize_text_within};

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering, convert,
    db::{orders, ready_times},
    domain::{
        card_hold::{PickupTooLate, check_hold},
        delay::round_up_to_minute,
        order::{Order, OrderDetails},
        quote::Reservation,
        status::Step,
    },
    errors::pickup_too_late,
};

#[derive(Debug, thiserror::Error)]
pub enum RescheduleOrderError {
    #[error("reason too long")]
    ReasonTooLong,
    /// The order changed while its reservation was moved. The store can repeat the request.
    #[error("the order changed")]
    Conflict,
    #[error(transparent)]
    TooLate(#[from] PickupTooLate),
    #[error(transparent)]
    Transition(#[from] OrderError),
    /// Also if the store is closed or has no capacity at the time: the error of stores is passed on.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(RescheduleOrderError);

impl From<RescheduleOrderError> for ServiceError {
    fn from(error: RescheduleOrderError) -> Self {
        match error {
            RescheduleOrderError::ReasonTooLong => Self::new(
                ErrorCode::RuleViolation,
                "REASON_TOO_LONG",
                format!("The reason can have up to {MAX_REJECT_REASON_CHARS} characters."),
            )
            .with_field("reason"),
            RescheduleOrderError::Conflict => Self::new(
                ErrorCode::Conflict,
                "ORDER_CHANGED",
                "This order just changed. Please try again.",
            ),
            RescheduleOrderError::TooLate(error) => pickup_too_late(&error),
            RescheduleOrderError::Transition(error) => error.into(),
            RescheduleOrderError::Internal(error) => rename_field(error.into()),
        }
    }
}

/// Moves the reservation of the order, and then promises the new time, a whole minute. The consumer sees the time and the
/// reason. Concurrent requests for an order wait for each other, so that its reservation and its promise have the same time.
///
/// If it fails in between, the order keeps its promised time, and the reservation has the new one until a request for either
/// time is repeated: moving a reservation is idempotent. An order that already has the time is returned unchanged.
///
/// # Errors
/// [`RescheduleOrderError::ReasonTooLong`], [`PickupTooLate`] beyond the hold of the payment, [`OrderError`] if the caller has no
/// access to the order or the order is not scheduled, [`RescheduleOrderError::Conflict`], and the error of stores if the store cannot have the order ready at the time.
pub async fn reschedule_order(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    ready_at: Timestamp,
    reason: &str,
) -> Result<OrderDetails, RescheduleOrderError> {
    let reason =
        sanitize_text_within(reason, MAX_REJECT_REASON_CHARS).ok_or(RescheduleOrderError::ReasonTooLong)?;
    let ready_at = round_up_to_minute(ready_at);
    // Stores is called within the transaction. The limit keeps connections for other requests if stores is slow.
    let _permit = cx
        .moves
        .acquire()
        .await
        .map_err(InternalError::invariant_violated)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    ready_times::lock_reservation(&mut tx, order_id).await?;
    let record = orders::find(&mut tx, order_id)
        .await?
        .filter(|record| caller.store(record.order.store_id).is_ok())
        .ok_or(OrderError::NotFound)?;
    record
        .order
        .status
        .after(Step::Reschedule)
        .map_err(OrderError::from)?;
    check_hold(&record.order, ready_at)?;
    let reservation = cx.clients.stores.move_reservation(order_id, ready_at).await?;
    kit::fault_point::reach("reschedule.moved");
    if record.order.ready_at == ready_at {
        return Ok(with_history(&mut tx, record).await?);
    }
    let Reservation { ready_at, start_at } = reservation;
    let now = cx.clock.now();
    if !ready_times::set_schedule(&mut tx, &record.order, reservation, &reason, now).await? {
        tx.rollback().await?;
        move_back(cx, &record.order).await;
        return Err(RescheduleOrderError::Conflict);
    }
    let mut changed = record.clone();
    changed.order.version += 1;
    changed.order.first_ready_at = Some(record.order.first_ready_at());
    changed.order.ready_at = ready_at;
    changed.order.start_at = start_at;
    changed.order.delay_reason = reason;
    let event = convert::order_delayed(&changed.order, record.order.ready_at, now);
    outbox::append(&mut tx, event).await?;
    let details = with_history(&mut tx, changed).await?;
    tx.commit().await?;
    tracing::info!(%order_id, %ready_at, "order rescheduled");
    Ok(details)
}

/// Moves the reservation back after the order changed: it was canceled, or it is time to make it.
async fn move_back(cx: &Ordering, order: &Order) {
    if let Err(error) = cx.clients.stores.move_reservation(order.id, order.ready_at).await {
        tracing::warn!(%error, order_id = %order.id, "reservation not moved back");
    }
}

/// Stores names the field of its own request.
fn rename_field(error: ServiceError) -> ServiceError {
    if error.field.as_deref() == Some("pickupAt") {
        return error.with_field("readyAt");
    }
    error
}
