//! Limits on calls that cost money or could be used to guess secrets. Redis counts them for all gateways together.

use std::net::IpAddr;
use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use types::ConsumerId;

use crate::error::ApiError;
use crate::gateway::Gateway;

const PER_ADDRESS_SECONDS: u64 = 600;
const IN_ALL_SECONDS: u64 = 60;
const CARDS_SECONDS: u64 = 3600;

/// Counts a sign-in call, `login` or `verify`. Rejects it without Redis, because each code sent costs money and each
/// guessed code gives access to an account.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait; `UNAVAILABLE` without Redis.
pub(crate) async fn check_sign_in(gateway: &Gateway, call: &str, address: IpAddr) -> Result<(), ApiError> {
    let limits = &gateway.rate_limits;
    let network = network(address);
    let (address_key, total_key) = (format!("limit:{call}:{network}"), format!("limit:{call}"));
    let (by_address, in_all) = tokio::join!(
        gateway.cache.increment(&address_key, PER_ADDRESS_SECONDS),
        gateway.cache.increment(&total_key, IN_ALL_SECONDS)
    );
    for (counted, max) in [
        (by_address, limits.sign_in_limit_per_address),
        (in_all, limits.sign_in_limit_in_all),
    ] {
        let window = counted.map_err(|error| {
            tracing::warn!(%error, "sign-in rejected: calls cannot be counted");
            ApiError::from(ServiceError::unavailable())
        })?;
        if window.count > max {
            tracing::warn!(call, "sign-in limit reached");
            let message = "Too many attempts. Please wait a few minutes and try again.";
            return Err(rate_limited("TOO_MANY_ATTEMPTS", message, window.seconds_left));
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
    let key = format!("limit:cards:{consumer}");
    match gateway.cache.increment(&key, CARDS_SECONDS).await {
        Ok(window) if window.count > gateway.rate_limits.card_secrets_per_consumer => {
            tracing::warn!("card limit reached");
            let message = "You've tried to add too many cards. Please try again later.";
            Err(rate_limited("TOO_MANY_CARDS", message, window.seconds_left))
        }
        Ok(_) => Ok(()),
        Err(error) => {
            tracing::warn!(%error, "new card not counted");
            Ok(())
        }
    }
}

fn rate_limited(reason: &'static str, message: &'static str, seconds_left: u64) -> ApiError {
    ServiceError::new(ErrorCode::RateLimited, reason, message)
        .with_retry_after(Duration::from_secs(seconds_left.max(1)))
        .into()
}

/// Returns an IPv4 address, or the /64 network of an IPv6 address, which usually belongs to one customer.
fn network(address: IpAddr) -> String {
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
