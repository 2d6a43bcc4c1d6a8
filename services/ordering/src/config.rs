//! Settings, with defaults for development.

use std::{net::SocketAddr, time::Duration};

use kit::{
    audit::MAX_SETTLE_SECONDS,
    config::{DAY_IN_SECONDS, HOUR_IN_SECONDS, YEAR_IN_SECONDS, between},
};
use secrecy::SecretString;
use serde::Deserialize;
use types::{points::default_points_per_dollar, timeouts::SAGA_LEASE};

use crate::domain::receipt::ReceiptKeys;

#[derive(Debug, Deserialize)]
pub struct Config {
    #[serde(default = "default_listen")]
    pub listen: SocketAddr,
    #[serde(default = "default_database_url")]
    pub ordering_database_url: SecretString,
    #[serde(default = "default_stores_address")]
    pub stores_address: String,
    #[serde(default = "default_payments_address")]
    pub payments_address: String,
    #[serde(default = "default_gift_cards_address")]
    pub gift_cards_address: String,
    #[serde(default = "default_rewards_address")]
    pub rewards_address: String,
}

/// Secrets for the public links of receipts.
#[derive(Debug, Deserialize)]
pub struct ReceiptConfig {
    /// Signs the links; at least 32 bytes.
    receipt_secret: SecretString,
    /// A second secret. Links signed with it are accepted: the previous secret after a rotation.
    #[serde(default)]
    receipt_secret_accepted: SecretString,
}

impl ReceiptConfig {
    /// # Errors
    /// A secret is shorter than 32 bytes.
    pub fn keys(self) -> anyhow::Result<ReceiptKeys> {
        ReceiptKeys::new(self.receipt_secret, self.receipt_secret_accepted)
    }
}

/// Limits and durations of the business rules.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// Lease duration of a saga. Recovery closes orders with an expired lease.
    #[serde(
        default = "default_saga_seconds",
        deserialize_with = "between::<1, HOUR_IN_SECONDS, _, _>"
    )]
    pub order_saga_seconds: u64,
    /// Time for the consumer to authenticate a payment.
    #[serde(
        default = "default_authentication_seconds",
        deserialize_with = "between::<1, DAY_IN_SECONDS, _, _>"
    )]
    pub order_authentication_seconds: u64,
    /// The system cancels an order that no store accepts within this time.
    #[serde(
        default = "default_accept_seconds",
        deserialize_with = "between::<1, DAY_IN_SECONDS, _, _>"
    )]
    pub order_accept_seconds: u64,
    /// The system completes an order that is ready, this long after its promised time and after it was marked ready.
    #[serde(
        default = "default_complete_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    pub order_complete_seconds: u64,
    /// The system completes an order that the store accepted and never marked ready, this long after its promised time and its last
    /// change.
    #[serde(
        default = "default_complete_unmarked_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    pub order_complete_unmarked_seconds: u64,
    /// Maximum delay of the ready time against the quote before the order is not placed.
    #[serde(
        default = "default_eta_slack_seconds",
        deserialize_with = "between::<0, DAY_IN_SECONDS, _, _>"
    )]
    pub order_eta_slack_seconds: u64,
    /// Maximum number of a consumer's unscheduled orders that are not ready.
    #[serde(
        default = "default_max_active",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub order_max_active: u32,
    /// Maximum number of a consumer's scheduled orders that are not ready.
    #[serde(
        default = "default_max_active",
        deserialize_with = "between::<1, 1_000_000, _, _>"
    )]
    pub order_max_scheduled: u32,
    /// Maximum number of items in one order, so that one order cannot use the capacity of a store for hours.
    #[serde(default = "default_max_items", deserialize_with = "between::<1, 1_000, _, _>")]
    pub order_max_items: u32,
    /// Public links of receipts expire this long after the promised time.
    #[serde(
        default = "default_receipt_link_days",
        deserialize_with = "between::<1, 3_650, _, _>"
    )]
    pub receipt_link_days: u32,
    /// Points for each whole dollar after discounts, on the web. Rewards reads the same setting.
    #[serde(
        default = "default_points_per_dollar",
        deserialize_with = "between::<0, 1_000_000, _, _>"
    )]
    pub points_per_dollar: i64,
    /// Interval of the audit of money.
    #[serde(
        default = "default_audit_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
    pub audit_every_seconds: u64,
    /// The audit compares an order this long after its last change, when the events about it were consumed. Less than an hour.
    #[serde(
        default = "default_settle_seconds",
        deserialize_with = "between::<0, MAX_SETTLE_SECONDS, _, _>"
    )]
    pub audit_settle_seconds: u64,
    /// The audit reports money that is held for longer, without a store having accepted the order.
    #[serde(
        default = "default_max_hold_hours",
        deserialize_with = "between::<1, 8_760, _, _>"
    )]
    pub audit_max_hold_hours: u32,
}

