//! Promises a later time for an order.

use callers::Caller;
use kit::{ErrorCode, InternalError, ServiceError, outbox};
use types::{
    OrderId,
    limits::{MAX_DELAY_MINUTES, MAX_REJECT_REASON_CHARS},
    text::sanitize_text_within,
};

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering, convert,
    db::{orders, ready_times},
    domain::{
        card_hold::{PickupTooLate, check_hold},
        delay::{DelayDraft, DelayError, NewReadyTime, delay, is_repeated},
        order::OrderDetails,
        status::Step,
    },
    errors::pickup_too_late,
};

/// An order changes only a few times, so this many consecutive conflicts are a bug.
const MAX_ATTEMPTS: u32 = 5;

#[derive(Debug, thiserror::Error)]
pub enum DelayOrderError {
    #[error("reason too long")]
    ReasonTooLong,
    #[error(transparent)]
    Delay(#[from] DelayError),
    #[error(transparent)]
    TooLate(#[from] PickupTooLate),
    #[error(transparent)]
    Transition(#[from] OrderError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(DelayOrderError);

impl From<DelayOrderError> for ServiceError {
    fn from(error: DelayOrderError) -> Self {
        match error {
            DelayOrderError::ReasonTooLong => Self::new(
                ErrorCode::RuleViolation,
                "REASON_TOO_LONG",
                format!("The reason can have up to {MAX_REJECT_REASON_CHARS} characters."),
            )
            .with_field("reason"),
            DelayOrderError::Delay(DelayError::NotLater) => Self::new(
                ErrorCode::RuleViolation,
                "DELAY_NOT_LATER",
                "The new time must be later than the promised time.",
            )
            .with_field("readyAt"),
            DelayOrderError::Delay(DelayError::TooLate) => delay_too_long().with_field("readyAt"),
            DelayOrderError::Delay(DelayError::TooManyMinutes) => delay_too_long().with_field("minutes"),
            DelayOrderError::TooLate(error) => pickup_too_late(&error),
            DelayOrderError::Transition(error) => error.into(),
            DelayOrderError::Internal(error) => error.into(),
        }
    }
}

fn delay_too_long() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "DELAY_INVALID",
        format!("An order can be delayed by up to {MAX_DELAY_MINUTES} minutes."),
    )
}

/// Promises a later time for an order that is not ready. The consumer sees the time and the reason. If the order already has
/// this time, returns it unchanged; see [`is_repeated`].
///
/// # Errors
/// [`DelayOrderError::ReasonTooLong`], [`DelayError`] if the time is not later than the promised time or too late,
/// [`PickupTooLate`] beyond the hold of the payment, and [`OrderError`] if the caller has no access to the order or the order is scheduled, ready or has ended.
pub async fn delay_order(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    draft: DelayDraft,
) -> Result<OrderDetails, DelayOrderError> {
    let reason =
        sanitize_text_within(&draft.reason, MAX_REJECT_REASON_CHARS).ok_or(DelayOrderError::ReasonTooLong)?;
    for _ in 0..MAX_ATTEMPTS {
        if let Some(details) = try_delay(cx, caller, order_id, draft.ready, &reason).await? {
            return Ok(details);
        }
    }
    Err(InternalError::invariant_violated("order changed at every attempt").into())
}

/// Returns `None` if the order was changed since it was read.
async fn try_delay(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    ready: NewReadyTime,
    reason: &str,
) -> Result<Option<OrderDetails>, DelayOrderError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let record = orders::find(&mut tx, order_id)
        .await?
        .filter(|record| caller.store(record.order.store_id).is_ok())
        .ok_or(OrderError::NotFound)?;
    let order = &record.order;
    order.status.after(Step::Delay).map_err(OrderError::from)?;
    let changed = if is_repeated(order, ready, reason, now) {
        record
    } else {
        let ready_at = delay(order, ready, now)?;
        check_hold(order, ready_at)?;
        let is_written = ready_times::set_delay(&mut tx, order, ready_at, reason, now).await?;
        if !is_written {
            return Ok(None);
        }
        let mut changed = record.clone();
        changed.order.version += 1;
        changed.order.first_ready_at = Some(order.first_ready_at());
        changed.order.ready_at = ready_at;
        reason.clone_into(&mut changed.order.delay_reason);
        let event = convert::order_delayed(&changed.order, order.ready_at, now);
        outbox::append(&mut tx, event).await?;
        tracing::info!(%order_id, %ready_at, "order delayed");
        changed
    };
    let details = with_history(&mut tx, changed).await?;
    tx.commit().await?;
    Ok(Some(details))
}
