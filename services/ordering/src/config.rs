//! Settings, with defaults for development.

use std::{net::SocketAddr, time::Duration};

use jiff::Timestamp;
use secrecy::SecretString;
use serde::Deserialize;

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

/// Business rules with a number.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// Lease duration of a saga. Recovery closes orders with an expired lease.
    #[serde(default = "default_saga_seconds")]
    pub order_saga_seconds: u64,
    /// How long the consumer has to authenticate a payment.
    #[serde(default = "default_authentication_seconds")]
    pub order_authentication_seconds: u64,
    /// The system cancels an order that no store accepts within this time.
    #[serde(default = "default_accept_seconds")]
    pub order_accept_seconds: u64,
    /// How much later than quoted an order may be ready.
    #[serde(default = "default_eta_slack_seconds")]
    pub order_eta_slack_seconds: u64,
    /// For each whole dollar after discounts.
    #[serde(default = "default_points_per_dollar")]
    pub points_per_dollar: i64,
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
    pub const fn eta_slack(&self) -> Duration {
        Duration::from_secs(self.order_eta_slack_seconds)
    }

    /// Returns the time by which a store has to accept an order that is placed now.
    #[must_use]
    pub fn accept_by(&self, now: Timestamp) -> Timestamp {
        now + Duration::from_secs(self.order_accept_seconds)
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
    15
}

const fn default_authentication_seconds() -> u64 {
    600
}

const fn default_accept_seconds() -> u64 {
    600
}

const fn default_eta_slack_seconds() -> u64 {
    300
}

const fn default_points_per_dollar() -> i64 {
    10
}
