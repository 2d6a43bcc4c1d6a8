//! Settings of this service.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use jiff::SignedDuration;
use kit::{
    audit::MAX_SETTLE_SECONDS,
    config::{DAY_IN_SECONDS, HOUR_IN_SECONDS, YEAR_IN_SECONDS, between, http_url, optional_http_url},
};
use secrecy::SecretString;
use serde::Deserialize;
use types::{
    Money,
    limits::{MAX_BALANCE_CENTS, MAX_PURCHASE_CENTS, MIN_PURCHASE_CENTS},
    timeouts::SAGA_LEASE,
};

use crate::domain::secret::Secret;

#[derive(Debug, Deserialize)]
pub struct Config {
    #[serde(default = "default_database_url")]
    pub(crate) gift_cards_database_url: SecretString,
    /// `LISTEN`: the address of the gRPC server.
    #[serde(default = "default_listen")]
    pub(crate) listen: SocketAddr,
    #[serde(default = "default_accounts_address")]
    pub accounts_address: String,
    #[serde(default = "default_payments_address")]
    pub payments_address: String,
    #[serde(default = "default_stores_address")]
    pub stores_address: String,
}

/// The key of codes and PINs.
#[derive(Debug, Deserialize)]
pub struct SecretConfig {
    /// At least 32 bytes. A new secret makes the codes of gift cards invalid that were not redeemed.
    gift_cards_secret: SecretString,
}

impl SecretConfig {
    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn secret(&self) -> anyhow::Result<Secret> {
        Secret::new(&self.gift_cards_secret)
    }
}

/// How messages with gift cards are sent. Without a setting they are kept until one is configured.
#[derive(Debug, Deserialize)]
pub(crate) struct SenderConfig {
    /// Appends the messages to a file, for development.
    pub(crate) gift_message_file: Option<PathBuf>,
    /// Posts the messages to an HTTP API.
    #[serde(default, deserialize_with = "optional_http_url")]
    pub(crate) gift_message_url: Option<String>,
    pub(crate) gift_message_token: Option<SecretString>,
    /// The page where a recipient redeems a code.
    #[serde(default = "default_redeem_url", deserialize_with = "http_url")]
    pub(crate) gift_redeem_url: String,
}

/// Limits, times and amounts that can be configured.
#[derive(Debug, Clone, Deserialize)]
pub struct Rules {
    /// Lease duration of a saga. Recovery closes purchases with an expired lease.
    #[serde(
        default = "default_saga_seconds",
        deserialize_with = "between::<1, HOUR_IN_SECONDS, _, _>"
    )]
    pub purchase_saga_seconds: u64,
    /// Time for the consumer to authenticate a payment.
    #[serde(
        default = "default_authentication_seconds",
        deserialize_with = "between::<1, DAY_IN_SECONDS, _, _>"
    )]
    pub purchase_authentication_seconds: u64,
    /// Suggested amounts.
    #[serde(default = "default_presets")]
    pub add_funds_presets_cents: Vec<i64>,
    #[serde(default = "default_minimum_cents")]
    pub purchase_minimum_cents: i64,
    #[serde(default = "default_maximum_cents")]
    pub purchase_maximum_cents: i64,
    /// Maximum of one balance.
    #[serde(default = "default_balance_maximum_cents")]
    pub balance_maximum_cents: i64,
    #[serde(
        default = "default_reloads_per_day",
        deserialize_with = "between::<0, 1_000, _, _>"
    )]
    pub auto_reload_max_per_day: i64,
    #[serde(
        default = "default_reloads_per_week",
        deserialize_with = "between::<0, 1_000, _, _>"
    )]
    pub auto_reload_max_per_week: i64,
    /// No automatic reload happens for this long after the phone or a payment method changed, or a reload failed.
    #[serde(
        default = "default_freeze_hours",
        deserialize_with = "between::<0, 8_760, _, _>"
    )]
    pub auto_reload_freeze_hours: u32,
    #[serde(
        default = "default_pin_seconds",
        deserialize_with = "between::<1, DAY_IN_SECONDS, _, _>"
    )]
    pub counter_pin_seconds: u32,
    /// Wrong PINs in a minute.
    #[serde(default = "default_wrong_pins_per_terminal")]
    pub counter_wrong_pins_per_terminal: i32,
    #[serde(default = "default_wrong_pins_per_store")]
    pub counter_wrong_pins_per_store: i32,
    /// Time of day, in UTC, at which gift cards for a date are delivered.
    #[serde(
        default = "default_delivery_hour",
        deserialize_with = "between::<0, 23, _, _>"
    )]
    pub gift_delivery_hour_utc: i8,
    /// Interval of the audits.
    #[serde(
        default = "default_audit_every_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    pub audit_every_seconds: u64,
    /// The audit of money compares a purchase this long after it or its charge changed, when the events about it were consumed. Less than
    /// an hour.
    #[serde(
        default = "default_settle_seconds",
        deserialize_with = "between::<0, MAX_SETTLE_SECONDS, _, _>"
    )]
    pub audit_settle_seconds: u64,
}

