//! Settings of this service.

use std::{
    net::{Ipv4Addr, SocketAddr},
    ops::RangeInclusive,
    time::Duration,
};

use anyhow::ensure;
use secrecy::SecretString;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    #[serde(default = "default_database_url")]
    pub(crate) rewards_database_url: SecretString,
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
    "postgres://orderahead@127.0.0.1:7132/rewards".into()
}

fn default_listen() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 7106).into()
}

const fn default_audit_every_seconds() -> u64 {
    3600
}

/// How orders earn points.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// `POINTS_PER_UNIT`: points for each whole dollar of the subtotal after discounts.
    #[serde(default = "default_points_per_unit")]
    pub(crate) points_per_unit: i64,
}

const POINTS_PER_UNIT_RANGE: RangeInclusive<i64> = 0..=1_000_000;

impl Rules {
    pub(crate) fn validate(self) -> anyhow::Result<Self> {
        ensure!(
            POINTS_PER_UNIT_RANGE.contains(&self.points_per_unit),
            "bad configuration: POINTS_PER_UNIT: expected {} to {}",
            POINTS_PER_UNIT_RANGE.start(),
            POINTS_PER_UNIT_RANGE.end(),
        );
        Ok(self)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            points_per_unit: default_points_per_unit(),
        }
    }
}

const fn default_points_per_unit() -> i64 {
    10
}
