#[derive(Debug, thiserror::Error)]
pub enum PaymentMethodError {
    /// The method does not exist or belongs to another consumer. The response is the same for both.
    #[error("payment method not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(PaymentMethodError);

impl From<PaymentMethodError> for kit::ServiceError {
    fn from(error: PaymentMethodError) -> Self {
        match error {
            PaymentMethodError::NotFound => Self::new(
                kit::ErrorCode::NotFound,
                "PAYMENT_METHOD_UNKNOWN",
                "This payment method is no longer available.",
            )
            .with_field("paymentMethodId"),
            PaymentMethodError::Internal(error) => error.into(),
        }
    }
}
