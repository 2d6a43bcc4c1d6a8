//! How often anybody may try what costs others. Counted in Redis, for all gateways together.

use std::net::IpAddr;
use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use types::ConsumerId;

use crate::envelope::ApiError;
use crate::gateway::Gateway;

const PER_ADDRESS_SECONDS: u64 = 600;
const IN_ALL_SECONDS: u64 = 60;
const CARDS_SECONDS: u64 = 3600;

/// Counts one try of an address to sign in. Closed when it cannot be counted: a code sent is money, and a code guessed is
/// an account.
///
/// # Errors
/// `TOO_MANY` with the time to wait; `UNAVAILABLE` when nobody counts.
pub async fn sign_in(gateway: &Gateway, call: &str, address: IpAddr) -> Result<(), ApiError> {
    let limits = &gateway.limits;
    let network = network(address);
    let (own, all) = (format!("limit:{call}:{network}"), format!("limit:{call}"));
    let (own, all) = tokio::join!(
        gateway.cache.count(&own, PER_ADDRESS_SECONDS),
        gateway.cache.count(&all, IN_ALL_SECONDS)
    );
    for (counted, most) in [
        (own, limits.sign_in_limit_per_address),
        (all, limits.sign_in_limit_in_all),
    ] {
        let (count, seconds_left) = counted.map_err(|error| {
            tracing::warn!(%error, "sign-in is closed while nobody counts");
            ApiError::from(ServiceError::unavailable())
        })?;
        if count > most {
            tracing::warn!(call, "sign-in limit reached");
            return too_many(
                "TOO_MANY_ATTEMPTS",
                "Too many tries. Please wait a little.",
                seconds_left,
            );
        }
    }
    Ok(())
}

/// Counts one card that a consumer is about to add: who tries stolen ones has many. Open when it cannot be counted: the
/// provider looks out for them too, and nobody's order is to wait for our count.
///
/// # Errors
/// `TOO_MANY_CARDS` with the time to wait.
pub async fn card(gateway: &Gateway, consumer: ConsumerId) -> Result<(), ApiError> {
    let key = format!("limit:cards:{consumer}");
    match gateway.cache.count(&key, CARDS_SECONDS).await {
        Ok((count, seconds_left)) if count > gateway.limits.card_secrets_per_consumer => {
            tracing::warn!("limit of cards reached");
            let message = "You tried to add many cards. Please wait a while.";
            too_many("TOO_MANY_CARDS", message, seconds_left)
        }
        Ok(_) => Ok(()),
        Err(error) => {
            tracing::warn!(%error, "cards are not counted");
            Ok(())
        }
    }
}

fn too_many(reason: &'static str, message: &'static str, seconds_left: u64) -> Result<(), ApiError> {
    let wait = Duration::from_secs(seconds_left.max(1));
    Err(ServiceError::new(ErrorCode::RateLimited, reason, message)
        .with_retry_after(wait)
        .into())
}

/// Who has one address of version 6 usually has its whole /64.
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
    fn a_network_of_version_six_counts_as_one() {
        let network_of = |text: &str| network(text.parse().unwrap());
        assert_eq!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:2:ffff::9"));
        assert_ne!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:3::1"));
        assert_eq!(network_of("::ffff:10.0.0.1"), "10.0.0.1");
    }
}
