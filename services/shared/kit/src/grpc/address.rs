//! Addresses of a process: URIs separated by commas. A name is replaced by all addresses that it resolves to.

use std::{io, net::SocketAddr, time::Duration};

use futures::future::{BoxFuture, FutureExt, join_all};
use http::Uri;
use tonic::transport::Endpoint;

/// Time to connect to one replica.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

type Lookup = fn(String, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;

/// The addresses of the replicas of a process.
#[derive(Debug)]
pub(super) struct AddressList {
    hosts: Vec<Host>,
    lookup: Lookup,
}

#[derive(Debug)]
struct Host {
    uri: Uri,
    /// A name or an IP address.
    name: String,
    port: u16,
}

/// A resolved address.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) address: SocketAddr,
    pub(super) endpoint: Endpoint,
}

impl AddressList {
    /// Parses addresses such as `http://host:port,http://host:port`, the value of `setting`.
    pub(super) fn parse(setting: &str, text: &str) -> anyhow::Result<Self> {
        let hosts: Vec<Host> = text
            .split(',')
            .map(|address| {
                parse_host(address.trim()).ok_or_else(|| {
                    anyhow::anyhow!(
                        "bad configuration: {setting}: expected addresses like http://host:port, separated by commas"
                    )
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            hosts,
            lookup: look_up,
        })
    }

    /// Returns the addresses if no lookup is needed.
    pub(super) fn literal(&self) -> Option<Vec<Resolved>> {
        self.hosts
            .iter()
            .map(|host| {
                let address = SocketAddr::new(host.name.parse().ok()?, host.port);
                Some(host.resolved(address))
            })
            .collect()
    }

    /// Returns the addresses of all names that can be resolved.
    pub(super) async fn resolve(&self) -> Vec<Resolved> {
        let lookups = self.hosts.iter().map(|host| async move {
            match (self.lookup)(host.name.clone(), host.port).await {
                Ok(addresses) => addresses
                    .into_iter()
                    .map(|address| host.resolved(address))
                    .collect(),
                Err(error) => {
                    tracing::warn!(host = host.name, %error, "address not found; will retry");
                    Vec::new()
                }
            }
        });
        let mut resolved: Vec<Resolved> = join_all(lookups).await.into_iter().flatten().collect();
        resolved.sort_by_key(|resolved| resolved.address);
        resolved.dedup_by_key(|resolved| resolved.address);
        resolved
    }

    #[cfg(test)]
    pub(super) fn with_lookup(self, lookup: Lookup) -> Self {
        Self { lookup, ..self }
    }
}

fn parse_host(address: &str) -> Option<Host> {
    let uri: Uri = address
        .parse()
        .ok()
        .filter(|uri: &Uri| uri.scheme_str() == Some("http"))?;
    let name = uri.host()?.trim_matches(['[', ']']).to_owned();
    let port = uri.port_u16().unwrap_or(80);
    Some(Host { uri, name, port })
}

impl Host {
    fn resolved(&self, address: SocketAddr) -> Resolved {
        // Requests keep the name as their authority.
        let endpoint = Endpoint::from(self.uri_of(address))
            .origin(self.uri.clone())
            .connect_timeout(CONNECT_TIMEOUT)
            // tonic sets no defaults for these; without them, a call to a dead process hangs.
            .timeout(Duration::from_secs(30))
            .http2_keep_alive_interval(Duration::from_secs(15))
            .keep_alive_timeout(Duration::from_secs(5))
            .keep_alive_while_idle(true)
            // Late responses to calls that ended at their deadline count as errors for the lifetime of a connection.
            .http2_max_local_error_reset_streams(None)
            .tcp_nodelay(true);
        Resolved { address, endpoint }
    }

    fn uri_of(&self, address: SocketAddr) -> Uri {
        // A socket address is always a valid authority.
        format!("http://{address}")
            .parse()
            .unwrap_or_else(|_| self.uri.clone())
    }
}

fn look_up(host: String, port: u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
    async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) }.boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_addresses_are_accepted() {
        for text in [
            "",
            "stores:7102",
            "https://stores:7102",
            "http://a:1,,http://b:1",
            "http://a:1,b",
        ] {
            assert!(AddressList::parse("STORES_ADDRESS", text).is_err(), "{text}");
        }
        assert!(AddressList::parse("STORES_ADDRESS", "http://a:1, http://[::1]:2").is_ok());
    }

    #[tokio::test]
    async fn ip_addresses_need_no_lookup_and_names_resolve_to_all_their_addresses() {
        let of = |resolved: Vec<Resolved>| -> Vec<String> {
            resolved
                .iter()
                .map(|resolved| resolved.address.to_string())
                .collect()
        };
        let literal = AddressList::parse("STORES_ADDRESS", "http://127.0.0.1:1,http://[::1]:2").unwrap();
        assert_eq!(of(literal.literal().unwrap()), ["127.0.0.1:1", "[::1]:2"]);
        let names = AddressList::parse(
            "STORES_ADDRESS",
            "http://localhost:1,http://127.0.0.1:1,http://nowhere.invalid:1",
        )
        .unwrap();
        assert!(names.literal().is_none());
        let resolved = of(names.resolve().await);
        assert!(resolved.contains(&"127.0.0.1:1".to_owned()), "{resolved:?}");
    }
}
