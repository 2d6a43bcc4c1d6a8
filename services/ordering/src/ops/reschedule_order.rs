//! Promises another time for a scheduled order.

use callers::Caller;
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use types::{
    OrderId, limits::MAX_REJECT_REASON_CHARS, minutes::round_up_to_minute, text::sanitize_text_within,
};

use super::{
    order_error::OrderError,
    order_moves::{LEASE, MoveError, complete_move},
};
use crate::{
    Ordering,
    db::{order_moves, orders},
    domain::{
        card_hold::{PickupTooLate, check_hold},
        order::OrderDetails,
        order_move::OrderMove,
        status::{Status, Step},
    },
    errors::pickup_too_late,
};

#[derive(Debug, thiserror::Error)]
pub enum RescheduleOrderError {
    #[error("reason too long")]
    ReasonTooLong,
    /// Also if another request moves the order. The store can repeat the request.
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

impl From<MoveError> for RescheduleOrderError {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Conflict => Self::Conflict,
            MoveError::Internal(error) => Self::Internal(error),
        }
    }
}

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
/// reason. One request at a time moves an order. An order that already has the time is returned unchanged.
///
/// If stores is unavailable or the process ends in between, recovery completes the move.
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
    let order_move = begin_move(cx, caller, order_id, ready_at, &reason).await?;
    let details = complete_move(cx, &order_move).await?;
    if details.order.status != Status::Scheduled {
        return Err(RescheduleOrderError::Conflict);
    }
    Ok(details)
}

async fn begin_move(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    ready_at: Timestamp,
    reason: &str,
) -> Result<OrderMove, RescheduleOrderError> {
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
    check_hold(&record.order, ready_at)?;
    order_moves::acquire(&mut conn, order_id, ready_at, reason, LEASE)
        .await?
        .ok_or(RescheduleOrderError::Conflict)
}

/// Stores names the field of its own request.
fn rename_field(error: ServiceError) -> ServiceError {
    if error.field.as_deref() == Some("pickupAt") {
        return error.with_field("readyAt");
    }
    error
}
