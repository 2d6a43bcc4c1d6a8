#[derive(Debug, thiserror::Error)]
pub enum AuthorizeChargeError {
    /// The method does not exist or belongs to another consumer.
    #[error("payment method not found")]
    MethodNotFound,
    /// The wallet did not create the method.
    #[error("not a payment method of the wallet")]
    WalletPaymentInvalid,
    /// The consumer owes payments that their bank returned.
    #[error("the consumer has debts")]
    HasDebts,
    /// The charge was closed before the authorization.
    #[error("the charge was closed")]
    Closed,
    #[error("the subject has a charge with other terms")]
    TermsMismatch,
    /// A repeated call returns the outcome.
    #[error("the outcome is unknown")]
    OutcomeUnknown,
    /// The outcome is unknown, and the provider repeats the error for the idempotency key of the charge.
    #[error("the provider responded with a server error")]
    ServerError,
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
            AuthorizeChargeError::WalletPaymentInvalid => Self::new(
                ErrorCode::RuleViolation,
                "WALLET_PAYMENT_INVALID",
                "Your wallet's payment didn't work. Try again or choose another payment method.",
            )
            .with_field("walletPaymentMethodId"),
            AuthorizeChargeError::HasDebts => Self::new(
                ErrorCode::Forbidden,
                "FAILED_ACH_PAYMENTS",
                "You have failed payment",
            ),
            AuthorizeChargeError::Closed => Self::new(
                ErrorCode::Conflict,
                "CHARGE_CLOSED",
                "This payment was canceled. You won't be charged.",
            ),
            AuthorizeChargeError::TermsMismatch => Self::new(
                ErrorCode::Conflict,
                "CHARGE_MISMATCH",
                "This payment was already started with another method or amount.",
            ),
            AuthorizeChargeError::OutcomeUnknown | AuthorizeChargeError::ServerError => Self::unavailable(),
            AuthorizeChargeError::Internal(error) => error.into(),
        }
    }
}