impl Rules {
    #[must_use]
    pub const fn saga_lease(&self) -> Duration {
        Duration::from_secs(self.order_saga_seconds)
    }

    #[must_use]
    pub const fn authentication_timeout(&self) -> Duration {
        Duration::from_secs(self.order_authentication_seconds)
    }

    #[must_use]
    pub const fn complete_after(&self) -> Duration {
        Duration::from_secs(self.order_complete_seconds)
    }

    #[must_use]
    pub const fn complete_unmarked_after(&self) -> Duration {
        Duration::from_secs(self.order_complete_unmarked_seconds)
    }

    /// Returns the maximum number of a consumer's active orders of one kind: scheduled or not.
    #[must_use]
    pub const fn max_active(&self, is_scheduled: bool) -> u32 {
        if is_scheduled {
            self.order_max_scheduled
        } else {
            self.order_max_active
        }
    }

    #[must_use]
    pub const fn audit_interval(&self) -> Duration {
        Duration::from_secs(self.audit_every_seconds)
    }

    #[must_use]
    pub const fn settle_time(&self) -> Duration {
        Duration::from_secs(self.audit_settle_seconds)
    }

    #[must_use]
    pub fn max_hold_age(&self) -> Duration {
        Duration::from_hours(1) * self.audit_max_hold_hours
    }

    #[must_use]
    pub fn receipt_link_lifetime(&self) -> Duration {
        Duration::from_hours(24) * self.receipt_link_days
    }

    #[must_use]
    pub const fn eta_slack(&self) -> Duration {
        Duration::from_secs(self.order_eta_slack_seconds)
    }

    #[must_use]
    pub const fn accept_timeout(&self) -> Duration {
        Duration::from_secs(self.order_accept_seconds)
    }
}

fn default_listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7103))
}

fn default_database_url() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/ordering".into()
}

fn default_stores_address() -> String {
    "http://127.0.0.1:7102".into()
}

fn default_payments_address() -> String {
    "http://127.0.0.1:7104".into()
}

fn default_gift_cards_address() -> String {
    "http://127.0.0.1:7105".into()
}

fn default_rewards_address() -> String {
    "http://127.0.0.1:7106".into()
}

const fn default_saga_seconds() -> u64 {
    SAGA_LEASE.as_secs()
}

const fn default_authentication_seconds() -> u64 {
    600
}

const fn default_accept_seconds() -> u64 {
    600
}

const fn default_complete_seconds() -> u64 {
    4 * 60 * 60
}

const fn default_complete_unmarked_seconds() -> u64 {
    24 * 60 * 60
}

const fn default_eta_slack_seconds() -> u64 {
    300
}

const fn default_audit_seconds() -> u64 {
    60 * 60
}

const fn default_settle_seconds() -> u64 {
    10 * 60
}

/// Banks release a hold after a week.
const fn default_max_hold_hours() -> u32 {
    7 * 24
}

const fn default_max_active() -> u32 {
    5
}

const fn default_max_items() -> u32 {
    50
}

const fn default_receipt_link_days() -> u32 {
    90
}

#[cfg(test)]
mod tests {
    use types::timeouts::{AUTHORIZE_CHARGE_TIMEOUT, PLACE_ORDER_CHECKS_TIMEOUT, PLACE_ORDER_TIMEOUT};

    use super::*;

    #[test]
    fn an_order_settles_in_less_than_an_hour() {
        let rules = |seconds: u64| -> serde_json::Result<Rules> {
            serde_json::from_value(serde_json::json!({"audit_settle_seconds": seconds}))
        };
        assert!(rules(3_599).is_ok());
        assert!(rules(3_600).is_err());
    }

    #[test]
    fn the_saga_lease_is_longer_than_an_authorization_and_ends_with_the_checks_before_the_call_that_waits_for_it()
     {
        let rules: Rules = serde_json::from_str("{}").unwrap();
        assert!(AUTHORIZE_CHARGE_TIMEOUT < rules.saga_lease());
        assert!(PLACE_ORDER_CHECKS_TIMEOUT + rules.saga_lease() < PLACE_ORDER_TIMEOUT);
    }
}
