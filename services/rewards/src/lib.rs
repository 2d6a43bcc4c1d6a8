//! Points on a ledger, promo codes and the claims of orders on them, and the inbox.

pub mod config;
pub mod consumers;
mod convert;
mod db;
pub mod domain;
pub mod grpc;
pub mod ops;

use std::{sync::Arc, time::Duration};

use clap::Parser;
use callers::Caller;
use kit::{caller::CallerKey, lifecycle::Process};
use proto::rewards::v1::rewards_server::RewardsServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

/// This service's own tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Everything that its database needs, in order.
pub const MIGRATORS: &[&Migrator] = &[&ledger::MIGRATOR, &MIGRATOR];

/// What its operations work with.
#[derive(Debug, Clone)]
pub struct Rewards {
    /// Its database.
    pub pool: PgPool,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// What points are given for.
    pub rules: config::Rules,
}

/// Points, promos and the inbox.
#[derive(Debug, Parser)]
enum Command {
    /// Serves gRPC and consumes events.
    Serve,
    /// Brings the database up to date.
    Migrate,
    /// Writes reward tiers, promo codes and what the demo consumer starts with; may be repeated.
    Seed,
}

/// Does what the command line says.
///
/// # Errors
/// A bad setting, or something needed at start that fails.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let command = Command::parse();
    let storage: config::Storage = process.source.read()?;
    if let Command::Migrate = command {
        return kit::postgres::migrate(&process, &storage.rewards_database_url, MIGRATORS).await;
    }
    let rules: config::Rules = process.source.read()?;
    anyhow::ensure!(
        (0..=1_000_000).contains(&rules.points_per_unit),
        "bad configuration: POINTS_PER_UNIT: expected 0 to 1000000"
    );
    let pool = kit::postgres::connect(&process, &storage.rewards_database_url).await?;
    kit::postgres::require_schema(&process, &pool, MIGRATORS).await?;
    let cx = Rewards {
        pool,
        clock: Arc::new(SystemClock),
        rules,
    };
    if let Command::Seed = command {
        return Ok(ops::seed::seed(&cx).await?);
    }
    serve(&process, cx).await
}

async fn serve(process: &Process, cx: Rewards) -> anyhow::Result<()> {
    let serving: config::Serving = process.source.read()?;
    let key = CallerKey::from_config(&process.source)?;
    kit::messaging::start(
        process,
        &cx.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))),
    )?;
    kit::prune::start(process, &cx.pool);
    process.spawn(ledger::watch(
        process.clone(),
        cx.pool.clone(),
        Duration::from_secs(serving.audit_every_seconds),
    ));
    kit::grpc::Server::<Caller>::new(process, key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(RewardsServer::new(grpc::Grpc(cx)))
        .serve(serving.listen)
        .await
}
