//! Settings of this service, each with a default for development where one is safe.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use secrecy::SecretString;
use serde::Deserialize;

/// Where it listens and what it keeps.
#[derive(Debug, Deserialize)]
pub struct Config {
    /// The address served.
    #[serde(default = "listen")]
    pub listen: SocketAddr,
    /// Its own database.
    #[serde(default = "database")]
    pub accounts_database_url: SecretString,
    /// Keys the hashes of codes and phone numbers; at least 32 bytes.
    pub accounts_secret: SecretString,
}

/// How messages leave.
#[derive(Debug, Deserialize)]
pub struct Sending {
    /// Development: messages are appended to this file instead of being sent.
    #[serde(default)]
    pub sms_file: Option<PathBuf>,
    /// Production: the SMS provider's address that takes `{"to", "body"}`.
    #[serde(default)]
    pub sms_url: Option<String>,
    /// Its bearer token.
    #[serde(default)]
    pub sms_token: Option<SecretString>,
}

/// The rules that have a number (contract, "Numbers where the specification has none").
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// How long a code is good for.
    #[serde(default = "code_seconds")]
    pub sign_in_code_seconds: u64,
    /// When another may be asked for.
    #[serde(default = "resend_seconds")]
    pub sign_in_resend_seconds: u64,
    /// Tries at one code.
    #[serde(default = "tries_a_code")]
    pub sign_in_tries_a_code: i32,
    /// Tries at all codes of an account in an hour.
    #[serde(default = "tries_an_hour")]
    pub sign_in_tries_an_hour: i32,
    /// Codes sent to one number in an hour.
    #[serde(default = "codes_an_hour")]
    pub sign_in_codes_an_hour: i64,
    /// Codes sent to all numbers that share the first eight characters, in an hour.
    #[serde(default = "codes_a_prefix")]
    pub sign_in_codes_a_prefix_an_hour: i64,
    /// Codes sent to everybody in an hour.
    #[serde(default = "codes_in_all")]
    pub sign_in_codes_in_all_an_hour: i64,
    /// How long a session lasts from its last use.
    #[serde(default = "session_days")]
    pub session_days: u64,
}

impl Rules {
    /// How long a session lasts from its last use.
    #[must_use]
    pub const fn session(&self) -> Duration {
        Duration::from_secs(self.session_days * 86_400)
    }
}

fn listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7101))
}

fn database() -> SecretString {
    "postgres://orderahead@127.0.0.1:7132/accounts".into()
}

const fn code_seconds() -> u64 {
    600
}

const fn resend_seconds() -> u64 {
    30
}

const fn tries_a_code() -> i32 {
    5
}

const fn tries_an_hour() -> i32 {
    10
}

const fn codes_an_hour() -> i64 {
    6
}

const fn codes_a_prefix() -> i64 {
    2_000
}

const fn codes_in_all() -> i64 {
    20_000
}

const fn session_days() -> u64 {
    90
}
