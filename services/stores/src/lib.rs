//! Wiring: configuration to pool, gRPC, relay, consumers and workers.

mod config;
mod consumers;
mod convert;
pub mod db;
pub mod domain;
mod grpc;
mod menus;
pub mod ops;
mod workers;

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use clap::{Parser, Subcommand};
use callers::Caller;
use kit::{caller::CallerKey, lifecycle::Process};
use proto::stores::v1::stores_server::StoresServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, StoreId, SystemClock};

pub use consumers::Consumers;
pub use grpc::Grpc;

use crate::{config::Config, domain::geo::Position, menus::Menus};

/// The schema of this service's own tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// What the operations work with.
#[derive(Debug)]
pub struct Stores {
    /// The service's own database.
    pub pool: PgPool,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where a consumer is taken to be who does not say.
    pub usual_position: Position,
    menus: Menus,
}

impl Stores {
    /// What the operations work with.
    #[must_use]
    pub fn new(pool: PgPool, clock: Arc<dyn Clock>, usual_position: Position) -> Self {
        Self {
            pool,
            clock,
            usual_position,
            menus: Menus::default(),
        }
    }
}

#[derive(Debug, Parser)]
#[command(
    name = "stores",
    about = "Companies, stores, menus, and the minutes that a store can make drinks in"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answers calls until told to stop.
    Serve,
    /// Brings the database up to date.
    Migrate,
    /// Writes the companies, menus and stores of development; changes nothing the second time.
    Seed,
    /// Loads stores from a CSV file; known ones are brought up to date. Needs the companies of `seed`.
    Import {
        /// Columns `store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude`.
        file: PathBuf,
        /// Opening hours of stores that are new, local time, every day.
        #[arg(long, default_value = "05:00-21:00", value_parser = ops::import::parse_hours)]
        hours: domain::hours::Week,
    },
    /// Prints a new secret that a store's own systems sign in with. It is shown only this once.
    IssueCredential {
        /// Whose it is, for people.
        #[arg(long)]
        label: String,
        /// The stores that it speaks for.
        #[arg(required = true)]
        stores: Vec<StoreId>,
    },
}

/// Runs what the command line asks for.
///
/// # Errors
/// A bad setting, or whatever stopped it.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let cli = Cli::parse();
    let config: Config = process.source.read()?;
    match cli.command {
        Command::Serve => serve(process, config).await,
        Command::Migrate => kit::postgres::migrate(&process, &config.stores_database_url, &[&MIGRATOR]).await,
        Command::Seed => {
            ops::seed::seed(&ready(&process, &config).await?, &config.dev_store_credential).await
        }
        Command::Import { file, hours } => {
            ops::import::import_file(&ready(&process, &config).await?, &file, &hours)
                .await
                .with_context(|| format!("cannot import {}", file.display()))
        }
        Command::IssueCredential { label, stores } => {
            ops::issue_credential::print(&ready(&process, &config).await?, &label, stores).await
        }
    }
}

async fn ready(process: &Process, config: &Config) -> anyhow::Result<Stores> {
    let pool = kit::postgres::connect(process, &config.stores_database_url).await?;
    kit::postgres::require_schema(process, &pool, &[&MIGRATOR]).await?;
    let position = Position::new(config.usual_latitude, config.usual_longitude)
        .context("bad configuration: USUAL_LATITUDE, USUAL_LONGITUDE")?;
    Ok(Stores::new(pool, Arc::new(SystemClock), position))
}

async fn serve(process: Process, config: Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let stores = Arc::new(ready(&process, &config).await?);
    kit::messaging::start(
        &process,
        &stores.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(Consumers::new(Arc::clone(&stores)))),
    )?;
    kit::prune::start(&process, &stores.pool);
    process.spawn(workers::prune::run(process.clone(), Arc::clone(&stores)));
    kit::grpc::Server::<Caller>::new(&process, key, stores.pool.clone(), proto::DESCRIPTORS)?
        .add_service(StoresServer::new(Grpc::new(stores)))
        .serve(config.listen)
        .await
}
