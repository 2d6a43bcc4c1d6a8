//! Accounts: who the consumer is. Wiring only.

pub mod config;
pub mod db;
pub mod domain;
mod grpc;
pub mod ops;
mod seed;
pub mod sender;
pub mod workers;

use std::sync::Arc;

use callers::Caller;
use clap::{Parser, Subcommand};
use kit::{caller::CallerKey, lifecycle::Process};
use proto::accounts::v1::accounts_server::AccountsServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

use crate::{
    config::{Config, Rules, Sending},
    domain::secret::Secret,
};

/// This service's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// What every operation needs.
#[derive(Debug, Clone)]
pub struct Accounts {
    /// Its own database.
    pub pool: PgPool,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Keys the hashes.
    pub secret: Secret,
    /// The rules that have a number.
    pub rules: Rules,
}

#[derive(Parser)]
#[command(name = "accounts", about = "Who the consumer is")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until told to stop.
    Serve,
    /// Bring the database up to date.
    Migrate,
    /// Add the demo consumer of development.
    Seed,
}

/// Runs the command that the program was started with.
///
/// # Errors
/// A bad setting, or what the command needs stays away until it is told to stop.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let config: Config = process.source.read()?;
    let url = &config.accounts_database_url;
    match arguments.command {
        Command::Serve => serve(process, config).await,
        Command::Migrate => kit::postgres::migrate(&process, url, &[&MIGRATOR]).await,
        Command::Seed => {
            let pool = kit::postgres::connect(&process, url).await?;
            seed::seed(&pool, SystemClock.now()).await
        }
    }
}

async fn serve(process: Process, config: Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let rules: Rules = process.source.read()?;
    let sending: Sending = process.source.read()?;
    let sender = sender::from_config(sending)?;
    let secret = Secret::new(&config.accounts_secret)?;
    let pool = kit::postgres::connect(&process, &config.accounts_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    let cx = Accounts {
        pool: pool.clone(),
        clock: Arc::new(SystemClock),
        secret,
        rules,
    };
    kit::messaging::start(
        &process,
        &pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        None,
    )?;
    kit::prune::start(&process, &pool);
    workers::start(&process, &cx, sender);
    let service = AccountsServer::new(grpc::Grpc(cx));
    kit::grpc::Server::<Caller>::new(&process, key, pool, proto::DESCRIPTORS)?
        .add_service(service)
        .serve(config.listen)
        .await
}
