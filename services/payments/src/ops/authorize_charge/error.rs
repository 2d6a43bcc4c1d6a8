#[derive(Debug, thiserror::Error)]
pub enum AuthorizeChargeError {
    /// The method does not exist or belongs to another consumer.
    #[error("payment method not found")]
    MethodNotFound,
    /// The order's charge was closed before the authorization.
    #[error("the charge was closed")]
    Closed,
    #[error("the order has a charge with other terms")]
    TermsMismatch,
    /// A repeated call returns the outcome.
    #[error("the outcome is unknown")]
    OutcomeUnknown,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(AuthorizeChargeError);

impl From<AuthorizeChargeError> for kit::ServiceError {
    fn from(error: AuthorizeChargeError) -> Self {
        use kit::ErrorCode;
        match error {
            AuthorizeChargeError::MethodNotFound => Self::new(
                ErrorCode::NotFound,
                "PAYMENT_METHOD_UNKNOWN",
                "This payment method is no longer available. Choose another one.",
            )
            .with_field("paymentMethodId"),
            AuthorizeChargeError::Closed => Self::new(
                ErrorCode::Conflict,
                "CHARGE_CLOSED",
                "This order was canceled before it was paid. You won't be charged.",
            ),
            AuthorizeChargeError::TermsMismatch => Self::new(
                ErrorCode::Conflict,
                "CHARGE_MISMATCH",
                "This order already has a payment with another method or amount.",
            ),
            AuthorizeChargeError::OutcomeUnknown => Self::unavailable(),
            AuthorizeChargeError::Internal(error) => error.into(),
        }
    }
}
