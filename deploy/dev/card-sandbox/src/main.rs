//! Runs the card provider's sandbox until SIGTERM or SIGINT.

use std::{io::IsTerminal, process::ExitCode};

use anyhow::Context as _;
use card_sandbox::config::Config;
use clap::Parser;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> ExitCode {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_ansi(std::io::stdout().is_terminal())
        .with_env_filter(filter);
    if std::env::var("LOG_FORMAT").is_ok_and(|format| format == "json") {
        log.json().init();
    } else {
        log.init();
    }
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<()> {
    let config = Config::parse();
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on LISTEN={}", config.listen))?;
    card_sandbox::serve(config, listener, card_sandbox::shutdown_signal()).await
}
