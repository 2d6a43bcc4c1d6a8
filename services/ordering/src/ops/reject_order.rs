//! Rejects an order for its store.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use types::{OrderId, limits::MAX_REJECT_REASON_CHARS, text::sanitize_text_within};

use super::{
    order_error::OrderError,
    transition::{StepRequest, transition},
};
use crate::{
    Ordering,
    domain::{
        end::{EndMessage, EndReason},
        order::OrderDetails,
        status::{Actor, Step},
    },
};

#[derive(Debug, thiserror::Error)]
pub enum RejectOrderError {
    #[error("reason missing")]
    ReasonMissing,
    #[error("reason too long")]
    ReasonTooLong,
    #[error(transparent)]
    Transition(#[from] OrderError),
}

impl From<RejectOrderError> for ServiceError {
    fn from(error: RejectOrderError) -> Self {
        match error {
            RejectOrderError::ReasonMissing => Self::new(
                ErrorCode::RuleViolation,
                "REASON_REQUIRED",
                "Please enter a reason. The guest will see it.",
            )
            .with_field("reason"),
            RejectOrderError::ReasonTooLong => Self::new(
                ErrorCode::RuleViolation,
                "REASON_TOO_LONG",
                format!("The reason can have up to {MAX_REJECT_REASON_CHARS} characters."),
            )
            .with_field("reason"),
            RejectOrderError::Transition(error) => error.into(),
        }
    }
}

/// Rejects an order. The consumer sees the reason. If the order is already rejected, returns it unchanged.
///
/// # Errors
/// [`RejectOrderError::ReasonMissing`], [`RejectOrderError::ReasonTooLong`], and [`OrderError`] if the caller has no
/// access to the order or the order is ready or has ended.
pub async fn reject_order(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
    reason: &str,
) -> Result<OrderDetails, RejectOrderError> {
    let reason =
        sanitize_text_within(reason, MAX_REJECT_REASON_CHARS).ok_or(RejectOrderError::ReasonTooLong)?;
    if reason.is_empty() {
        return Err(RejectOrderError::ReasonMissing);
    }
    let request = StepRequest {
        step: Step::Reject,
        actor: Actor::Store,
        end: Some((EndReason::RejectedByStore, EndMessage::Text(reason.into()))),
    };
    let details = transition(
        cx,
        order_id,
        |order| caller.store(order.store_id).is_ok(),
        request,
    )
    .await?;
    Ok(details)
}
