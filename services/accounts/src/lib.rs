//! Accounts: sign-in codes, sessions and profiles of consumers.

pub mod clients;
pub mod config;
mod convert;
mod db;
pub mod domain;
mod grpc;
pub mod ops;
mod seed;
pub mod sender;
pub mod workers;

use std::sync::Arc;

use callers::Caller;
use clap::{Parser, Subcommand};
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use proto::{accounts::v1::accounts_server::AccountsServer, topology};
use sqlx::{PgPool, migrate::Migrator};
use tokio::sync::Semaphore;
use types::{Clock, SystemClock, limits::MAX_PHOTO_BYTES};

use crate::{
    clients::{ordering::Ordering, photo_store::PhotoStore, session_cache::SessionCache},
    config::{Config, Rules, SenderConfig, SignInConfig},
    domain::{
        phone::{self, Countries},
        secret::{AppKey, Secret},
        sign_in::DemoLogin,
    },
};

/// A photo and the other fields of its request.
const MAX_REQUEST_BYTES: usize = MAX_PHOTO_BYTES + 4_096;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Dependencies of every operation.
#[derive(Debug, Clone)]
pub struct Accounts {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    pub secret: Secret,
    pub rules: Rules,
    pub countries: Countries,
    pub demo_login: Option<DemoLogin>,
    pub session_cache: SessionCache,
    pub ordering: Ordering,
    pub app_key: Option<AppKey>,
    pub photos: PhotoStore,
    /// Number of photos that may be decoded at the same time.
    pub photo_decoding: Arc<Semaphore>,
}

#[derive(Parser)]
#[command(
    name = "accounts",
    about = "Sign-in codes, sessions and profiles of consumers"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until SIGTERM or SIGINT.
    Serve,
    /// Run the database migrations.
    Migrate,
    /// Add the demo consumer for development.
    Seed,
}

/// Runs the command given on the command line.
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
    let sender = sender::from_config(process.source.read::<SenderConfig>()?)?;
    let sign_in: SignInConfig = process.source.read()?;
    tokio::task::spawn_blocking(phone::load_metadata).await?;
    let countries = sign_in.countries()?;
    let demo_login = sign_in.demo_login(&countries)?;
    if demo_login.is_some() {
        tracing::warn!("the demo login is on: DEMO_LOGIN_PHONE signs in with a fixed code");
    }
    let secret = Secret::new(&config.accounts_secret)?;
    let pool = kit::postgres::connect(&process, &config.accounts_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    let cx = Accounts {
        pool: pool.clone(),
        clock: Arc::new(SystemClock),
        secret,
        rules,
        countries,
        demo_login,
        session_cache: SessionCache::new(&config.redis_url)?,
        ordering: Ordering::new(&config.ordering_address, &key)?,
        app_key: AppKey::from_setting(config.native_app_key.as_ref())?,
        photos: PhotoStore::in_folder(config.photo_folder)?,
        photo_decoding: Arc::new(Semaphore::new(1)),
    };
    let topology = Topology::new(topology::PREFIX, topology::CONSUMERS);
    kit::messaging::start(&process, &pool, topology, None)?;
    kit::prune::start(&process, &pool);
    workers::start(&process, &cx, &sender);
    kit::grpc::Server::<Caller>::new(&process, &key, pool, proto::DESCRIPTORS)?
        .add_service(AccountsServer::new(grpc::Grpc(cx)).max_decoding_message_size(MAX_REQUEST_BYTES))
        .serve(config.listen)
        .await
}
