//! Sends one request to the provider and classifies its failure.

use std::time::Duration;

use stripe::{Client, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_shared::{ApiErrors, ApiErrorsType};
use tokio::time::Instant;

use super::{MissingObject, ProviderError, RESOURCE_MISSING};

/// Delay before a retry while another request with the same idempotency key is running.
const KEY_IN_USE_DELAY: Duration = Duration::from_millis(150);

/// Codes of rejections after which a later request may succeed: the merchant account's balance is too low for a refund,
/// or another request holds a lock on the object.
const TRANSIENT_CODES: [&str; 3] = ["balance_insufficient", "lock_timeout", "charge_not_ready"];

pub enum SendError {
    /// The card or bank declined. Contains the provider's error object.
    Declined(Box<ApiErrors>),
    Provider(ProviderError),
}

impl From<ProviderError> for SendError {
    fn from(error: ProviderError) -> Self {
        Self::Provider(error)
    }
}

impl From<SendError> for ProviderError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Declined(error) => rejected(&error),
            SendError::Provider(error) => error,
        }
    }
}

/// Sends a request, with an idempotency key if it has an effect. While another request with that key is running,
/// retries until the timeout.
pub async fn send<R>(
    client: &Client,
    request: &R,
    key: Option<&str>,
    timeout: Duration,
) -> Result<R::Output, SendError>
where
    R: StripeRequest,
    R::Output: miniserde::Deserialize,
{
    let strategy = match key {
        Some(key) => RequestStrategy::Idempotent(
            IdempotencyKey::new(key).map_err(|error| outcome_unknown(error, false))?,
        ),
        None => RequestStrategy::Once,
    };
    let deadline = Instant::now() + timeout;
    loop {
        let time_left = deadline.saturating_duration_since(Instant::now());
        let result = request
            .customize()
            .request_strategy(strategy.clone())
            .timeout(time_left)
            .send(client)
            .await;
        match result {
            Ok(output) => return Ok(output),
            Err(StripeError::Stripe(error, 409)) if time_left > KEY_IN_USE_DELAY => {
                tracing::debug!(code = error_code(&error), "idempotency key in use; will retry");
                tokio::time::sleep(KEY_IN_USE_DELAY).await;
            }
            Err(error) => return Err(classify(error)),
        }
    }
}

/// Classifies an error. Only an explicit rejection by the provider proves that the request had no effect.
fn classify(error: StripeError) -> SendError {
    match error {
        StripeError::Stripe(error, 402) => SendError::Declined(error),
        StripeError::Stripe(error, _) if error.type_ == ApiErrorsType::IdempotencyError => {
            ProviderError::KeyReused.into()
        }
        // Not executed, but a retry may succeed: invalid API key, rate limit, another request with the key is running.
        StripeError::Stripe(error, status @ (401 | 403 | 409 | 424 | 429)) => {
            if matches!(status, 401 | 403) {
                tracing::error!(status, "payment provider rejected the api key");
            }
            outcome_unknown(format!("{status} {}", error_code(&error)), false).into()
        }
        StripeError::Stripe(error, status)
            if status < 500 && TRANSIENT_CODES.contains(&error_code(&error)) =>
        {
            let code = error_code(&error).to_owned();
            ProviderError::RejectedForNow { code }.into()
        }
        StripeError::Stripe(error, status) if status < 500 => rejected(&error).into(),
        StripeError::Stripe(error, status) => {
            outcome_unknown(format!("{status} {}", error_code(&error)), true).into()
        }
        // Not logged with `Display` of the error, which can contain objects with client secrets.
        StripeError::JSONDeserialize(cause)
        | StripeError::ClientError(cause)
        | StripeError::ConfigError(cause) => outcome_unknown(cause, false).into(),
        StripeError::Timeout => outcome_unknown("timed out", false).into(),
    }
}

fn rejected(error: &ApiErrors) -> ProviderError {
    ProviderError::Rejected {
        code: error_code(error).to_owned(),
        missing_object: missing_object(error),
    }
}

/// Returns the missing object that an error names. A detached method still exists, but can never be used again, so it
/// counts as missing.
fn missing_object(error: &ApiErrors) -> Option<MissingObject> {
    match (error_code(error), error.param.as_deref()) {
        // The parameter is `id` if the customer is in the path.
        (RESOURCE_MISSING, Some("customer" | "id")) => Some(MissingObject::Customer),
        (RESOURCE_MISSING, Some("payment_method")) | ("payment_method_unexpected_state", _) => {
            Some(MissingObject::PaymentMethod)
        }
        _ => None,
    }
}

fn outcome_unknown(cause: impl std::fmt::Display, is_server_error: bool) -> ProviderError {
    ProviderError::OutcomeUnknown {
        cause: cause.to_string(),
        is_server_error,
    }
}

pub fn error_code(error: &ApiErrors) -> &str {
    error
        .code
        .as_ref()
        .map_or(error.type_.as_str(), |code| code.as_str())
}
