//! Ordering: carts, prices, orders and their life, the queue that stores work from. Wiring only.

pub mod clients;
pub mod config;
pub mod consumers;
mod convert;
pub mod db;
pub mod domain;
mod grpc;
pub mod ops;
pub mod workers;

use std::sync::Arc;

use clap::{Parser, Subcommand};
use callers::Caller;
use kit::{caller::CallerKey, lifecycle::Process};
use proto::ordering::v1::ordering_server::OrderingServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

use crate::{clients::Clients, config::Rules};

/// This service's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// What every operation needs.
#[derive(Debug, Clone)]
pub struct Ordering {
    /// Its own database.
    pub pool: PgPool,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The other services.
    pub clients: Clients,
    /// The rules that have a number.
    pub rules: Rules,
    /// Where work that must finish runs.
    pub process: Process,
}

#[derive(Parser)]
#[command(name = "ordering", about = "Carts, prices, orders and their life")]
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
    /// There is nothing to seed: orders come from consumers.
    Seed,
}

/// Runs the command that the program was started with.
///
/// # Errors
/// A bad setting, or what the command needs stays away until it is told to stop.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let config: config::Config = process.source.read()?;
    match arguments.command {
        Command::Serve => serve(process, config).await,
        Command::Migrate => {
            kit::postgres::migrate(&process, &config.ordering_database_url, &[&MIGRATOR]).await
        }
        Command::Seed => Ok(()),
    }
}

async fn serve(process: Process, config: config::Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let rules: Rules = process.source.read()?;
    let clients = Clients::new(&config, &key)?;
    let pool = kit::postgres::connect(&process, &config.ordering_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    let cx = Ordering {
        pool: pool.clone(),
        clock: Arc::new(SystemClock),
        clients,
        rules,
        process: process.clone(),
    };
    kit::messaging::start(
        &process,
        &pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))))?;
    kit::prune::start(&process, &pool);
    workers::start(&cx);
    let service = OrderingServer::new(grpc::Grpc(cx));
    kit::grpc::Server::<Caller>::new(&process, key, pool, proto::DESCRIPTORS)?
        .add_service(service)
        .serve(config.listen)
        .await
}
