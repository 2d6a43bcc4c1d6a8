//! The settings of this service.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

/// Where its data is.
#[derive(Debug, Deserialize)]
pub struct Storage {
    /// `PAYMENTS_DATABASE_URL`.
    #[serde(default = "usual_database")]
    pub payments_database_url: SecretString,
}

/// How it serves.
#[derive(Debug, Deserialize)]
pub struct Serving {
    /// `LISTEN`: the address that it serves gRPC on.
    #[serde(default = "usual_listen")]
    pub listen: SocketAddr,
}

/// The payment provider. There are no usual keys: a start without them stops and says so.
#[derive(Debug, Deserialize)]
pub struct Provider {
    /// `PROVIDER_URL`: the provider, or a sandbox that speaks its API.
    #[serde(default = "usual_provider")]
    pub provider_url: String,
    /// `PROVIDER_SECRET_KEY`: what our calls are authenticated with.
    pub provider_secret_key: SecretString,
    /// `PROVIDER_PUBLISHABLE_KEY`: what the page's calls are authenticated with; no secret.
    pub provider_publishable_key: String,
    /// `PROVIDER_WEBHOOK_SECRET`: what the provider signs its webhooks with.
    pub provider_webhook_secret: SecretString,
    /// `PROVIDER_TIMEOUT_MS`: how long one call to it may take.
    #[serde(default = "usual_timeout")]
    provider_timeout_ms: u64,
}

/// How planned calls to the provider are carried out.
#[derive(Debug, Deserialize)]
pub struct Effects {
    /// `EFFECT_ATTEMPTS`: after so many a call is given up; with the usual backoff that takes two hours.
    #[serde(default = "usual_attempts")]
    effect_attempts: i32,
    /// `EFFECT_BACKOFF_MS`: the pause after the first failure; it doubles.
    #[serde(default = "usual_backoff")]
    effect_backoff_ms: u64,
    /// `EFFECT_BACKOFF_MOST_MS`: the longest pause.
    #[serde(default = "usual_backoff_most")]
    effect_backoff_most_ms: u64,
    /// `EFFECT_LOOK_EVERY_MS`: how often the worker looks for calls that are due.
    #[serde(default = "usual_look")]
    effect_look_every_ms: u64,
}

/// The same, as the worker wants it.
#[derive(Debug, Clone, Copy)]
pub struct EffectRules {
    /// After so many a call is given up.
    pub attempts: i32,
    /// The pause after the first failure.
    pub backoff: Duration,
    /// The longest pause.
    pub backoff_most: Duration,
    /// How often the worker looks.
    pub look_every: Duration,
    /// How long a claim lasts: longer than the calls that one task makes.
    pub lease: Duration,
}

impl Provider {
    /// How long one call may take.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.provider_timeout_ms)
    }

    /// Whether no real money moves: the provider's keys for tests say so themselves, at a sandbox as at the provider.
    #[must_use]
    pub fn is_in_test_mode(&self) -> bool {
        let key = self.provider_secret_key.expose_secret();
        key.starts_with("sk_test_") || key.starts_with("rk_test_")
    }
}

impl Effects {
    /// The rules, for a provider whose calls take up to `timeout`.
    #[must_use]
    pub const fn rules(&self, timeout: Duration) -> EffectRules {
        EffectRules {
            attempts: self.effect_attempts,
            backoff: Duration::from_millis(self.effect_backoff_ms),
            backoff_most: Duration::from_millis(self.effect_backoff_most_ms),
            look_every: Duration::from_millis(self.effect_look_every_ms),
            // A charge of which only the request is known takes up to five calls.
            lease: timeout.saturating_mul(6),
        }
    }
}

fn usual_database() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/payments".into()
}

fn usual_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7104).into()
}

fn usual_provider() -> String {
    "http://127.0.0.1:7190".to_owned()
}

const fn usual_timeout() -> u64 {
    8_000
}

const fn usual_attempts() -> i32 {
    32
}

const fn usual_backoff() -> u64 {
    500
}

const fn usual_backoff_most() -> u64 {
    300_000
}

const fn usual_look() -> u64 {
    500
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_keys_of_test_mode() {
        let with = |key: &str| Provider {
            provider_url: usual_provider(),
            provider_secret_key: key.into(),
            provider_publishable_key: "pk".into(),
            provider_webhook_secret: "whsec".into(),
            provider_timeout_ms: 1,
        };
        for key in ["sk_test_orderahead", "rk_test_1"] {
            assert!(with(key).is_in_test_mode(), "{key}");
        }
        for key in ["sk_live_1", "rk_live_sk_test_", "sk", ""] {
            assert!(!with(key).is_in_test_mode(), "{key}");
        }
    }
}
