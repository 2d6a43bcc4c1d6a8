use kit::{ErrorCode, InternalError, ServiceError};
use types::{
    Money,
    limits::{MAX_IDEMPOTENCY_KEY_CHARS, MIN_IDEMPOTENCY_KEY_CHARS},
};

use crate::{convert, domain::purchase::Failure};

/// Why stored value was not bought.
#[derive(Debug, thiserror::Error)]
pub enum PurchaseError {
    /// The request violates a rule. Nothing was written.
    #[error(transparent)]
    Rejected(#[from] ServiceError),
    /// The purchase ended without a payment. Each call with its key gets this error.
    #[error("{}", .0.reason)]
    Failed(Failure),
    /// The outcome is unknown. Recovery closes the purchase; a call with the same key returns its response.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(PurchaseError);

impl From<PurchaseError> for ServiceError {
    fn from(error: PurchaseError) -> Self {
        match error {
            PurchaseError::Rejected(error) => error,
            PurchaseError::Failed(failure) => convert::failure(failure),
            PurchaseError::Internal(error) => error.into(),
        }
    }
}

fn violation(reason: &'static str, message: impl Into<String>) -> ServiceError {
    ServiceError::new(ErrorCode::RuleViolation, reason, message.into())
}

pub(super) fn invalid_key() -> PurchaseError {
    let message = format!(
        "The idempotency key must have {MIN_IDEMPOTENCY_KEY_CHARS} to {MAX_IDEMPOTENCY_KEY_CHARS} characters."
    );
    let error = ServiceError::new(ErrorCode::InvalidRequest, "IDEMPOTENCY_KEY_INVALID", message);
    error.with_field("idempotencyKey").into()
}

pub(super) fn reserved_key() -> PurchaseError {
    let message = "The idempotency key can't start with \"auto-reload-\".";
    let error = ServiceError::new(ErrorCode::InvalidRequest, "IDEMPOTENCY_KEY_INVALID", message);
    error.with_field("idempotencyKey").into()
}

pub(super) fn key_reused() -> PurchaseError {
    ServiceError::new(
        ErrorCode::Conflict,
        "IDEMPOTENCY_KEY_REUSED",
        "You already sent a different purchase a moment ago. Check your activity, then try again.",
    )
    .into()
}

pub(super) fn payment_method_unknown() -> PurchaseError {
    violation("PAYMENT_METHOD_UNKNOWN", "We couldn't find that payment method.")
        .with_field("payment")
        .into()
}

/// The texts are those of the specification, section 8.
pub(super) fn failed_payments() -> PurchaseError {
    ServiceError::new(
        ErrorCode::Forbidden,
        "FAILED_ACH_PAYMENTS",
        "You have failed payment",
    )
    .into()
}

/// Another task works on the purchase. A call with the same key returns that task's response.
pub(super) fn taken_over() -> PurchaseError {
    ServiceError::unavailable().into()
}

pub(super) fn amount_too_small(minimum: Money) -> PurchaseError {
    violation(
        "AMOUNT_TOO_SMALL",
        format!("The amount must be at least {minimum}."),
    )
    .with_field("amount")
    .into()
}

pub(super) fn amount_too_large(maximum: Money) -> PurchaseError {
    violation(
        "AMOUNT_TOO_LARGE",
        format!("The amount can be at most {maximum}."),
    )
    .with_field("amount")
    .into()
}

pub(super) fn balance_limit(maximum: Money) -> PurchaseError {
    violation(
        "BALANCE_LIMIT_REACHED",
        format!("A balance can be at most {maximum}."),
    )
    .with_field("amount")
    .into()
}

pub(in crate::ops) fn deal_not_available() -> PurchaseError {
    ServiceError::new(
        ErrorCode::Conflict,
        "DEAL_NOT_AVAILABLE",
        "This deal is no longer available. You weren't charged.",
    )
    .with_field("dealId")
    .into()
}

/// The balance does not exist, belongs to another consumer, or the consumer was removed.
pub(in crate::ops) fn balance_unknown() -> PurchaseError {
    ServiceError::new(
        ErrorCode::NotFound,
        "BALANCE_UNKNOWN",
        "We couldn't find that balance.",
    )
    .with_field("balanceId")
    .into()
}

/// The consumer has too many purchases without a payment outcome.
pub(super) fn too_many_purchases() -> PurchaseError {
    violation(
        "TOO_MANY_PURCHASES",
        "You have payments that aren't confirmed yet. Please try again in a few minutes.",
    )
    .into()
}
