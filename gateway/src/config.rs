//! Settings, one struct per concern. Each field is read from the variable of its name in upper case.

mod origins;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use kit::config::{HOUR_IN_SECONDS, between, http_origins};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use self::origins::{https_origin, origin_of, policy_origin};

macro_rules! defaults {
    ($($name:ident: $type:ty = $value:expr;)*) => {$(
        fn $name() -> $type {
            $value
        }
    )*};
}

defaults! {
    listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 7080));
    client_timeout_seconds: u64 = 15;
    idle_timeout_seconds: u64 = 75;
    public_origin: Vec<String> = vec!["http://127.0.0.1:7080".to_owned(), "http://localhost:7080".to_owned()];
    redis_url: SecretString = SecretString::from("redis://127.0.0.1:7179");
    accounts_address: String = "http://127.0.0.1:7101".to_owned();
    stores_address: String = "http://127.0.0.1:7102".to_owned();
    ordering_address: String = "http://127.0.0.1:7103".to_owned();
    payments_address: String = "http://127.0.0.1:7104".to_owned();
    gift_cards_address: String = "http://127.0.0.1:7105".to_owned();
    rewards_address: String = "http://127.0.0.1:7106".to_owned();
    web_dist: PathBuf = PathBuf::from("frontend/dist");
    provider_script_url: String = "https://js.stripe.com/v3/".to_owned();
    sign_in_limit_per_address: u32 = 60;
    sign_in_limit_in_all: u32 = 1_000;
    setup_intents_per_consumer: u32 = 20;
    gift_codes_per_consumer: u32 = 10;
    gift_codes_per_address: u32 = 30;
    streams_per_consumer: usize = 8;
    streams_in_all: usize = 800;
    store_watchers_per_address: usize = 50;
    store_watchers_in_all: usize = 400;
    max_connections: usize = 960;
    max_connections_per_address: usize = 100;
    max_requests: usize = 512;
    max_new_orders: usize = 128;
    queue_timeout_ms: u64 = 1_000;
    public_read_max_age_ms: u64 = 2_000;
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HttpConfig {
    #[serde(default = "listen")]
    pub(crate) listen: SocketAddr,
    /// Time for the first request of a connection, for a request body (longer for an upload), and for reading a response.
    #[serde(
        default = "client_timeout_seconds",
        deserialize_with = "between::<1, HOUR_IN_SECONDS, _, _>"
    )]
    client_timeout_seconds: u64,
    /// Time from a response to the end of the next request head. Longer than the idle timeout of common proxies (60 seconds),
    /// so that a proxy does not send a request on a connection that the gateway is closing.
    #[serde(
        default = "idle_timeout_seconds",
        deserialize_with = "between::<1, HOUR_IN_SECONDS, _, _>"
    )]
    idle_timeout_seconds: u64,
    /// Origins that serve the app, separated by commas; the first is canonical.
    #[serde(default = "public_origin", deserialize_with = "http_origins")]
    pub(crate) public_origin: Vec<String>,
    /// Parent domain of the cookies; the host only if absent.
    #[serde(default)]
    pub(crate) cookie_domain: Option<String>,
    /// Maximum number of open connections. A further one replaces the one that was idle longest, and is closed immediately if
    /// none is idle. Must be lower than the limit on file descriptors, which is often 1024.
    #[serde(
        default = "max_connections",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub(crate) max_connections: usize,
    /// The same for the connections of one client address. Does not apply to trusted proxies. Clients on one network may
    /// share an address.
    #[serde(
        default = "max_connections_per_address",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub(crate) max_connections_per_address: usize,
    /// Addresses of proxies that may set `x-forwarded-for`, separated by commas.
    #[serde(default)]
    trusted_proxies: String,
}

impl HttpConfig {
    pub(crate) const fn client_timeout(&self) -> Duration {
        Duration::from_secs(self.client_timeout_seconds)
    }

    pub(crate) const fn idle_timeout(&self) -> Duration {
        Duration::from_secs(self.idle_timeout_seconds)
    }

    /// Returns whether the app is served over HTTPS, as it is outside development.
    pub(crate) fn is_https(&self) -> bool {
        self.public_origin
            .first()
            .is_some_and(|origin| origin.starts_with("https://"))
    }

    pub(crate) fn trusted_proxies(&self) -> anyhow::Result<Vec<IpAddr>> {
        split_list(&self.trusted_proxies)
            .map(|text| {
                text.parse().map_err(|_| {
                    anyhow::anyhow!(
                        "bad configuration: TRUSTED_PROXIES: expected IP addresses separated by commas, found {text:?}"
                    )
                })
            })
            .collect()
    }
}

fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ServiceAddresses {
    #[serde(default = "accounts_address")]
    pub(crate) accounts_address: String,
    #[serde(default = "stores_address")]
    pub(crate) stores_address: String,
    #[serde(default = "ordering_address")]
    pub(crate) ordering_address: String,
    #[serde(default = "payments_address")]
    pub(crate) payments_address: String,
    #[serde(default = "gift_cards_address")]
    pub(crate) gift_cards_address: String,
    #[serde(default = "rewards_address")]
    pub(crate) rewards_address: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CacheConfig {
    #[serde(default = "redis_url")]
    pub(crate) redis_url: SecretString,
}

/// Limits that Redis counts for all gateways together.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct RateLimits {
    /// Calls of login and of verify per address in ten minutes.
    #[serde(default = "sign_in_limit_per_address")]
    pub(crate) sign_in_limit_per_address: u32,
    /// Calls of login and of verify by all clients in a minute.
    #[serde(default = "sign_in_limit_in_all")]
    pub(crate) sign_in_limit_in_all: u32,
    /// Setup intents per consumer in an hour: cards that a consumer may start to add.
    #[serde(default = "setup_intents_per_consumer")]
    pub(crate) setup_intents_per_consumer: u32,
    /// Attempts to enter the code of a gift card per consumer in an hour.
    #[serde(default = "gift_codes_per_consumer")]
    pub(crate) gift_codes_per_consumer: u32,
    /// Attempts to enter the code of a gift card per address in an hour.
    #[serde(default = "gift_codes_per_address")]
    pub(crate) gift_codes_per_address: u32,
}

/// Who may look at the records of any order.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct OperatorConfig {
    /// Names and the SHA-256 of their keys in hexadecimal, such as `ada:9f86…,ben:6030…`. Empty: there are no operators.
    #[serde(default)]
    pub(crate) operator_keys: String,
}

/// Limits on the requests in progress. The same number waits in a queue; further requests are rejected.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct AdmissionConfig {
    /// Requests in progress, apart from new orders.
    #[serde(default = "max_requests", deserialize_with = "between::<1, 1_000_000, _, _>")]
    pub(crate) max_requests: usize,
    /// New orders in progress: pricing and placing.
    #[serde(
        default = "max_new_orders",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub(crate) max_new_orders: usize,
    /// Maximum time in the queue.
    #[serde(
        default = "queue_timeout_ms",
        deserialize_with = "between::<0, 3_600_000, _, _>"
    )]
    queue_timeout_ms: u64,
}

impl AdmissionConfig {
    pub(crate) const fn queue_timeout(self) -> Duration {
        Duration::from_millis(self.queue_timeout_ms)
    }

    #[cfg(test)]
    pub(crate) const fn for_tests(max_requests: usize, max_new_orders: usize, queue_timeout_ms: u64) -> Self {
        Self {
            max_requests,
            max_new_orders,
            queue_timeout_ms,
        }
    }
}

/// Limits on the live streams of this process.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct StreamLimits {
    #[serde(
        default = "streams_per_consumer",
        deserialize_with = "between::<0, 1_000_000, _, _>"
    )]
    pub(crate) streams_per_consumer: usize,
    /// Each stream needs a connection, so this must be lower than the limit on file descriptors, which is often 1024.
    #[serde(
        default = "streams_in_all",
        deserialize_with = "between::<0, 1_000_000, _, _>"
    )]
    pub(crate) streams_in_all: usize,
    /// Open streams of the changes of stores of one client address. Clients on one network may share it.
    #[serde(
        default = "store_watchers_per_address",
        deserialize_with = "between::<0, 1_000_000, _, _>"
    )]
    pub(crate) store_watchers_per_address: usize,
    /// Of all streams, so that open menus leave streams for orders.
    #[serde(
        default = "store_watchers_in_all",
        deserialize_with = "between::<0, 1_000_000, _, _>"
    )]
    pub(crate) store_watchers_in_all: usize,
}

/// Caching of reads that are the same for all consumers.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct PublicReadConfig {
    #[serde(
        default = "public_read_max_age_ms",
        deserialize_with = "between::<0, 3_600_000, _, _>"
    )]
    public_read_max_age_ms: u64,
}

