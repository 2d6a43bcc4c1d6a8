//! Everything that can be set, from the command line or the environment, with defaults for development.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;

/// A stateful stand-in for the card provider: the same HTTP API for the calls that Order Ahead uses.
#[derive(Debug, Clone, Parser)]
#[command(name = "card-sandbox", version)]
pub struct Config {
    /// Where to listen.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:7190")]
    pub listen: SocketAddr,

    /// Directory of the journal from which the state is rebuilt; without this the state lives in memory only.
    #[arg(long, env = "CARD_SANDBOX_DATA", num_args = 0..=1, default_missing_value = ".run/card-sandbox")]
    pub data: Option<PathBuf>,

    /// Where browsers reach the sandbox, if not at the address it listens on.
    #[arg(long, env = "CARD_SANDBOX_PUBLIC_URL")]
    pub public_url: Option<String>,

    /// The key that servers authenticate with.
    #[arg(
        long,
        env = "PROVIDER_SECRET_KEY",
        default_value = "sk_test_orderahead",
        hide_env_values = true
    )]
    pub secret_key: String,

    /// The key that browsers authenticate with; it can create payment methods and confirm with a client secret.
    #[arg(long, env = "PROVIDER_PUBLISHABLE_KEY", default_value = "pk_test_orderahead")]
    pub publishable_key: String,

    /// The secret that webhooks are signed with.
    #[arg(
        long,
        env = "PROVIDER_WEBHOOK_SECRET",
        default_value = "whsec_orderahead_development",
        hide_env_values = true
    )]
    pub webhook_secret: String,

    /// Where webhooks are delivered; empty turns them off.
    #[arg(
        long,
        env = "PROVIDER_WEBHOOK_URL",
        default_value = "http://127.0.0.1:7080/webhooks/payments"
    )]
    pub webhook_url: String,

    /// The wait before the second delivery of a webhook, in milliseconds; it doubles up to a minute.
    #[arg(long, env = "CARD_SANDBOX_WEBHOOK_BACKOFF_MS", default_value_t = 500)]
    pub webhook_backoff_ms: u64,

    /// How long a bank debit, or the refund of one, stays in processing, in milliseconds.
    #[arg(long, env = "CARD_SANDBOX_SETTLE_AFTER_MS", default_value_t = 5_000)]
    pub settle_after_ms: i64,

    /// Makes ids repeatable from a fresh start; random where it is not given.
    #[arg(long, env = "CARD_SANDBOX_SEED")]
    pub seed: Option<u64>,
}
