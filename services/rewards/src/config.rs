//! Settings of this service.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use jiff::tz::TimeZone;
use kit::config::{YEAR_IN_SECONDS, between};
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
    #[serde(
        default = "default_audit_every_seconds",
        deserialize_with = "between::<1, YEAR_IN_SECONDS, _, _>"
    )]
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

const DAY: Duration = Duration::from_hours(24);
const MAX_POINTS: i64 = 1_000_000;

/// How orders earn points.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// `POINTS_PER_DOLLAR`: points for each whole dollar of the subtotal after discounts, on the web. Ordering reads the
    /// same setting.
    #[serde(
        default = "default_points_per_dollar",
        deserialize_with = "between::<0, MAX_POINTS, _, _>"
    )]
    pub(crate) points_per_dollar: i64,
    /// `INVITATION_REFERRER_POINTS`: for the consumer who shares a code, once the friend's first order is completed.
    #[serde(
        default = "default_invitation_points",
        deserialize_with = "between::<0, MAX_POINTS, _, _>"
    )]
    pub(crate) invitation_referrer_points: i64,
    /// `INVITATION_FRIEND_POINTS`: for the invited consumer.
    #[serde(
        default = "default_invitation_points",
        deserialize_with = "between::<0, MAX_POINTS, _, _>"
    )]
    pub(crate) invitation_friend_points: i64,
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

const MAX_RETENTION_DAYS: i64 = 3_650;

/// How long the inbox keeps messages. A repeated event finds its message for longer than events are accepted.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct InboxRetention {
    /// `INBOX_RETENTION_DAYS`: from when a message was seen or removed.
    #[serde(
        default = "default_inbox_retention_days",
        deserialize_with = "between::<31, MAX_RETENTION_DAYS, _, _>"
    )]
    inbox_retention_days: u32,
    /// `UNSEEN_INBOX_RETENTION_DAYS`: for messages that were not seen, from when they were added.
    #[serde(
        default = "default_unseen_inbox_retention_days",
        deserialize_with = "between::<31, MAX_RETENTION_DAYS, _, _>"
    )]
    unseen_inbox_retention_days: u32,
}

impl InboxRetention {
    pub(crate) const fn handled(self) -> Duration {
        DAY.saturating_mul(self.inbox_retention_days)
    }

    pub(crate) const fn unseen(self) -> Duration {
        DAY.saturating_mul(self.unseen_inbox_retention_days)
    }
}

impl Default for InboxRetention {
    fn default() -> Self {
        Self {
            inbox_retention_days: default_inbox_retention_days(),
            unseen_inbox_retention_days: default_unseen_inbox_retention_days(),
        }
    }
}

const fn default_inbox_retention_days() -> u32 {
    180
}

const fn default_unseen_inbox_retention_days() -> u32 {
    365
}
