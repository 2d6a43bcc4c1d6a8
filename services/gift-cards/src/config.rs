//! Settings of this service.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use secrecy::SecretString;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    #[serde(default = "default_database_url")]
    pub(crate) gift_cards_database_url: SecretString,
    /// `LISTEN`: the address of the gRPC server.
    #[serde(default = "default_listen")]
    pub(crate) listen: SocketAddr,
    /// `AUDIT_EVERY_SECONDS`: the interval of the ledger audit.
    #[serde(default = "default_audit_every_seconds")]
    audit_every_seconds: u64,
}

impl Config {
    pub(crate) const fn audit_interval(&self) -> Duration {
        Duration::from_secs(self.audit_every_seconds)
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
