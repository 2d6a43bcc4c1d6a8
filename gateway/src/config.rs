//! Settings, one struct a concern. Each field is the variable of its name in upper case.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::Deserialize;

macro_rules! usual {
    ($($name:ident: $type:ty = $value:expr;)*) => {$(
        fn $name() -> $type {
            $value
        }
    )*};
}

usual! {
    listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 7080));
    client_patience_seconds: u64 = 15;
    public_origin: String = "http://127.0.0.1:7080,http://localhost:7080".to_owned();
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
    card_secrets_per_consumer: u32 = 20;
    streams_per_consumer: usize = 8;
    streams_in_all: usize = 800;
}

/// Where we listen, and as whom.
#[derive(Debug, Clone, Deserialize)]
pub struct Front {
    /// Address and port.
    #[serde(default = "listen")]
    pub listen: SocketAddr,
    /// How long a client may take: for the first request of a connection, to send a body, to take what we send.
    #[serde(default = "client_patience_seconds")]
    pub client_patience_seconds: u64,
    /// The origins that the app is served from, with commas; the first is the canonical one.
    #[serde(default = "public_origin")]
    pub public_origin: String,
    /// Parent domain of the cookies; the host alone where absent.
    #[serde(default)]
    pub cookie_domain: Option<String>,
    /// Proxies whose `x-forwarded-for` is believed, with commas.
    #[serde(default)]
    pub trusted_proxies: String,
}

impl Front {
    /// The allowed origins.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        list(&self.public_origin)
            .map(|origin| origin.trim_end_matches('/').to_owned())
            .collect()
    }

    /// How long a client may take.
    #[must_use]
    pub const fn client_patience(&self) -> Duration {
        Duration::from_secs(self.client_patience_seconds)
    }

    /// Outside development everything is https, and so are the cookies.
    #[must_use]
    pub fn secure(&self) -> bool {
        self.origins()
            .first()
            .is_some_and(|origin| origin.starts_with("https://"))
    }

    /// The proxies that are believed.
    ///
    /// # Errors
    /// Something in the list is no address.
    pub fn proxies(&self) -> anyhow::Result<Vec<IpAddr>> {
        list(&self.trusted_proxies)
            .map(|text| {
                text.parse().map_err(|_| {
                    anyhow::anyhow!(
                        "bad configuration: TRUSTED_PROXIES: expected addresses with commas, found {text:?}"
                    )
                })
            })
            .collect()
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

/// Where the services are.
#[derive(Debug, Clone, Deserialize)]
pub struct Addresses {
    /// Accounts.
    #[serde(default = "accounts_address")]
    pub accounts_address: String,
    /// Stores.
    #[serde(default = "stores_address")]
    pub stores_address: String,
    /// Ordering.
    #[serde(default = "ordering_address")]
    pub ordering_address: String,
    /// Payments.
    #[serde(default = "payments_address")]
    pub payments_address: String,
    /// Gift cards.
    #[serde(default = "gift_cards_address")]
    pub gift_cards_address: String,
    /// Rewards.
    #[serde(default = "rewards_address")]
    pub rewards_address: String,
}

/// The cache, and what is counted in it.
#[derive(Debug, Clone, Deserialize)]
pub struct Cache {
    /// Where it is.
    #[serde(default = "redis_url")]
    pub redis_url: SecretString,
    /// Sign-in calls of one address in ten minutes.
    #[serde(default = "sign_in_limit_per_address")]
    pub sign_in_limit_per_address: u32,
    /// Sign-in calls of everybody in a minute.
    #[serde(default = "sign_in_limit_in_all")]
    pub sign_in_limit_in_all: u32,
    /// Cards that a consumer may begin to add in an hour.
    #[serde(default = "card_secrets_per_consumer")]
    pub card_secrets_per_consumer: u32,
}

/// How many live streams this process holds open.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Streams {
    /// Of one consumer: some devices with some screens each.
    #[serde(default = "streams_per_consumer")]
    pub streams_per_consumer: usize,
    /// Of all together. Each has a connection: the usual 1024 descriptors of a process leave room for calls beside these.
    #[serde(default = "streams_in_all")]
    pub streams_in_all: usize,
}

/// The built web app and what it loads from elsewhere.
#[derive(Debug, Clone, Deserialize)]
pub struct Web {
    /// Folder of the build.
    #[serde(default = "web_dist")]
    pub web_dist: PathBuf,
    /// The card provider's browser script.
    #[serde(default = "provider_script_url")]
    pub provider_script_url: String,
    /// The provider's public key; what payments says where absent.
    #[serde(default)]
    pub provider_publishable_key: Option<String>,
    /// More origins that the provider's script talks to or frames, with commas.
    #[serde(default)]
    pub provider_origins: String,
    /// Origins of map tiles and styles, with commas.
    #[serde(default)]
    pub map_origins: String,
}

impl Web {
    /// The origins of the provider: the script's own and those listed.
    ///
    /// # Errors
    /// A script address that is no URL.
    pub fn provider_sources(&self) -> anyhow::Result<Vec<String>> {
        let script = url::Url::parse(&self.provider_script_url).map_err(|error| {
            anyhow::anyhow!("bad configuration: PROVIDER_SCRIPT_URL: expected a URL: {error}")
        })?;
        let own = script.origin().ascii_serialization();
        Ok(std::iter::once(own)
            .chain(list(&self.provider_origins).map(str::to_owned))
            .collect())
    }

    /// The origins of the map.
    #[must_use]
    pub fn map_sources(&self) -> Vec<String> {
        list(&self.map_origins).map(str::to_owned).collect()
    }
}
