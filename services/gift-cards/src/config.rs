//! The settings of this service.

use std::net::{Ipv4Addr, SocketAddr};

use secrecy::SecretString;
use serde::Deserialize;

/// Where its data is.
#[derive(Debug, Deserialize)]
pub struct Storage {
    /// `GIFT_CARDS_DATABASE_URL`.
    #[serde(default = "usual_database")]
    pub gift_cards_database_url: SecretString,
}

/// How it serves.
#[derive(Debug, Deserialize)]
pub struct Serving {
    /// `LISTEN`: the address that it serves gRPC on.
    #[serde(default = "usual_listen")]
    pub listen: SocketAddr,
    /// `AUDIT_EVERY_SECONDS`: how often it proves its books.
    #[serde(default = "usual_audit")]
    pub audit_every_seconds: u64,
}

fn usual_database() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/gift_cards".into()
}

fn usual_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7105).into()
}

const fn usual_audit() -> u64 {
    3600
}