impl Rules {
    #[must_use]
    pub const fn audit_interval(&self) -> Duration {
        Duration::from_secs(self.audit_every_seconds)
    }

    #[must_use]
    pub const fn settle_time(&self) -> Duration {
        Duration::from_secs(self.audit_settle_seconds)
    }

    #[must_use]
    pub const fn saga_lease(&self) -> Duration {
        Duration::from_secs(self.purchase_saga_seconds)
    }

    #[must_use]
    pub const fn authentication_timeout(&self) -> Duration {
        Duration::from_secs(self.purchase_authentication_seconds)
    }

    #[must_use]
    pub const fn minimum(&self) -> Money {
        Money::usd(self.purchase_minimum_cents)
    }

    #[must_use]
    pub const fn maximum(&self) -> Money {
        Money::usd(self.purchase_maximum_cents)
    }

    #[must_use]
    pub fn auto_reload_freeze(&self) -> SignedDuration {
        SignedDuration::from_hours(i64::from(self.auto_reload_freeze_hours))
    }

    #[must_use]
    pub fn counter_pin_lifetime(&self) -> SignedDuration {
        SignedDuration::from_secs(i64::from(self.counter_pin_seconds))
    }
}

fn default_database_url() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/gift_cards".into()
}

fn default_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7105).into()
}

const fn default_audit_every_seconds() -> u64 {
    3600
}

fn default_accounts_address() -> String {
    "http://127.0.0.1:7101".to_owned()
}

fn default_payments_address() -> String {
    "http://127.0.0.1:7104".into()
}

fn default_stores_address() -> String {
    "http://127.0.0.1:7102".into()
}

fn default_redeem_url() -> String {
    "http://127.0.0.1:7080/wallet/redeem".into()
}

const fn default_saga_seconds() -> u64 {
    SAGA_LEASE.as_secs()
}

const fn default_authentication_seconds() -> u64 {
    600
}

fn default_presets() -> Vec<i64> {
    vec![1_000, 2_500, 5_000, 10_000]
}

const fn default_minimum_cents() -> i64 {
    MIN_PURCHASE_CENTS
}

const fn default_maximum_cents() -> i64 {
    MAX_PURCHASE_CENTS
}

const fn default_balance_maximum_cents() -> i64 {
    MAX_BALANCE_CENTS
}

const fn default_reloads_per_day() -> i64 {
    2
}

const fn default_reloads_per_week() -> i64 {
    5
}

const fn default_freeze_hours() -> u32 {
    24
}

const fn default_pin_seconds() -> u32 {
    120
}

const fn default_wrong_pins_per_terminal() -> i32 {
    5
}

const fn default_wrong_pins_per_store() -> i32 {
    30
}

const fn default_delivery_hour() -> i8 {
    15
}

const fn default_settle_seconds() -> u64 {
    10 * 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purchase_settles_in_less_than_an_hour() {
        let rules = |seconds: u64| -> serde_json::Result<Rules> {
            serde_json::from_value(serde_json::json!({"audit_settle_seconds": seconds}))
        };
        assert!(rules(3_599).is_ok());
        assert!(rules(3_600).is_err());
    }
}
