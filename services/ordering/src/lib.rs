//! Carts, prices, orders and the queue that stores work from. This file only wires the parts.

mod client_secrets;
pub mod clients;
pub mod config;
pub mod consumers;
mod convert;
pub mod db;
pub mod domain;
mod errors;
mod grpc;
pub mod ops;
mod refund_command;
pub mod workers;

use std::sync::Arc;

use callers::Caller;
use clap::{Parser, Subcommand};
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use proto::ordering::v1::ordering_server::OrderingServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, OrderId, SystemClock};

use crate::{
    clients::Clients,
    config::{ReceiptConfig, Rules},
    domain::{receipt::ReceiptKeys, refund::parse_refund_id},
    ops::{audit_money::MoneyAudit, refund_order::RefundOrder},
};

pub use client_secrets::ClientSecrets;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// The context of every operation, passed as `cx`.
#[derive(Debug, Clone)]
pub struct Ordering {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    pub clients: Clients,
    pub rules: Rules,
    pub receipt_keys: ReceiptKeys,
    pub client_secrets: ClientSecrets,
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
    /// Serve gRPC, consume events and recover orders.
    Serve,
    /// Apply the database migrations.
    Migrate,
    /// Do nothing: orders are created by consumers.
    Seed,
    /// Compare all orders with their charges and holds, and exit with an error if there are differences.
    Audit,
    /// Refund a part of a completed order: to the card first, then to stored value.
    Refund {
        order_id: OrderId,
        /// In the smallest unit of the currency: cents.
        amount: i64,
        /// Your id of this refund: up to 64 characters in one line. A repeated command with the same id refunds nothing more.
        #[arg(value_parser = parse_refund_id)]
        refund_id: String,
    },
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
        Command::Audit => {
            kit::audit::run_command(&MoneyAudit(connect_command(process, &config).await?)).await
        }
        Command::Refund {
            order_id,
            amount,
            refund_id,
        } => {
            let command = RefundOrder {
                order_id,
                refund_id,
                minor_units: amount,
            };
            refund_command::run(&connect_command(process, &config).await?, command).await
        }
    }
}

async fn serve(process: Process, config: config::Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let cx = connect(process.clone(), &config).await?;
    let pool = cx.pool.clone();
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

/// Connects for a command of an operator.
async fn connect_command(process: Process, config: &config::Config) -> anyhow::Result<Ordering> {
    kit::postgres::limit_command_wait(&process.clone(), connect(process, config)).await
}

async fn connect(process: Process, config: &config::Config) -> anyhow::Result<Ordering> {
    let key = CallerKey::from_config(&process.source)?;
    let pool = kit::postgres::connect(&process, &config.ordering_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    Ok(Ordering {
        pool,
        clock: Arc::new(SystemClock),
        clients: Clients::new(config, &key)?,
        rules: process.source.read()?,
        receipt_keys: process.source.read::<ReceiptConfig>()?.keys()?,
        client_secrets: ClientSecrets::default(),
        process,
    })
}
