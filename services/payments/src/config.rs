//! Settings of this service.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use kit::config::{YEAR_IN_SECONDS, between};
use secrecy::SecretString;
use serde::Deserialize;
use types::timeouts::MAX_PROVIDER_TIMEOUT_MS;

const DAY: Duration = Duration::from_hours(24);

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
    /// `PROVIDER_PUBLISHABLE_KEY`: authenticates the client's calls; not a secret.
    pub provider_publishable_key: String,
    /// `PROVIDER_WEBHOOK_SECRET`: verifies the signatures of webhooks.
    pub provider_webhook_secret: SecretString,
    /// `PROVIDER_TIMEOUT_MS`: timeout of one call. Callers of payments would time out before a longer one.
    #[serde(
        default = "default_provider_timeout_ms",
        deserialize_with = "between::<1, MAX_PROVIDER_TIMEOUT_MS, _, _>"
    )]
    provider_timeout_ms: u64,
}

#[derive(Debug, Deserialize)]
pub struct EffectsConfig {
    /// `EFFECT_BACKOFF_MS`: delay after the first attempt; doubles with each attempt.
    #[serde(
        rename = "effect_backoff_ms",
        default = "default_effect_backoff_ms",
        deserialize_with = "between::<1, 3_600_000, _, _>"
    )]
    backoff_ms: u64,
    /// `EFFECT_MAX_BACKOFF_MS`: maximum delay.
    #[serde(
        rename = "effect_max_backoff_ms",
        default = "default_effect_max_backoff_ms",
        deserialize_with = "between::<1, 86_400_000, _, _>"
    )]
    max_backoff_ms: u64,
    /// `EFFECT_POLL_INTERVAL_MS`: interval of the query for due effects.
    #[serde(
        rename = "effect_poll_interval_ms",
        default = "default_effect_poll_interval_ms",
        deserialize_with = "between::<1, 3_600_000, _, _>"
    )]
    poll_interval_ms: u64,
    /// `EFFECT_ALARM_SECONDS`: an effect that was planned longer ago counts as overdue.
    #[serde(
        rename = "effect_alarm_seconds",
        default = "default_effect_alarm_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    alarm_seconds: u64,
}

/// Debts, and the limits of adding payment methods.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct PolicyConfig {
    /// `PENALTY_FEE_CENTS`: fee for a debit that the bank returned after the order was made.
    #[serde(
        default = "default_penalty_fee_cents",
        deserialize_with = "between::<0, 10_000, _, _>"
    )]
    pub penalty_fee_cents: i64,
    /// `SETUP_INTENTS_PER_DAY`: payment methods that a consumer can start to add in 24 hours.
    #[serde(
        default = "default_setup_intents_per_day",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub setup_intents_per_day: i64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct AuditConfig {
    /// `AUDIT_EVERY_SECONDS`: interval of the audit of charges that changed.
    #[serde(
        default = "default_audit_every_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    audit_every_seconds: u64,
}

/// How long finished records are kept.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct RetentionConfig {
    /// `PROVIDER_EVENT_RETENTION_DAYS`: must be longer than the provider redelivers an event.
    #[serde(
        default = "default_provider_event_retention_days",
        deserialize_with = "between::<1, 3_650, _, _>"
    )]
    provider_event_retention_days: u32,
    /// `EFFECT_RETENTION_DAYS`: for effects that are done.
    #[serde(
        default = "default_effect_retention_days",
        deserialize_with = "between::<1, 3_650, _, _>"
    )]
    effect_retention_days: u32,
}

#[derive(Debug, Clone, Copy)]
pub struct Retention {
    pub provider_events: Duration,
    pub effects: Duration,
    /// Number of rows that one statement deletes.
    pub batch_size: u32,
}

/// Rules for the execution of effects.
#[derive(Debug, Clone, Copy)]
pub struct EffectRules {
    pub backoff: Duration,
    pub max_backoff: Duration,
    pub poll_interval: Duration,
    /// A planned effect that is older counts as overdue.
    pub alarm_after: Duration,
    /// Longer than all provider calls of one effect together.
    pub lease: Duration,
}

impl ProviderConfig {
    /// Returns the timeout of one call.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.provider_timeout_ms)
    }
}

impl AuditConfig {
    #[must_use]
    pub const fn interval(self) -> Duration {
        Duration::from_secs(self.audit_every_seconds)
    }
}

impl EffectsConfig {
    /// Creates the rules for a provider with the given timeout per call.
    #[must_use]
    pub const fn rules(&self, provider_timeout: Duration) -> EffectRules {
        EffectRules {
            backoff: Duration::from_millis(self.backoff_ms),
            max_backoff: Duration::from_millis(self.max_backoff_ms),
            poll_interval: Duration::from_millis(self.poll_interval_ms),
            alarm_after: Duration::from_secs(self.alarm_seconds),
            // Voiding a charge without a known provider id takes up to five calls. The rest is for the database.
            lease: provider_timeout
                .saturating_mul(6)
                .saturating_add(Duration::from_secs(10)),
        }
    }
}

impl From<RetentionConfig> for Retention {
    fn from(config: RetentionConfig) -> Self {
        let days = |days: u32| DAY.saturating_mul(days);
        Self {
            provider_events: days(config.provider_event_retention_days),
            effects: days(config.effect_retention_days),
            batch_size: 1_000,
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

const fn default_effect_backoff_ms() -> u64 {
    500
}

const fn default_effect_max_backoff_ms() -> u64 {
    300_000
}

const fn default_effect_poll_interval_ms() -> u64 {
    1_000
}

const fn default_effect_alarm_seconds() -> u64 {
    600
}

const fn default_penalty_fee_cents() -> i64 {
    500
}

const fn default_setup_intents_per_day() -> i64 {
    40
}

const fn default_audit_every_seconds() -> u64 {
    3_600
}

const fn default_provider_event_retention_days() -> u32 {
    30
}

const fn default_effect_retention_days() -> u32 {
    90
}

#[cfg(test)]
mod tests {
    use types::timeouts::{AUTHORIZE_CHARGE_OVERHEAD, AUTHORIZE_CHARGE_TIMEOUT, MAX_PROVIDER_TIMEOUT};

    use super::*;

    fn provider_timeout(settings: &str) -> serde_json::Result<Duration> {
        let keys = r#""provider_secret_key": "sk", "provider_publishable_key": "pk", "provider_webhook_secret": "wh""#;
        let config: ProviderConfig = serde_json::from_str(&format!("{{{keys}{settings}}}"))?;
        Ok(config.timeout())
    }

    #[test]
    fn a_call_of_authorize_charge_waits_longer_than_payments_waits_for_the_provider() {
        let timeout = provider_timeout("").unwrap();
        assert!(timeout + AUTHORIZE_CHARGE_OVERHEAD < AUTHORIZE_CHARGE_TIMEOUT);
        assert!(MAX_PROVIDER_TIMEOUT + AUTHORIZE_CHARGE_OVERHEAD < AUTHORIZE_CHARGE_TIMEOUT);
    }

    #[test]
    fn a_timeout_that_callers_do_not_wait_for_is_rejected() {
        assert!(provider_timeout(r#", "provider_timeout_ms": 8000"#).is_ok());
        let error = provider_timeout(r#", "provider_timeout_ms": 8001"#).unwrap_err();
        assert!(
            error.to_string().starts_with("expected 1 to 8000, found 8001"),
            "{error}"
        );
    }
}
