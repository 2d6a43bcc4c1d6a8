//! Limits on calls that cost money or could be used to guess secrets. Redis counts them for all gateways together.

use std::net::IpAddr;
use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use types::ConsumerId;

use crate::cache::WindowResult;
use crate::error::ApiError;
use crate::gateway::Gateway;

const PER_ADDRESS_WINDOW: Duration = Duration::from_mins(10);
const IN_ALL_WINDOW: Duration = Duration::from_mins(1);
const CARDS_WINDOW: Duration = Duration::from_hours(1);

/// Counts a sign-in call, `login` or `verify`. Rejects it without Redis, because each code sent costs money and each
/// guessed code gives access to an account.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait; `UNAVAILABLE` without Redis.
pub(crate) async fn check_sign_in(gateway: &Gateway, call: &str, address: IpAddr) -> Result<(), ApiError> {
    let limits = &gateway.rate_limits;
    let address_key = format!("window:{call}:{}", network(address));
    let total_key = format!("window:{call}");
    // One after the other, so that the rejected calls of one address do not use up the limit in all.
    for (key, window, max) in [
        (address_key, PER_ADDRESS_WINDOW, limits.sign_in_limit_per_address),
        (total_key, IN_ALL_WINDOW, limits.sign_in_limit_in_all),
    ] {
        let result = gateway.cache.count_in_window(&key, window, max).await;
        let result = result.map_err(|error| {
            tracing::warn!(%error, "sign-in rejected: calls cannot be counted");
            ApiError::from(ServiceError::unavailable())
        })?;
        if let WindowResult::LimitReached { retry_after } = result {
            tracing::warn!(call, "sign-in limit reached");
            let message = "Too many attempts. Please wait a few minutes and try again.";
            return Err(rate_limited("TOO_MANY_ATTEMPTS", message, retry_after));
        }
    }
    Ok(())
}

/// Counts a card that a consumer starts to add, because stolen cards are tested in large numbers. Allows it without
/// Redis: the payment provider detects such tests as well.
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
        Ok(WindowResult::Counted) => Ok(()),
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

/// Returns an IPv4 address, or the /64 network of an IPv6 address, which usually belongs to one customer.
pub(crate) fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let parts = address.segments();
            format!("{:x}:{:x}:{:x}:{:x}::", parts[0], parts[1], parts[2], parts[3])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let network_of = |text: &str| network(text.parse().unwrap());
        assert_eq!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:2:ffff::9"));
        assert_ne!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:3::1"));
        assert_eq!(network_of("::ffff:10.0.0.1"), "10.0.0.1");
    }
}
