//! Promises another time for a scheduled order.

use callers::Caller;
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, outbox};
use types::{OrderId, limits::MAX_REJECT_REASON_CHARS, text::sanitize_text_within};

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering, convert,
    db::orders,
    domain::{
        card_hold::{PickupTooLate, check_hold},
        order::OrderDetails,
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
            RescheduleOrderError::Internal(error) => error.into(),
        }
    }
}

/// Moves the reservation of the order, and then promises the new time. The consumer sees the time and the reason. If the
/// order already has this time, returns it unchanged.
///
/// If it fails in between, the order keeps its promised time, and repeating the request completes it: moving a reservation
/// is idempotent.
///
/// # Errors
/// [`RescheduleOrderError::ReasonTooLong`], [`PickupTooLate`] beyond the hold of the payment, [`OrderError`] if the caller has no access to the order or the order is not
/// scheduled, and the error of stores if the store cannot have the order ready at the time.
pub async fn reschedule_order(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    ready_at: Timestamp,
    reason: &str,
) -> Result<OrderDetails, RescheduleOrderError> {
    let reason =
        sanitize_text_within(reason, MAX_REJECT_REASON_CHARS).ok_or(RescheduleOrderError::ReasonTooLong)?;
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| caller.store(record.order.store_id).is_ok())
        .ok_or(OrderError::NotFound)?;
    record
        .order
        .status
        .after(Step::Reschedule)
        .map_err(OrderError::from)?;
    if record.order.ready_at == ready_at {
        return Ok(with_history(&mut conn, record).await?);
    }
    drop(conn);
    check_hold(&record.order, ready_at)?;
    let reservation = cx.clients.stores.move_reservation(order_id, ready_at).await?;
    kit::fault_point::reach("reschedule.moved");
    let Reservation { ready_at, start_at } = reservation;
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if !orders::set_schedule(&mut tx, &record.order, reservation, &reason, now).await? {
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
