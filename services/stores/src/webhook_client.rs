//! Sends webhooks. A company chooses the URL, so only public addresses are called, unless it is configured otherwise: the
//! address is checked when it is resolved, immediately before the connection, and redirects are not followed.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use reqwest::{
    Client, StatusCode, Url,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{CONTENT_TYPE, HeaderName},
    redirect::Policy,
};

use crate::domain::public_address::is_public;

/// From the connection to the end of the headers of the response.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(15);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ID: HeaderName = HeaderName::from_static(standardwebhooks::HEADER_WEBHOOK_ID);
const TIMESTAMP: HeaderName = HeaderName::from_static(standardwebhooks::HEADER_WEBHOOK_TIMESTAMP);
const SIGNATURE: HeaderName = HeaderName::from_static(standardwebhooks::HEADER_WEBHOOK_SIGNATURE);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error("the URL is not valid")]
    Malformed,
    #[error("the URL must start with https:// and must not contain a user, a password or a fragment")]
    Unsupported,
    #[error("the address is not a public address of the internet")]
    NotPublic,
    #[error("the host name has no address")]
    NotFound,
}

/// A signed request.
#[derive(Debug)]
pub(crate) struct WebhookRequest<'a> {
    pub(crate) url: &'a str,
    pub(crate) webhook_id: &'a str,
    pub(crate) timestamp: i64,
    pub(crate) signatures: &'a str,
    pub(crate) payload: &'a str,
}

#[derive(Debug)]
pub struct WebhookClient {
    client: Client,
    allows_private_addresses: bool,
}

impl WebhookClient {
    /// `allow_private_addresses` is for development and tests: it permits private addresses and http.
    ///
    /// # Errors
    /// The TLS configuration is invalid.
    pub fn new(allow_private_addresses: bool) -> anyhow::Result<Self> {
        kit::tls::install_provider();
        let builder = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(SEND_TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_max_idle_per_host(4)
            .user_agent("OrderAhead-Webhooks/1")
            .https_only(!allow_private_addresses);
        let builder = if allow_private_addresses {
            builder
        } else {
            builder.dns_resolver(PublicResolver)
        };
        Ok(Self {
            client: builder.build()?,
            allows_private_addresses: allow_private_addresses,
        })
    }

    /// Checks the URL of a new subscription, and returns it in its normal form, in which equal URLs have equal texts. The address is
    /// checked again before each connection.
    pub(crate) async fn check(&self, url: &str) -> Result<Url, UrlError> {
        let url = self.parse(url)?;
        if self.allows_private_addresses {
            return Ok(url);
        }
        let host = url
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
            .to_owned();
        let port = url.port_or_known_default().unwrap_or_default();
        let resolved =
            tokio::time::timeout(CONNECT_TIMEOUT, tokio::net::lookup_host((host.as_str(), port))).await;
        let Ok(Ok(mut addresses)) = resolved else {
            return Err(UrlError::NotFound);
        };
        if addresses.all(|address| is_public(address.ip())) {
            Ok(url)
        } else {
            Err(UrlError::NotPublic)
        }
    }

    /// A resolver is not called for a host that is an address, so that address is checked here.
    fn parse(&self, url: &str) -> Result<Url, UrlError> {
        // The parser drops line breaks and tabs, but the text of the URL is stored and listed.
        if url.contains(|character: char| character.is_control() || character.is_whitespace()) {
            return Err(UrlError::Malformed);
        }
        let url = Url::parse(url).map_err(|_| UrlError::Malformed)?;
        let is_allowed_scheme =
            url.scheme() == "https" || (self.allows_private_addresses && url.scheme() == "http");
        let has_user = !url.username().is_empty() || url.password().is_some();
        if !is_allowed_scheme || has_user || url.fragment().is_some() {
            return Err(UrlError::Unsupported);
        }
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let address: Option<IpAddr> = host.parse().ok();
        if !self.allows_private_addresses && address.is_some_and(|address| !is_public(address)) {
            return Err(UrlError::NotPublic);
        }
        Ok(url)
    }

    /// Returns the status of the response, or a description of the error without the URL.
    pub(crate) async fn send(&self, request: &WebhookRequest<'_>) -> Result<StatusCode, String> {
        let url = self.parse(request.url).map_err(|error| error.to_string())?;
        let sent = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header(ID, request.webhook_id)
            .header(TIMESTAMP, request.timestamp)
            .header(SIGNATURE, request.signatures)
            .body(request.payload.to_owned())
            .send()
            .await;
        // The body of the response is not read.
        sent.map(|response| response.status()).map_err(describe)
    }
}

fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "timeout".to_owned();
    }
    format!("{:#}", anyhow::Error::from(error.without_url()))
}

/// Resolves names with the system's resolver and drops addresses that are not public. The connection uses the addresses that
/// were checked.
#[derive(Debug)]
struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = addresses.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(Box::from(UrlError::NotPublic));
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_https_urls_with_public_addresses_are_accepted() {
        let client = WebhookClient::new(false).unwrap();
        let checks = [
            ("https://1.1.1.1/hook", Ok("https://1.1.1.1/hook")),
            ("HTTPS://1.1.1.1:443/a/../hook", Ok("https://1.1.1.1/hook")),
            ("http://1.1.1.1/hook", Err(UrlError::Unsupported)),
            ("https://user:pass@1.1.1.1/hook", Err(UrlError::Unsupported)),
            ("https://1.1.1.1/hook#here", Err(UrlError::Unsupported)),
            ("https://127.0.0.1/hook", Err(UrlError::NotPublic)),
            ("https://2130706433/hook", Err(UrlError::NotPublic)),
            ("https://0x7f.1/hook", Err(UrlError::NotPublic)),
            ("https://[::1]/hook", Err(UrlError::NotPublic)),
            ("https://[::ffff:169.254.169.254]/hook", Err(UrlError::NotPublic)),
            ("https://localhost/hook", Err(UrlError::NotPublic)),
            ("https://name.invalid/hook", Err(UrlError::NotFound)),
            ("hook", Err(UrlError::Malformed)),
            ("https://1.1.1.1/\r\nhook", Err(UrlError::Malformed)),
            ("https://1.1.1.1/ho\tok", Err(UrlError::Malformed)),
            (" https://1.1.1.1/hook", Err(UrlError::Malformed)),
        ];
        for (url, expected) in checks {
            let checked = client.check(url).await.map(String::from);
            assert_eq!(checked, expected.map(str::to_owned), "{url}");
        }
    }

    #[tokio::test]
    async fn a_name_that_resolves_to_a_private_address_is_not_called() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let client = WebhookClient::new(false).unwrap();
        for host in ["localhost", "127.0.0.1"] {
            let url = format!("https://{host}:{port}/hook");
            let request = WebhookRequest {
                url: &url,
                webhook_id: "whd_1",
                timestamp: 0,
                signatures: "v1,",
                payload: "{}",
            };
            let error = client.send(&request).await.unwrap_err();
            assert!(error.contains("not a public address"), "{error}");
        }
        let connection = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
        assert!(connection.is_err(), "no connection was opened");
    }
}
