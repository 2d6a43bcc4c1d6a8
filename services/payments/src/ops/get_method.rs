//! One payment method.

use types::{ConsumerId, PaymentMethodId};

use crate::Payments;
use crate::db::methods;
use crate::domain::method::Method;

/// Why a method is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum MethodError {
    /// There is none of that id, or it is somebody else's: which of the two is not told.
    #[error("no such payment method")]
    Unknown,
    /// Nobody's refusal.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(MethodError);

impl From<MethodError> for kit::ServiceError {
    fn from(error: MethodError) -> Self {
        match error {
            MethodError::Unknown => Self::new(
                kit::ErrorCode::NotFound,
                "PAYMENT_METHOD_UNKNOWN",
                "This payment method does not exist any more.",
            )
            .with_field("paymentMethodId"),
            MethodError::Internal(fault) => fault.into(),
        }
    }
}

/// A method of the caller's.
///
/// # Errors
/// [`MethodError`].
pub async fn get_method(
    cx: &Payments,
    caller: ConsumerId,
    id: PaymentMethodId,
) -> Result<Method, MethodError> {
    let mut conn = cx.pool.acquire().await?;
    methods::find(&mut conn, caller, id)
        .await?
        .ok_or(MethodError::Unknown)
}
