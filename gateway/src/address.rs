//! The client's address: the connection's, or what a proxy of ours says it is.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;

use crate::envelope::ApiError;
use crate::gateway::Gateway;

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<Gateway> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, ApiError> {
        let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = connected.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        Ok(Self(of(peer, &parts.headers, &gateway.proxies)))
    }
}

/// Walks `x-forwarded-for` from the right while the speaker is trusted: the first address nobody of ours vouches for is
/// the client's. What stands to the left of it is the client's own claim.
fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let forwarded = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok());
    let claims: Vec<&str> = forwarded
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect();
    let mut address = peer.to_canonical();
    for claim in claims.into_iter().rev() {
        if !trusted.contains(&address) {
            break;
        }
        let Ok(claimed) = claim.parse::<IpAddr>() else {
            break;
        };
        address = claimed.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &'static str, trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", http::HeaderValue::from_static(forwarded));
        let trusted: Vec<IpAddr> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        of(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn a_forged_header_changes_nothing() {
        assert_eq!(seen("203.0.113.9", "10.0.0.1", &[]), "203.0.113.9");
        assert_eq!(
            seen("10.0.0.1", "1.1.1.1, 203.0.113.9", &["10.0.0.1"]),
            "203.0.113.9"
        );
    }

    #[test]
    fn a_chain_of_our_proxies_is_followed() {
        assert_eq!(
            seen("10.0.0.1", "203.0.113.9, 10.0.0.2", &["10.0.0.1", "10.0.0.2"]),
            "203.0.113.9"
        );
    }
}
