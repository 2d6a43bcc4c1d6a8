use std::time::Duration;

use secrecy::SecretString;
use types::ConsumerId;

use super::customer::{CustomerError, call_with_customer};
use crate::Payments;
use crate::db::setup_intents;
use crate::domain::payment_method::MethodKind;
use crate::domain::setup::{BankConsent, Setup};

const WINDOW: Duration = Duration::from_hours(24);

#[derive(Debug, thiserror::Error)]
pub enum StartSetupError {
    /// Limits card testing: automated attempts with stolen card numbers.
    #[error("too many payment methods started")]
    TooMany,
    #[error(transparent)]
    Customer(#[from] CustomerError),
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(StartSetupError);

impl From<StartSetupError> for kit::ServiceError {
    fn from(error: StartSetupError) -> Self {
        match error {
            StartSetupError::TooMany => Self::new(
                kit::ErrorCode::RateLimited,
                "TOO_MANY_CARDS",
                "You've tried to add too many payment methods. Please try again tomorrow.",
            )
            .with_retry_after(WINDOW),
            StartSetupError::Customer(error) => error.into(),
            StartSetupError::Internal(error) => error.into(),
        }
    }
}

/// Creates a setup intent for the consumer's customer and records it, with what the consumer agrees to. Returns the client
/// secret.
pub async fn start_setup(
    cx: &Payments,
    consumer_id: ConsumerId,
    kind: MethodKind,
    consent: Option<&BankConsent>,
) -> Result<SecretString, StartSetupError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    if setup_intents::count_since(&mut conn, consumer_id, now - WINDOW).await? >= cx.setup_intents_per_day {
        return Err(StartSetupError::TooMany);
    }
    drop(conn);
    let (_, (provider_id, client_secret)) = call_with_customer(cx, consumer_id, |customer_id| async move {
        cx.provider.create_setup_intent(&customer_id, kind).await
    })
    .await?;
    let mut conn = cx.pool.acquire().await?;
    let setup = Setup { provider_id, kind };
    setup_intents::insert(&mut conn, consumer_id, &setup, consent, now).await?;
    Ok(client_secret)
}
