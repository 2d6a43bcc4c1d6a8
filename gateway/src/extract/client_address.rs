//! The IP address of the client.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;

use crate::gateway::Gateway;

/// The address of the connection, or the one that trusted proxies report.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

impl FromRequestParts<Gateway> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let connected = connection.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        Ok(Self(client_address(
            connected,
            &parts.headers,
            &gateway.trusted_proxies,
        )))
    }
}

/// Reads `x-forwarded-for` from right to left while the reporting address is a trusted proxy. Entries further left may
/// be forged by the client.
fn client_address(connected: IpAddr, headers: &HeaderMap, trusted_proxies: &[IpAddr]) -> IpAddr {
    let values = headers.get_all("x-forwarded-for").iter();
    let entries: Vec<&str> = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let mut address = connected.to_canonical();
    for entry in entries.into_iter().rev() {
        if !trusted_proxies.contains(&address) {
            break;
        }
        let Ok(forwarded) = entry.parse::<IpAddr>() else {
            break;
        };
        address = forwarded.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(connected: &str, forwarded: &'static str, trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", http::HeaderValue::from_static(forwarded));
        let trusted: Vec<IpAddr> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client_address(connected.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn entries_of_untrusted_addresses_are_ignored() {
        assert_eq!(resolve("203.0.113.9", "10.0.0.1", &[]), "203.0.113.9");
        assert_eq!(
            resolve("10.0.0.1", "1.1.1.1, 203.0.113.9", &["10.0.0.1"]),
            "203.0.113.9"
        );
    }

    #[test]
    fn a_chain_of_trusted_proxies_is_followed() {
        assert_eq!(
            resolve("10.0.0.1", "203.0.113.9, 10.0.0.2", &["10.0.0.1", "10.0.0.2"]),
            "203.0.113.9"
        );
    }
}
