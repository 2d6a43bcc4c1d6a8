use types::ConsumerId;

use super::complete_setup::complete_setup;
use super::customer::CustomerError;
use super::payment_method_error::PaymentMethodError;
use super::set_default_payment_method::set_default_payment_method;
use crate::Payments;
use crate::db::{payment_methods, setup_intents};
use crate::domain::payment_method::{MethodKind, PaymentMethod};

#[derive(Debug, thiserror::Error)]
pub enum SavePaymentMethodError {
    /// The setup intent does not exist or belongs to another consumer; both get the same response.
    #[error("setup intent not found")]
    NotFound,
    /// The client has not confirmed the setup, or it was declined.
    #[error("the setup has not succeeded")]
    NotCompleted,
    #[error(transparent)]
    Customer(#[from] CustomerError),
    #[error(transparent)]
    Method(#[from] PaymentMethodError),
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(SavePaymentMethodError);

impl From<SavePaymentMethodError> for kit::ServiceError {
    fn from(error: SavePaymentMethodError) -> Self {
        match error {
            SavePaymentMethodError::NotFound => Self::new(
                kit::ErrorCode::NotFound,
                "SETUP_INTENT_UNKNOWN",
                "We couldn't find this payment method. Please add it again.",
            )
            .with_field("setupIntentId"),
            SavePaymentMethodError::NotCompleted => Self::new(
                kit::ErrorCode::Conflict,
                "SETUP_NOT_COMPLETED",
                "This payment method wasn't confirmed. Please try again.",
            ),
            SavePaymentMethodError::Customer(error) => error.into(),
            SavePaymentMethodError::Method(error) => error.into(),
            SavePaymentMethodError::Internal(error) => error.into(),
        }
    }
}

/// Imports the method that a setup intent of the consumer saved. It becomes the default if requested, or if it is a card and the
/// consumer has no default. Returns all methods. Idempotent.
pub async fn save_payment_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    setup_intent_id: &str,
    is_default: bool,
) -> Result<Vec<PaymentMethod>, SavePaymentMethodError> {
    let mut conn = cx.pool.acquire().await?;
    let setup = setup_intents::find(&mut conn, consumer_id, setup_intent_id)
        .await?
        .ok_or(SavePaymentMethodError::NotFound)?;
    drop(conn);
    let id = complete_setup(cx, consumer_id, &setup)
        .await?
        .ok_or(SavePaymentMethodError::NotCompleted)?;
    let mut conn = cx.pool.acquire().await?;
    let methods = payment_methods::list(&mut conn, consumer_id).await?;
    drop(conn);
    let is_first_card = setup.kind == MethodKind::Card && !methods.iter().any(|method| method.is_default);
    if is_default || is_first_card {
        return Ok(set_default_payment_method(cx, consumer_id, id).await?);
    }
    Ok(methods)
}
