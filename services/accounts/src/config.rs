//! Settings of this service.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use contacts::Countries;
use jiff::tz::TimeZone;
use kit::config::{DAY_IN_SECONDS, between, http_origins, http_url, optional_http_url};
use secrecy::SecretString;
use serde::Deserialize;

use crate::domain::sign_in::DemoLogin;

#[derive(Debug, Deserialize)]
pub struct Config {
    #[serde(default = "default_listen")]
    pub listen: SocketAddr,
    #[serde(default = "default_database_url")]
    pub accounts_database_url: SecretString,
    /// Key for the hashes of codes, device ids and phone numbers; at least 32 bytes.
    pub accounts_secret: SecretString,
    /// The session cache of the gateways.
    #[serde(default = "default_redis_url")]
    pub redis_url: SecretString,
    /// Addresses of ordering's replicas, separated by commas.
    #[serde(default = "default_ordering_address")]
    pub ordering_address: String,
    /// Key in the native app, with which its sessions are recognized; at least 32 bytes. Without a key there are none.
    #[serde(default)]
    pub native_app_key: Option<SecretString>,
}

/// Where the photos of consumers are stored.
#[derive(Debug, Deserialize)]
pub struct PhotoConfig {
    /// A folder that all replicas share. Not used with a bucket.
    #[serde(default = "default_photo_folder")]
    pub(crate) photo_folder: PathBuf,
    /// A bucket of S3 or a compatible service.
    #[serde(default)]
    pub(crate) photo_bucket: Option<String>,
    #[serde(default = "default_photo_bucket_region")]
    pub(crate) photo_bucket_region: String,
    /// Address of a service that is compatible with S3.
    #[serde(default, deserialize_with = "optional_http_url")]
    pub(crate) photo_bucket_url: Option<String>,
    /// Access key. Without one, the credentials of the machine or the container are used.
    #[serde(default)]
    pub(crate) photo_bucket_key_id: Option<String>,
    #[serde(default)]
    pub(crate) photo_bucket_key: Option<SecretString>,
}

#[derive(Debug, Deserialize)]
pub struct SignInConfig {
    /// Countries with sign-in by phone number, separated by commas. The first one applies to numbers without a country
    /// code.
    #[serde(default = "default_countries")]
    sign_in_countries: String,
    /// Phone number with a fixed code that is not sent, for reviewers of the app. Must not belong to a consumer.
    #[serde(default)]
    demo_login_phone: Option<String>,
    #[serde(default)]
    demo_login_code: Option<SecretString>,
}

impl SignInConfig {
    pub(crate) fn countries(&self) -> anyhow::Result<Countries> {
        Countries::parse(&self.sign_in_countries)
            .map_err(|error| anyhow::anyhow!("bad configuration: SIGN_IN_COUNTRIES: {error}"))
    }

    pub(crate) fn demo_login(&self, countries: &Countries) -> anyhow::Result<Option<DemoLogin>> {
        DemoLogin::from_settings(
            self.demo_login_phone.as_deref(),
            self.demo_login_code.as_ref(),
            countries,
        )
    }
}

/// Selects the message sender: `sms_file`, `sms_url` or `twilio_account_sid`.
#[derive(Debug, Deserialize)]
pub struct SenderConfig {
    /// In development: file that messages are appended to instead of being sent.
    #[serde(default)]
    pub sms_file: Option<PathBuf>,
    /// URL of the SMS provider, which accepts `{"to", "body"}`.
    #[serde(default, deserialize_with = "optional_http_url")]
    pub sms_url: Option<String>,
    /// Bearer token for the SMS provider.
    #[serde(default)]
    pub sms_token: Option<SecretString>,
    /// Twilio account.
    #[serde(default)]
    pub twilio_account_sid: Option<String>,
    #[serde(default)]
    pub twilio_auth_token: Option<SecretString>,
    /// The sender: a number in E.164, or the SID of a messaging service (`MG…`).
    #[serde(default)]
    pub twilio_from: Option<String>,
    #[serde(default = "default_twilio_url", deserialize_with = "http_url")]
    pub twilio_url: String,
}

