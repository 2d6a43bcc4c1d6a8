//! Settings of this service, each with a default for development.

use std::{net::SocketAddr, time::Duration};

use secrecy::SecretString;
use serde::Deserialize;

/// Where it listens and what it calls.
#[derive(Debug, Deserialize)]
pub struct Config {
    /// The address served.
    #[serde(default = "listen")]
    pub listen: SocketAddr,
    /// Its own database.
    #[serde(default = "database")]
    pub ordering_database_url: SecretString,
    /// The stores service.
    #[serde(default = "stores")]
    pub stores_address: String,
    /// The payments service.
    #[serde(default = "payments")]
    pub payments_address: String,
    /// The gift-cards service.
    #[serde(default = "gift_cards")]
    pub gift_cards_address: String,
    /// The rewards service.
    #[serde(default = "rewards")]
    pub rewards_address: String,
}

/// The rules that have a number.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// How long the saga may work on an order before recovery takes it.
    #[serde(default = "saga_seconds")]
    pub order_saga_seconds: u64,
    /// How long the consumer may take to authenticate a payment.
    #[serde(default = "action_seconds")]
    pub order_authentication_seconds: u64,
    /// No store accepts within this time: the system cancels.
    #[serde(default = "accept_seconds")]
    pub order_accept_seconds: u64,
    /// A promise may move so far from the one that was agreed to.
    #[serde(default = "promise_seconds")]
    pub order_promise_slack_seconds: u64,
    /// Points for each whole dollar after discounts.
    #[serde(default = "points")]
    pub points_per_dollar: i64,
}

impl Rules {
    /// How long the saga may work on an order.
    #[must_use]
    pub const fn saga(&self) -> Duration {
        Duration::from_secs(self.order_saga_seconds)
    }
}

fn listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7103))
}

fn database() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/ordering".into()
}

fn stores() -> String {
    "http://127.0.0.1:7102".into()
}

fn payments() -> String {
    "http://127.0.0.1:7104".into()
}

fn gift_cards() -> String {
    "http://127.0.0.1:7105".into()
}

fn rewards() -> String {
    "http://127.0.0.1:7106".into()
}

const fn saga_seconds() -> u64 {
    15
}

const fn action_seconds() -> u64 {
    600
}

const fn accept_seconds() -> u64 {
    600
}

const fn promise_seconds() -> u64 {
    300
}

const fn points() -> i64 {
    10
}
