//! Settings. Each is read from the environment variable of the same name in upper case.

use std::net::{Ipv4Addr, SocketAddr};

use secrecy::SecretString;
use serde::Deserialize;

use crate::domain::webhook_keys::WebhookKeys;

#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    #[serde(default = "default_database_url")]
    pub(crate) stores_database_url: SecretString,
    #[serde(default = "default_listen")]
    pub(crate) listen: SocketAddr,
    /// Position by which lists are sorted if the consumer's position is unknown. San Francisco by default.
    #[serde(default = "default_latitude")]
    pub(crate) default_latitude: f64,
    #[serde(default = "default_longitude")]
    pub(crate) default_longitude: f64,
    /// The credential of the barista simulator, which `seed` creates.
    #[serde(default = "default_store_credential")]
    pub(crate) dev_store_credential: SecretString,
    /// Permits webhooks to private addresses, and over http. For development only.
    #[serde(default)]
    pub(crate) webhooks_allow_private_addresses: bool,
}

/// Keys that encrypt the secrets of webhooks in the database.
#[derive(Debug, Deserialize)]
pub(crate) struct WebhookConfig {
    /// At least 32 bytes.
    webhooks_secret: SecretString,
    /// The previous secret after a rotation, until `stores webhooks encrypt-secrets`.
    #[serde(default)]
    webhooks_secret_accepted: SecretString,
}

impl WebhookConfig {
    /// # Errors
    /// A secret is shorter than 32 bytes.
    pub(crate) fn keys(&self) -> anyhow::Result<WebhookKeys> {
        WebhookKeys::new(&self.webhooks_secret, &self.webhooks_secret_accepted)
    }
}

fn default_database_url() -> SecretString {
    SecretString::from("postgres://orderahead@127.0.0.1:7132/stores")
}

const fn default_listen() -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7102)
}

const fn default_latitude() -> f64 {
    37.77
}

const fn default_longitude() -> f64 {
    -122.42
}

fn default_store_credential() -> SecretString {
    SecretString::from("store_dev_credential_for_the_simulator")
}
