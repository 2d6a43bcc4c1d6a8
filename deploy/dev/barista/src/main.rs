//! Makes the orders of all stores through the store API, with a store credential. For development and tests.

mod pace;
mod store_api;
mod worker;

use std::{io::IsTerminal, process::ExitCode};

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

#[derive(Debug, Parser)]
#[command(
    name = "barista",
    about = "Makes the orders of all stores through the store API"
)]
struct Arguments {
    /// URL of the gateway.
    #[arg(long, env = "GATEWAY_ADDRESS", default_value = "http://127.0.0.1:7080")]
    gateway: String,
    /// Credential of the stores.
    #[arg(
        long,
        env = "DEV_STORE_CREDENTIAL",
        default_value = "store_dev_credential_for_the_simulator",
        hide_env_values = true
    )]
    credential: String,
    /// Names of stores that the simulator skips because people or tests make their orders, separated by semicolons. `Test *` means
    /// all names that begin with `Test `.
    #[arg(long, env = "BARISTA_SKIP_STORES", value_delimiter = ';')]
    skip_stores: Vec<String>,
    #[command(flatten)]
    pace: pace::Pace,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    tracing_subscriber::fmt()
        .compact()
        .with_ansi(std::io::stdout().is_terminal())
        .with_target(false)
        .with_env_filter(filter)
        .init();
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "stopped");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let api = store_api::StoreApi::new(arguments.gateway, arguments.credential)?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        () = worker::run(&api, &arguments.pace, &arguments.skip_stores) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
