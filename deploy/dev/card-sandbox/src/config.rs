//! Settings from the command line or the environment, with defaults for development.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;

/// A stateful stand-in for the card provider, with the calls of its HTTP API that Order Ahead uses.
#[derive(Debug, Clone, Parser)]
#[command(name = "card-sandbox", version)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:7190")]
    pub listen: SocketAddr,

    /// Directory of the journal from which the state is restored. Without it, the state is only in memory.
    #[arg(long, env = "CARD_SANDBOX_DATA", num_args = 0..=1, default_missing_value = ".run/card-sandbox")]
    pub data: Option<PathBuf>,

    /// URL under which browsers reach the sandbox, if not the listen address.
    #[arg(long, env = "CARD_SANDBOX_PUBLIC_URL")]
    pub public_url: Option<String>,

    /// API key of servers.
    #[arg(
        long,
        env = "PROVIDER_SECRET_KEY",
        default_value = "sk_test_orderahead",
        hide_env_values = true
    )]
    pub secret_key: String,

    /// API key of browsers. It can create payment methods and confirm intents with a client secret.
    #[arg(long, env = "PROVIDER_PUBLISHABLE_KEY", default_value = "pk_test_orderahead")]
    pub publishable_key: String,

    /// Secret that signs webhooks.
    #[arg(
        long,
        env = "PROVIDER_WEBHOOK_SECRET",
        default_value = "whsec_orderahead_development",
        hide_env_values = true
    )]
    pub webhook_secret: String,

    /// URL that receives webhooks. An empty URL disables them.
    #[arg(
        long,
        env = "PROVIDER_WEBHOOK_URL",
        default_value = "http://127.0.0.1:7080/webhooks/payments"
    )]
    pub webhook_url: String,

    /// Milliseconds before the second attempt to deliver a webhook. Doubles after each attempt, up to a minute.
    #[arg(long, env = "CARD_SANDBOX_WEBHOOK_BACKOFF_MS", default_value_t = 500)]
    pub webhook_backoff_ms: u64,

    /// Milliseconds that a bank debit, or the refund of one, stays in processing.
    #[arg(long, env = "CARD_SANDBOX_SETTLE_AFTER_MS", default_value_t = 5_000)]
    pub settle_after_ms: i64,

    /// Seed of the ids, to make them repeatable. Random by default.
    #[arg(long, env = "CARD_SANDBOX_SEED")]
    pub seed: Option<u64>,
}
