//! How often anybody may try to sign in. Counted in Redis, and closed when it cannot be counted: a code sent is money,
//! and a code guessed is an account.

use std::net::IpAddr;
use std::time::Duration;

use kit::{Code, Refusal};

use crate::envelope::Refused;
use crate::gateway::Gateway;

const PER_ADDRESS_SECONDS: u64 = 600;
const IN_ALL_SECONDS: u64 = 60;

/// Counts one try of an address.
///
/// # Errors
/// `TOO_MANY` with the time to wait; `UNAVAILABLE` when nobody counts.
pub async fn sign_in(gateway: &Gateway, call: &str, address: IpAddr) -> Result<(), Refused> {
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
            Refused(Refusal::unavailable())
        })?;
        if count > most {
            tracing::warn!(call, "sign-in limit reached");
            let wait = Duration::from_secs(seconds_left.max(1));
            let refusal = Refusal::new(
                Code::TooMany,
                "TOO_MANY_TRIES",
                "Too many tries. Please wait a little.",
            );
            return Err(refusal.with_retry_after(wait).into());
        }
    }
    Ok(())
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
