//! The settings of this service.

use std::net::{Ipv4Addr, SocketAddr};

use secrecy::SecretString;
use serde::Deserialize;

/// Where its data is.
#[derive(Debug, Deserialize)]
pub struct Storage {
    /// `REWARDS_DATABASE_URL`.
    #[serde(default = "usual_database")]
    pub rewards_database_url: SecretString,
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
    "postgres://orderahead@127.0.0.1:7132/rewards".into()
}

fn usual_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7106).into()
}

const fn usual_audit() -> u64 {
    3600
}

/// What points are given for.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// `POINTS_PER_UNIT`: points for each whole dollar of the subtotal after discounts.
    #[serde(default = "usual_points")]
    pub points_per_unit: i64,
}

const fn usual_points() -> i64 {
    10
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            points_per_unit: usual_points(),
        }
    }
}