/// Senders of notifications. A channel without a setting is not used.
#[derive(Debug, Clone, Deserialize)]
pub struct NotificationConfig {
    /// Key with which push services recognize this server (VAPID): 32 bytes in base64url. A new key makes the registrations
    /// of browsers invalid.
    #[serde(default)]
    pub(crate) vapid_private_key: Option<SecretString>,
    /// Contact for the operators of push services: a `mailto:` or `https:` URL. The public origin by default.
    #[serde(default)]
    pub(crate) vapid_subject: Option<String>,
    /// Hosts of the push services of browsers, separated by commas.
    #[serde(default = "default_push_hosts")]
    pub(crate) push_hosts: String,
    /// URL of the service that sends to the native app.
    #[serde(default, deserialize_with = "optional_http_url")]
    pub(crate) native_push_url: Option<String>,
    #[serde(default)]
    pub(crate) native_push_token: Option<SecretString>,
    /// In development: file to which pushes are appended that cannot be sent.
    #[serde(default)]
    pub(crate) push_file: Option<PathBuf>,
    /// For example `smtps://user:password@mail.example.com`.
    #[serde(default)]
    pub(crate) smtp_url: Option<SecretString>,
    /// For example `Order Ahead <orders@example.com>`.
    #[serde(default)]
    pub(crate) email_from: Option<String>,
    /// In development: file to which emails are appended.
    #[serde(default)]
    pub(crate) email_file: Option<PathBuf>,
    /// Origins of the web app, separated by commas. Links in notifications lead to the first one.
    #[serde(default = "default_public_origin", deserialize_with = "http_origins")]
    public_origin: Vec<String>,
    /// Determines the quiet hours of consumers who did not report a time zone.
    #[serde(default = "default_time_zone")]
    default_time_zone: String,
}

impl NotificationConfig {
    #[must_use]
    pub(crate) fn public_origin(&self) -> &str {
        self.public_origin.first().map_or("", String::as_str)
    }

    pub(crate) fn default_time_zone(&self) -> anyhow::Result<TimeZone> {
        TimeZone::get(&self.default_time_zone).map_err(|_| {
            anyhow::anyhow!(
                "bad configuration: DEFAULT_TIME_ZONE: expected a name such as America/Los_Angeles"
            )
        })
    }
}

/// Limits on codes, attempts and sessions.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rules {
    /// Lifetime of a code.
    #[serde(
        default = "default_code_seconds",
        deserialize_with = "between::<1, DAY_IN_SECONDS, _, _>"
    )]
    pub sign_in_code_seconds: u64,
    /// Minimum time between two codes to one number. Known devices are counted separately.
    #[serde(
        default = "default_resend_seconds",
        deserialize_with = "between::<0, DAY_IN_SECONDS, _, _>"
    )]
    pub sign_in_resend_seconds: u64,
    #[serde(default = "default_attempts_per_code")]
    pub sign_in_attempts_per_code: i32,
    /// Attempts per account, over all its codes. Known devices are counted separately.
    #[serde(default = "default_attempts_per_hour")]
    pub sign_in_attempts_per_hour: i64,
    /// Codes sent to one number. Known devices are counted separately.
    #[serde(default = "default_codes_per_hour")]
    pub sign_in_codes_per_hour: i64,
    /// Codes sent to all numbers with the same first eight characters. Known devices are exempt.
    #[serde(default = "default_codes_per_prefix")]
    pub sign_in_codes_per_prefix_per_hour: i64,
    /// Codes sent to all numbers. Known devices are exempt.
    #[serde(default = "default_codes_in_total")]
    pub sign_in_codes_in_total_per_hour: i64,
    /// Lifetime of a session since its last use.
    #[serde(
        default = "default_session_days",
        deserialize_with = "between::<1, 3_650, _, _>"
    )]
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

fn default_redis_url() -> SecretString {
    "redis://127.0.0.1:7179".into()
}

fn default_ordering_address() -> String {
    "http://127.0.0.1:7103".to_owned()
}

fn default_photo_folder() -> PathBuf {
    "target/photos".into()
}

fn default_push_hosts() -> String {
    "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com".to_owned()
}

fn default_public_origin() -> Vec<String> {
    vec!["http://127.0.0.1:7080".to_owned()]
}

fn default_time_zone() -> String {
    "America/Los_Angeles".to_owned()
}

fn default_photo_bucket_region() -> String {
    "us-east-1".to_owned()
}

fn default_countries() -> String {
    "US,CA".to_owned()
}

fn default_twilio_url() -> String {
    "https://api.twilio.com".to_owned()
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

const fn default_attempts_per_hour() -> i64 {
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
