//! Addresses of the public internet, to which webhooks are sent.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// Entries of the IANA special-purpose registry that are not globally reachable, and multicast. IPv6 addresses are
/// public only in `2000::/3`, which excludes loopback, private, link-local, multicast and IPv4-mapped addresses.
const SPECIAL_V4: &[(u32, u8)] = &[
    (0x0000_0000, 8),  // this network
    (0x0a00_0000, 8),  // private
    (0x6440_0000, 10), // carrier-grade NAT
    (0x7f00_0000, 8),  // loopback
    (0xa9fe_0000, 16), // link-local, with the metadata services of clouds
    (0xac10_0000, 12), // private
    (0xc000_0000, 24), // IETF protocol assignments
    (0xc000_0200, 24), // documentation
    (0xc058_6300, 24), // 6to4 relay anycast
    (0xc0a8_0000, 16), // private
    (0xc612_0000, 15), // benchmarks
    (0xc633_6400, 24), // documentation
    (0xcb00_7100, 24), // documentation
    (0xe000_0000, 3),  // multicast, reserved, broadcast
];
const GLOBAL_V6: (u128, u8) = (0x2000 << 112, 3);
const SPECIAL_V6: &[(u128, u8)] = &[
    (0x2001 << 112, 23),                   // IETF protocol assignments, with Teredo
    ((0x2001 << 112) | (0xdb8 << 96), 32), // documentation
    (0x2002 << 112, 16),                   // 6to4, which contains IPv4 addresses
    (0x3fff << 112, 20),                   // documentation
];

fn v4((bits, prefix): (u32, u8)) -> IpNet {
    Ipv4Net::new_assert(bits.into(), prefix).into()
}

fn v6((bits, prefix): (u128, u8)) -> IpNet {
    Ipv6Net::new_assert(bits.into(), prefix).into()
}

pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => !SPECIAL_V4.iter().any(|net| v4(*net).contains(&address)),
        IpAddr::V6(_) => {
            v6(GLOBAL_V6).contains(&address) && !SPECIAL_V6.iter().any(|net| v6(*net).contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for public in [
            "1.1.1.1",
            "93.184.215.14",
            "172.32.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for special in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.19.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:1.1.1.1",
            "64:ff9b::a00:1",
            "fc00::1",
            "fe80::1",
            "ff02::1",
            "2001:db8::1",
            "2002:a00:1::",
        ] {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
    }
}
