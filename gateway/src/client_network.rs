//! The network of a client, by which calls and streams are limited.

use std::net::IpAddr;

/// Returns an IPv4 address, or the /64 network of an IPv6 address, because providers assign one customer a /64 or more.
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