impl PublicReadConfig {
    /// Returns the maximum age of a response that no event invalidates.
    pub(crate) const fn max_age(self) -> Duration {
        Duration::from_millis(self.public_read_max_age_ms)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct WebConfig {
    /// Folder of the built web app.
    #[serde(default = "web_dist")]
    pub(crate) web_dist: PathBuf,
    /// Folder of the web app of the previous release, whose scripts are still served.
    pub(crate) previous_web_dist: Option<PathBuf>,
    /// Address of a `MapLibre` style for the map of stores.
    #[serde(default)]
    map_style_url: Option<String>,
    /// Origins that the style loads from in addition to its own, separated by commas.
    #[serde(default)]
    map_origins: String,
    /// Origins of the photos of stores, separated by commas.
    #[serde(default)]
    store_photo_origins: String,
    /// Address that receives the error reports of the app.
    #[serde(default)]
    error_reports_url: Option<String>,
    /// Address that receives the route changes and sessions of the app outside of a native shell.
    #[serde(default)]
    analytics_url: Option<String>,
    /// Link of the install banner, which leads to the app store of the device.
    #[serde(default)]
    app_store_url: Option<String>,
}

/// The settings that the web app reads from the page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error_reports_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analytics_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    app_store_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    map_style_url: Option<&'a str>,
}

impl WebConfig {
    pub(crate) fn app_config(&self) -> AppConfig<'_> {
        AppConfig {
            error_reports_url: non_empty(self.error_reports_url.as_deref()),
            analytics_url: non_empty(self.analytics_url.as_deref()),
            app_store_url: non_empty(self.app_store_url.as_deref()),
            map_style_url: non_empty(self.map_style_url.as_deref()),
        }
    }

    /// Returns the origins to which the app sends reports.
    pub(crate) fn report_origins(&self) -> anyhow::Result<Vec<String>> {
        let AppConfig {
            error_reports_url,
            analytics_url,
            app_store_url,
            ..
        } = self.app_config();
        // Validated at the start. The content security policy does not restrict links.
        app_store_url
            .map(|url| origin_of("APP_STORE_URL", url))
            .transpose()?;
        [
            ("ERROR_REPORTS_URL", error_reports_url),
            ("ANALYTICS_URL", analytics_url),
        ]
        .into_iter()
        .filter_map(|(setting, url)| Some(origin_of(setting, url?)))
        .collect()
    }

    /// Returns the origins of the map's style, tiles and pictures.
    pub(crate) fn map_origins(&self) -> anyhow::Result<Vec<String>> {
        let style = self.app_config().map_style_url;
        let style_origin = style.map(|url| origin_of("MAP_STYLE_URL", url)).transpose()?;
        let others = split_list(&self.map_origins).map(|entry| policy_origin("MAP_ORIGINS", entry));
        style_origin.into_iter().map(Ok).chain(others).collect()
    }

    /// Returns the origins from which the app loads photos of stores, in addition to its own.
    pub(crate) fn store_photo_origins(&self) -> anyhow::Result<Vec<String>> {
        split_list(&self.store_photo_origins)
            .map(|entry| https_origin("STORE_PHOTO_ORIGINS", entry))
            .collect()
    }
}

const STRIPE_SCRIPT_ORIGIN: &str = "https://js.stripe.com";
/// What Stripe's script calls and frames.
const STRIPE_ORIGINS: &str = "https://api.stripe.com,https://hooks.stripe.com,https://*.js.stripe.com";

/// The payment provider's browser script.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ProviderConfig {
    #[serde(default = "provider_script_url")]
    pub(crate) provider_script_url: String,
    /// Overrides the key that payments returns.
    #[serde(default)]
    pub(crate) provider_publishable_key: Option<String>,
    /// Origins that the script calls or frames in addition to its own, separated by commas.
    #[serde(default)]
    provider_origins: Option<String>,
}

impl ProviderConfig {
    /// Returns the origin of the script and the additional origins.
    pub(crate) fn origins(&self) -> anyhow::Result<Vec<String>> {
        let script_origin = origin_of("PROVIDER_SCRIPT_URL", &self.provider_script_url)?;
        let others = match &self.provider_origins {
            Some(origins) => origins.as_str(),
            None if script_origin == STRIPE_SCRIPT_ORIGIN => STRIPE_ORIGINS,
            None => "",
        };
        let others = split_list(others).map(|entry| policy_origin("PROVIDER_ORIGINS", entry));
        std::iter::once(Ok(script_origin)).chain(others).collect()
    }
}

fn non_empty(value: Option<&str>) -> Option<&str> {
    value.filter(|text| !text.is_empty())
}

#[cfg(test)]
impl HttpConfig {
    pub(crate) fn for_test(public_origin: &str, cookie_domain: Option<&str>) -> Self {
        Self {
            listen: listen(),
            client_timeout_seconds: client_timeout_seconds(),
            idle_timeout_seconds: idle_timeout_seconds(),
            public_origin: split_list(public_origin).map(str::to_owned).collect(),
            cookie_domain: cookie_domain.map(str::to_owned),
            max_connections: max_connections(),
            max_connections_per_address: max_connections_per_address(),
            trusted_proxies: String::new(),
        }
    }
}
