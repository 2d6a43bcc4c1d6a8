//! Limits on calls that cost money or could be used to guess secrets. Redis counts them for all gateways together.

use std::net::IpAddr;
use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use types::ConsumerId;

use crate::cache::{CountedCall, WindowResult};
use crate::client_network::network;
use crate::error::ApiError;
use crate::gateway::Gateway;

const PER_ADDRESS_WINDOW: Duration = Duration::from_mins(10);
const IN_ALL_WINDOW: Duration = Duration::from_mins(1);
const CARDS_WINDOW: Duration = Duration::from_hours(1);
const GIFT_CODES_WINDOW: Duration = Duration::from_hours(1);

/// Counts a sign-in of a consumer. Returns whether only a device that signed in before may continue, because a limit is reached:
/// guesses from many addresses must not lock consumers out. Accounts knows these devices and limits them itself.
///
/// # Errors
/// Those of [`check_sign_in`], for a client without a device id, and without Redis.
pub(crate) async fn check_consumer_sign_in(
    gateway: &Gateway,
    call: &str,
    address: IpAddr,
    has_device: bool,
) -> Result<bool, ApiError> {
    match check_sign_in(gateway, call, address).await {
        Ok(()) => Ok(false),
        Err(error) if has_device && error.error.code == ErrorCode::RateLimited => Ok(true),
        Err(error) => Err(error),
    }
}

/// Counts a sign-in call, `login` or `verify`. Rejects it without Redis, because each code sent costs money and each
/// guessed code gives access to an account.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait; `UNAVAILABLE` without Redis.
async fn check_sign_in(gateway: &Gateway, call: &str, address: IpAddr) -> Result<(), ApiError> {
    let limits = &gateway.rate_limits;
    let address_key = format!("window:{call}:{}", network(address));
    let total_key = format!("window:{call}");
    // Checks the address first: a call that it rejects needs no call for the limit of all clients.
    let windows = [
        (address_key, PER_ADDRESS_WINDOW, limits.sign_in_limit_per_address),
        (total_key, IN_ALL_WINDOW, limits.sign_in_limit_in_all),
    ];
    let message = "Too many attempts. Please wait a few minutes and try again.";
    count_or_reject(gateway, call, windows, message).await?;
    Ok(())
}

/// Counts a sign-in of staff like [`check_sign_in`]. Returns whether only a device that signed in before may sign in, because a
/// limit is reached; stores knows these devices and limits them itself.
///
/// # Errors
/// Those of [`check_sign_in`], for a client without a device id.
pub(crate) async fn check_staff_sign_in(
    gateway: &Gateway,
    address: IpAddr,
    has_device: bool,
) -> Result<bool, ApiError> {
    match check_sign_in(gateway, "staff", address).await {
        Ok(()) => Ok(false),
        Err(_) if has_device => Ok(true),
        Err(error) => Err(error),
    }
}

/// Counts an attempt to enter the code of a gift card, and runs it. Rejects it without Redis, because a guessed code is worth money.
/// Takes the attempt back unless the code was wrong, so that only wrong codes reach the limit.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait; `UNAVAILABLE` without Redis; those of the attempt.
pub(crate) async fn limit_gift_codes<T>(
    gateway: &Gateway,
    consumer: ConsumerId,
    address: IpAddr,
    attempt: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let counted = count_gift_code(gateway, consumer, address).await?;
    let result = attempt.await;
    let is_wrong = |error: &ApiError| error.error.code == ErrorCode::RuleViolation;
    if !result.as_ref().is_err_and(is_wrong) {
        uncount(gateway, "gift-code", &counted).await;
    }
    result
}

async fn count_gift_code(
    gateway: &Gateway,
    consumer: ConsumerId,
    address: IpAddr,
) -> Result<Vec<CountedCall>, ApiError> {
    let limits = &gateway.rate_limits;
    let consumer_key = format!("window:gift-code:{consumer}");
    let address_key = format!("window:gift-code:{}", network(address));
    let windows = [
        (consumer_key, GIFT_CODES_WINDOW, limits.gift_codes_per_consumer),
        (address_key, GIFT_CODES_WINDOW, limits.gift_codes_per_address),
    ];
    let message = "You've tried too many codes. Please try again later.";
    count_or_reject(gateway, "gift-code", windows, message).await
}

/// Counts a call in each window, in their order, and returns what the windows counted. A call that a window rejects counts in none of
/// them.
async fn count_or_reject(
    gateway: &Gateway,
    call: &str,
    windows: [(String, Duration, u32); 2],
    message: &'static str,
) -> Result<Vec<CountedCall>, ApiError> {
    let mut counted = Vec::with_capacity(windows.len());
    for (key, window, max) in windows {
        match count(gateway, call, (&key, window, max), message).await {
            Ok(counted_call) => counted.push(counted_call),
            Err(error) => {
                uncount(gateway, call, &counted).await;
                return Err(error);
            }
        }
    }
    Ok(counted)
}

async fn count(
    gateway: &Gateway,
    call: &str,
    (key, window, max): (&str, Duration, u32),
    message: &'static str,
) -> Result<CountedCall, ApiError> {
    let result = gateway.cache.count_in_window(key, window, max).await;
    let result = result.map_err(|error| {
        tracing::warn!(%error, call, "call rejected: it cannot be counted");
        ApiError::from(ServiceError::unavailable())
    })?;
    match result {
        WindowResult::Counted(counted) => Ok(counted),
        WindowResult::LimitReached { retry_after } => {
            tracing::warn!(call, "limit reached");
            Err(rate_limited("TOO_MANY_ATTEMPTS", message, retry_after))
        }
    }
}

/// Removes the call from the windows that counted it. If that fails, it counts until the windows end.
async fn uncount(gateway: &Gateway, call: &str, counted: &[CountedCall]) {
    for counted_call in counted {
        if let Err(error) = gateway.cache.uncount(counted_call).await {
            tracing::warn!(%error, call, "call stays counted");
        }
    }
}

/// Counts a card that a consumer starts to add, to limit card testing. Allows it without
/// Redis: the payment provider detects card testing as well.
///
/// # Errors
/// `TOO_MANY_CARDS` with the time to wait.
pub(crate) async fn check_new_card(gateway: &Gateway, consumer: ConsumerId) -> Result<(), ApiError> {
    let key = format!("window:cards:{consumer}");
    let max = gateway.rate_limits.setup_intents_per_consumer;
    match gateway.cache.count_in_window(&key, CARDS_WINDOW, max).await {
        Ok(WindowResult::LimitReached { retry_after }) => {
            tracing::warn!("card limit reached");
            let message = "You've tried to add too many cards. Please try again later.";
            Err(rate_limited("TOO_MANY_CARDS", message, retry_after))
        }
        Ok(WindowResult::Counted(_)) => Ok(()),
        Err(error) => {
            tracing::warn!(%error, "new card not counted");
            Ok(())
        }
    }
}

fn rate_limited(reason: &'static str, message: &'static str, retry_after: Duration) -> ApiError {
    ServiceError::new(ErrorCode::RateLimited, reason, message)
        .with_retry_after(retry_after)
        .into()
}
