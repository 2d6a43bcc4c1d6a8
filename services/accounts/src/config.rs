//! Settings of this service.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use secrecy::SecretString;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Config {
    #[serde(default = "default_listen")]
    pub listen: SocketAddr,
    #[serde(default = "default_database_url")]
    pub accounts_database_url: SecretString,
    /// Key for the hashes of codes, device ids and phone numbers; at least 32 bytes.
    pub accounts_secret: SecretString,
}

/// Selects the message sender: `sms_file` or `sms_url`.
#[derive(Debug, Deserialize)]
pub struct SenderConfig {
    /// In development: file that messages are appended to instead of being sent.
    #[serde(default)]
    pub sms_file: Option<PathBuf>,
    /// URL of the SMS provider, which accepts `{"to", "body"}`.
    #[serde(default)]
    pub sms_url: Option<String>,
    /// Bearer token for the SMS provider.
    #[serde(default)]
    pub sms_token: Option<SecretString>,
}

/// Limits on codes, attempts and sessions.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// Lifetime of a code.
    #[serde(default = "default_code_seconds")]
    pub sign_in_code_seconds: u64,
    /// Time between two codes to one number.
    #[serde(default = "default_resend_seconds")]
    pub sign_in_resend_seconds: u64,
    #[serde(default = "default_attempts_per_code")]
    pub sign_in_attempts_per_code: i32,
    /// Attempts per account, over all its codes.
    #[serde(default = "default_attempts_per_hour")]
    pub sign_in_attempts_per_hour: i32,
    /// Codes sent to one number.
    #[serde(default = "default_codes_per_hour")]
    pub sign_in_codes_per_hour: i64,
    /// Codes sent to all numbers with the same first eight characters.
    #[serde(default = "default_codes_per_prefix")]
    pub sign_in_codes_per_prefix_per_hour: i64,
    /// Codes sent to all numbers.
    #[serde(default = "default_codes_in_total")]
    pub sign_in_codes_in_total_per_hour: i64,
    /// Lifetime of a session since its last use.
    #[serde(default = "default_session_days")]
    pub session_days: u64,
}

impl Rules {
    pub(crate) const fn code_lifetime(&self) -> Duration {
        Duration::from_secs(self.sign_in_code_seconds)
    }

    pub(crate) const fn resend_interval(&self) -> Duration {
        Duration::from_secs(self.sign_in_resend_seconds)
    }

    pub(crate) const fn session_lifetime(&self) -> Duration {
        Duration::from_secs(self.session_days * 86_400)
    }
}

fn default_listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7101))
}

fn default_database_url() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/accounts".into()
}

const fn default_code_seconds() -> u64 {
    600
}

const fn default_resend_seconds() -> u64 {
    30
}

const fn default_attempts_per_code() -> i32 {
    5
}

const fn default_attempts_per_hour() -> i32 {
    10
}

const fn default_codes_per_hour() -> i64 {
    6
}

const fn default_codes_per_prefix() -> i64 {
    2_000
}

const fn default_codes_in_total() -> i64 {
    20_000
}

const fn default_session_days() -> u64 {
    90
}
