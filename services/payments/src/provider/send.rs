//! One call to the provider: key, deadline, and what its failure means.

use std::time::Duration;

use stripe::{Client, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_shared::{ApiErrors, ApiErrorsType};

use super::{Gone, ProviderError};

/// The pause before asking again about a key whose first request still runs.
const KEY_IN_USE_PAUSE: Duration = Duration::from_millis(150);

/// What a call came to.
pub enum Failure {
    /// The card or bank said no; carries the provider's object.
    Declined(Box<ApiErrors>),
    /// Anything else.
    Error(ProviderError),
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Self::Error(error)
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Declined(error) => refused(&error),
            Failure::Error(error) => error,
        }
    }
}

/// Sends a request, under a key if it changes something. While an earlier request with that key runs, waits for its
/// answer, for as long as one call may take.
pub async fn send<R>(
    client: &Client,
    request: &R,
    key: Option<&str>,
    time: Duration,
) -> Result<R::Output, Failure>
where
    R: StripeRequest,
    R::Output: miniserde::Deserialize,
{
    let strategy = match key {
        Some(key) => {
            RequestStrategy::Idempotent(IdempotencyKey::new(key).map_err(|error| unknown(error, false))?)
        }
        None => RequestStrategy::Once,
    };
    let until = tokio::time::Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(tokio::time::Instant::now());
        let sent = request
            .customize()
            .request_strategy(strategy.clone())
            .timeout(left)
            .send(client)
            .await;
        match sent {
            Ok(output) => return Ok(output),
            Err(StripeError::Stripe(error, 409)) if left > KEY_IN_USE_PAUSE => {
                tracing::debug!(code = code(&error), "an earlier request with this key still runs");
                tokio::time::sleep(KEY_IN_USE_PAUSE).await;
            }
            Err(error) => return Err(meaning(error)),
        }
    }
}

/// A failure says that nothing happened only where the provider says so itself.
fn meaning(error: StripeError) -> Failure {
    match error {
        StripeError::Stripe(error, 402) => Failure::Declined(error),
        StripeError::Stripe(error, _) if error.type_ == ApiErrorsType::IdempotencyError => {
            ProviderError::KeyUsed.into()
        }
        // Wrong key, too many calls, the request before still running: not executed, and worth another try.
        StripeError::Stripe(error, status @ (401 | 403 | 409 | 424 | 429)) => {
            if matches!(status, 401 | 403) {
                tracing::error!(status, "the payment provider does not accept our key");
            }
            unknown(format!("{status} {}", code(&error)), false).into()
        }
        StripeError::Stripe(error, status) if status < 500 => refused(&error).into(),
        StripeError::Stripe(error, status) => unknown(format!("{status} {}", code(&error)), true).into(),
        // Spelled out, since the library prints whole objects, client secrets included.
        StripeError::JSONDeserialize(why) | StripeError::ClientError(why) | StripeError::ConfigError(why) => {
            unknown(why, false).into()
        }
        StripeError::Timeout => unknown("no answer in time", false).into(),
    }
}

fn refused(error: &ApiErrors) -> ProviderError {
    ProviderError::Refused {
        code: code(error).to_owned(),
        gone: gone(error),
    }
}

/// What a refusal says is not there any more. A method that was detached, also together with its customer, is there and
/// can never be used again.
fn gone(error: &ApiErrors) -> Option<Gone> {
    match (code(error), error.param.as_deref()) {
        // `id` where the path names it.
        ("resource_missing", Some("customer" | "id")) => Some(Gone::Customer),
        ("resource_missing", Some("payment_method")) | ("payment_method_unexpected_state", _) => {
            Some(Gone::Method)
        }
        _ => None,
    }
}

fn unknown(why: impl std::fmt::Display, answered: bool) -> ProviderError {
    ProviderError::Unknown {
        why: why.to_string(),
        answered,
    }
}

/// The provider's word for an error.
pub fn code(error: &ApiErrors) -> &str {
    error
        .code
        .as_ref()
        .map_or(error.type_.as_str(), |code| code.as_str())
}
