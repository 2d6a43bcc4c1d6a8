//! Carts, prices, orders and the queue that stores work from. This file only wires the parts.

pub mod clients;
pub mod config;
pub mod consumers;
mod convert;
pub mod db;
pub mod domain;
mod errors;
mod grpc;
pub mod ops;
mod workers;

use std::sync::Arc;

use callers::Caller;
use clap::{Parser, Subcommand};
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use proto::ordering::v1::ordering_server::OrderingServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

use crate::{
    clients::Clients,
    config::{ReceiptConfig, Rules},
    domain::receipt::ReceiptKeys,
};

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// The context of every operation, passed as `cx`.
#[derive(Debug, Clone)]
pub struct Ordering {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    pub clients: Clients,
    pub rules: Rules,
    pub receipt_keys: ReceiptKeys,
    /// Runs tasks that shutdown waits for.
    pub process: Process,
}

#[derive(Parser)]
#[command(name = "ordering", about = "Carts, prices and orders")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until the process is stopped.
    Serve,
    /// Run the database migrations.
    Migrate,
    /// Does nothing: orders are created by consumers.
    Seed,
}

/// Runs the command of the command line.
///
/// # Errors
/// A setting is invalid, or the process is stopped before its dependencies are available.
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
    let receipt_keys = process.source.read::<ReceiptConfig>()?.keys()?;
    let pool = kit::postgres::connect(&process, &config.ordering_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    let cx = Ordering {
        pool: pool.clone(),
        clock: Arc::new(SystemClock),
        clients,
        rules,
        receipt_keys,
        process: process.clone(),
    };
    kit::messaging::start(
        &process,
        &pool,
        Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))),
    )?;
    kit::prune::start(&process, &pool);
    workers::start(&cx);
    let service = OrderingServer::new(grpc::Grpc(cx));
    kit::grpc::Server::<Caller>::new(&process, &key, pool, proto::DESCRIPTORS)?
        .add_service(service)
        .serve(config.listen)
        .await
}
