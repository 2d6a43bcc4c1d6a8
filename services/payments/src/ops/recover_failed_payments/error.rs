use std::time::Duration;

use crate::ops::authorize_charge::AuthorizeChargeError;

/// Time after which failed attempts no longer count.
pub const FAILURE_WINDOW: Duration = Duration::from_hours(1);

#[derive(Debug, thiserror::Error)]
pub enum RecoverFailedPaymentsError {
    /// The request names no debt, or more than can be paid at once.
    #[error("invalid number of debts")]
    InvalidCount,
    /// Debts cannot be paid by bank debit.
    #[error("not a card")]
    CardRequired,
    /// Too many attempts of the consumer failed.
    #[error("too many attempts")]
    TooManyAttempts,
    #[error(transparent)]
    Method(AuthorizeChargeError),
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(RecoverFailedPaymentsError);

impl From<RecoverFailedPaymentsError> for kit::ServiceError {
    fn from(error: RecoverFailedPaymentsError) -> Self {
        use kit::ErrorCode;
        match error {
            RecoverFailedPaymentsError::InvalidCount => Self::new(
                ErrorCode::InvalidRequest,
                "MALFORMED",
                "Choose the payments to pay.",
            )
            .with_field("paymentIntentIds"),
            RecoverFailedPaymentsError::CardRequired => Self::new(
                ErrorCode::RuleViolation,
                "CARD_REQUIRED",
                "Pay with a credit card, Apple Pay or Google Pay.",
            )
            .with_field("paymentMethodId"),
            RecoverFailedPaymentsError::TooManyAttempts => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_ATTEMPTS",
                "Too many payments were declined. Please try again later.",
            )
            .with_retry_after(FAILURE_WINDOW),
            RecoverFailedPaymentsError::Method(error) => error.into(),
            RecoverFailedPaymentsError::Internal(error) => error.into(),
        }
    }
}
