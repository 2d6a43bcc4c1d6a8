//! Points in a ledger, promo codes with the claims of orders on them, offers, challenges, invitations, landing pages and
//! the inbox.

mod config;
pub mod consumers;
mod convert;
mod db;
mod domain;
pub mod grpc;
pub mod ops;
mod workers;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use callers::Caller;
use clap::Parser;
use jiff::tz::TimeZone;
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use ledger::audit_worker;
use order_records::Service;
use proto::rewards::v1::rewards_server::RewardsServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, SystemClock};

pub use config::{InboxRetention, Rules};

use crate::config::Config;

/// The migrations of the ledger and of this service, in order.
pub const MIGRATORS: &[&Migrator] = &[&ledger::MIGRATOR, &MIGRATOR];

static MIGRATOR: Migrator = sqlx::migrate!();

const TOPOLOGY: Topology = Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS);

/// Dependencies shared by the operations.
#[derive(Debug, Clone)]
pub struct Rewards {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    /// Determines the day of offers if the store is unknown.
    pub default_time_zone: TimeZone,
    pub rules: Rules,
    pub retention: InboxRetention,
}

/// Points, promo codes, offers, challenges, invitations, landing pages and the inbox.
#[derive(Debug, Parser)]
enum Command {
    /// Serve gRPC and consume events.
    Serve,
    /// Apply the database migrations.
    Migrate,
    /// Import the catalogs of `deploy/seed`, and write the demo consumer's points and welcome message. Can be repeated.
    Seed,
    /// Import promo codes, reward tiers, offers, challenges, landing pages and messages from a TOML file. Nothing is imported if the
    /// file has an error.
    Import { file: PathBuf },
    /// Audit the whole ledger, and fail if it is inconsistent.
    Audit,
    /// Publish unrouted events of all services again: their consumer's queue was missing when they were published.
    ReplayUnrouted,
    /// Move the dead letters of a service back to its queue, after their cause is repaired.
    ReplayDeadLetters {
        /// For example `ordering`.
        service: String,
    },
}

/// Runs the command given on the command line.
///
/// # Errors
/// If a setting is invalid, or the command fails.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let command = Command::parse();
    let config: Config = process.source.read()?;
    match command {
        Command::Serve => {
            let cx = connect(&process, &config).await?;
            serve(&process, &config, cx).await
        }
        Command::Migrate => kit::postgres::migrate(&process, &config.rewards_database_url, MIGRATORS).await,
        Command::Seed => {
            kit::demo_data::require_allowed(&process)?;
            ops::seed::seed(&connect(&process, &config).await?).await
        }
        Command::Import { file } => import(&connect_command(&process, &config).await?, &file).await,
        Command::Audit => ops::audit::audit(&connect_command(&process, &config).await?).await,
        Command::ReplayUnrouted => kit::messaging::replay_unrouted(&process, TOPOLOGY)
            .await
            .map(drop),
        Command::ReplayDeadLetters { service } => {
            kit::messaging::replay_dead_letters(&process, TOPOLOGY, &service)
                .await
                .map(drop)
        }
    }
}

async fn connect(process: &Process, config: &Config) -> anyhow::Result<Rewards> {
    let rules = process.source.read::<Rules>()?;
    let retention = process.source.read::<InboxRetention>()?;
    let pool = kit::postgres::connect(process, &config.rewards_database_url).await?;
    kit::postgres::require_schema(process, &pool, MIGRATORS).await?;
    Ok(Rewards {
        pool,
        clock: Arc::new(SystemClock),
        default_time_zone: config.default_time_zone()?,
        rules,
        retention,
    })
}

/// Connects for a command of an operator.
async fn connect_command(process: &Process, config: &Config) -> anyhow::Result<Rewards> {
    kit::postgres::limit_command_wait(process, connect(process, config)).await
}

async fn import(cx: &Rewards, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let entries = ops::import_catalog::import_catalog(cx, &text)
        .await
        .with_context(|| file.display().to_string())?;
    tracing::info!(entries, file = %file.display(), "imported");
    Ok(())
}

async fn serve(process: &Process, config: &Config, cx: Rewards) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let consumers = Arc::new(consumers::Consumers(cx.clone()));
    kit::messaging::start(process, &cx.pool, TOPOLOGY, Some(consumers))?;
    kit::prune::start(process, &cx.pool);
    workers::prune::start(process, &cx);
    audit_worker::start(process, &cx.pool, config.audit_interval(), ops::audit::RULES);
    kit::grpc::Server::<Caller>::new(process, &key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(order_records::server(Service::Rewards, cx.pool.clone()))
        .add_service(RewardsServer::new(grpc::Grpc(cx)))
        .serve(config.listen)
        .await
}
