//! Settings of this service.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use secrecy::SecretString;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct DatabaseConfig {
    /// `PAYMENTS_DATABASE_URL`.
    #[serde(default = "default_database_url")]
    pub payments_database_url: SecretString,
}

#[derive(Debug, Deserialize)]
pub struct ServerConfig {
    /// `LISTEN`: address of the gRPC server.
    #[serde(default = "default_listen")]
    pub listen: SocketAddr,
}

/// The payment provider. The keys have no defaults.
#[derive(Debug, Deserialize)]
pub struct ProviderConfig {
    /// `PROVIDER_URL`: the provider, or a sandbox with the same API.
    #[serde(default = "default_provider_url")]
    pub provider_url: String,
    /// `PROVIDER_SECRET_KEY`: authenticates our calls.
    pub provider_secret_key: SecretString,
    /// `PROVIDER_PUBLISHABLE_KEY`: authenticates the page's calls; not a secret.
    pub provider_publishable_key: String,
    /// `PROVIDER_WEBHOOK_SECRET`: verifies the signatures of webhooks.
    pub provider_webhook_secret: SecretString,
    /// `PROVIDER_TIMEOUT_MS`: timeout of one call.
    #[serde(default = "default_provider_timeout_ms")]
    provider_timeout_ms: u64,
}

#[derive(Debug, Deserialize)]
pub struct EffectsConfig {
    /// `EFFECT_MAX_ATTEMPTS`: attempts before an effect fails permanently; two hours with the default backoff.
    #[serde(rename = "effect_max_attempts", default = "default_effect_max_attempts")]
    max_attempts: i32,
    /// `EFFECT_BACKOFF_MS`: delay after the first attempt; doubles with each attempt.
    #[serde(rename = "effect_backoff_ms", default = "default_effect_backoff_ms")]
    backoff_ms: u64,
    /// `EFFECT_MAX_BACKOFF_MS`: maximum delay.
    #[serde(rename = "effect_max_backoff_ms", default = "default_effect_max_backoff_ms")]
    max_backoff_ms: u64,
    /// `EFFECT_POLL_INTERVAL_MS`: interval of the query for due effects.
    #[serde(
        rename = "effect_poll_interval_ms",
        default = "default_effect_poll_interval_ms"
    )]
    poll_interval_ms: u64,
}

/// Rules for the execution of effects.
#[derive(Debug, Clone, Copy)]
pub struct EffectRules {
    pub max_attempts: i32,
    pub backoff: Duration,
    pub max_backoff: Duration,
    pub poll_interval: Duration,
    /// Longer than all provider calls of one effect together.
    pub lease: Duration,
}

impl ProviderConfig {
    /// Timeout of one call.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.provider_timeout_ms)
    }
}

impl EffectsConfig {
    /// Creates the rules for a provider with the given timeout per call.
    #[must_use]
    pub const fn rules(&self, provider_timeout: Duration) -> EffectRules {
        EffectRules {
            max_attempts: self.max_attempts,
            backoff: Duration::from_millis(self.backoff_ms),
            max_backoff: Duration::from_millis(self.max_backoff_ms),
            poll_interval: Duration::from_millis(self.poll_interval_ms),
            // Voiding a charge without a known provider id takes up to five calls.
            lease: provider_timeout.saturating_mul(6),
        }
    }
}

fn default_database_url() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/payments".into()
}

fn default_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7104).into()
}

fn default_provider_url() -> String {
    "http://127.0.0.1:7190".to_owned()
}

const fn default_provider_timeout_ms() -> u64 {
    8_000
}

const fn default_effect_max_attempts() -> i32 {
    32
}

const fn default_effect_backoff_ms() -> u64 {
    500
}

const fn default_effect_max_backoff_ms() -> u64 {
    300_000
}

const fn default_effect_poll_interval_ms() -> u64 {
    500
}
