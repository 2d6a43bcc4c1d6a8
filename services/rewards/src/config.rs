//! Settings of this service.

use std::{
    net::{Ipv4Addr, SocketAddr},
    ops::RangeInclusive,
    time::Duration,
};

use anyhow::ensure;
use jiff::tz::TimeZone;
use secrecy::SecretString;
use serde::Deserialize;
use types::points::default_points_per_dollar;

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
    /// `DEFAULT_TIME_ZONE`: IANA name of the zone that determines the day of offers if the consumer has no store.
    #[serde(default = "default_time_zone")]
    default_time_zone: String,
}

impl Config {
    pub(crate) const fn audit_interval(&self) -> Duration {
        Duration::from_secs(self.audit_every_seconds)
    }

    pub(crate) fn default_time_zone(&self) -> anyhow::Result<TimeZone> {
        TimeZone::get(&self.default_time_zone).map_err(|_| {
            anyhow::anyhow!(
                "bad configuration: DEFAULT_TIME_ZONE: expected a name such as America/Los_Angeles"
            )
        })
    }
}

fn default_time_zone() -> String {
    "America/Los_Angeles".to_owned()
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
    /// `POINTS_PER_DOLLAR`: points for each whole dollar of the subtotal after discounts, on the web. Ordering reads the
    /// same setting.
    #[serde(default = "default_points_per_dollar")]
    pub(crate) points_per_dollar: i64,
    /// `INVITATION_REFERRER_POINTS`: for the consumer who shares a code, once the friend's first order is completed.
    #[serde(default = "default_invitation_points")]
    pub(crate) invitation_referrer_points: i64,
    /// `INVITATION_FRIEND_POINTS`: for the invited consumer.
    #[serde(default = "default_invitation_points")]
    pub(crate) invitation_friend_points: i64,
}

const POINTS_RANGE: RangeInclusive<i64> = 0..=1_000_000;

impl Rules {
    pub(crate) fn validate(self) -> anyhow::Result<Self> {
        for (name, points) in [
            ("POINTS_PER_DOLLAR", self.points_per_dollar),
            ("INVITATION_REFERRER_POINTS", self.invitation_referrer_points),
            ("INVITATION_FRIEND_POINTS", self.invitation_friend_points),
        ] {
            ensure!(
                POINTS_RANGE.contains(&points),
                "bad configuration: {name}: expected {} to {}",
                POINTS_RANGE.start(),
                POINTS_RANGE.end(),
            );
        }
        Ok(self)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            points_per_dollar: default_points_per_dollar(),
            invitation_referrer_points: default_invitation_points(),
            invitation_friend_points: default_invitation_points(),
        }
    }
}

/// The price of the cheapest reward.
const fn default_invitation_points() -> i64 {
    250
}
