//! Stored value: JoePass balances in a ledger, and holds of orders on them.

mod config;
pub mod consumers;
mod convert;
mod db;
mod domain;
pub mod grpc;
pub mod ops;

use std::sync::Arc;

use callers::Caller;
use clap::Parser;
use kit::{caller::CallerKey, lifecycle::Process};
use ledger::audit_worker;
use proto::giftcards::v1::gift_cards_server::GiftCardsServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

pub use db::accounts;

/// The migrations of the ledger and of this service, in order.
pub const MIGRATORS: &[&Migrator] = &[&ledger::MIGRATOR, &MIGRATOR];

static MIGRATOR: Migrator = sqlx::migrate!();

/// Dependencies shared by the operations.
#[derive(Debug, Clone)]
pub struct GiftCards {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
}

/// Stored value: JoePass balances and holds of orders on them.
#[derive(Debug, Parser)]
enum Command {
    /// Serves gRPC and consumes events.
    Serve,
    /// Migrates the database.
    Migrate,
    /// Gives the demo consumer a balance. Can be repeated.
    Seed,
}

/// Runs the command given on the command line.
///
/// # Errors
/// If a setting is invalid, or the database or the server fails at startup.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let command = Command::parse();
    let storage: config::Storage = process.source.read()?;
    if let Command::Migrate = command {
        return kit::postgres::migrate(&process, &storage.gift_cards_database_url, MIGRATORS).await;
    }
    let pool = kit::postgres::connect(&process, &storage.gift_cards_database_url).await?;
    kit::postgres::require_schema(&process, &pool, MIGRATORS).await?;
    let cx = GiftCards {
        pool,
        clock: Arc::new(SystemClock),
    };
    if let Command::Seed = command {
        return Ok(ops::seed::seed(&cx).await?);
    }
    serve(&process, cx).await
}

async fn serve(process: &Process, cx: GiftCards) -> anyhow::Result<()> {
    let serving: config::Serving = process.source.read()?;
    let key = CallerKey::from_config(&process.source)?;
    kit::messaging::start(
        process,
        &cx.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))),
    )?;
    kit::prune::start(process, &cx.pool);
    audit_worker::start(process, &cx.pool, serving.audit_interval());
    kit::grpc::Server::<Caller>::new(process, &key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(GiftCardsServer::new(grpc::Grpc(cx)))
        .serve(serving.listen)
        .await
}
