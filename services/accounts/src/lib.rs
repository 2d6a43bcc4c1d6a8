//! Accounts: sign-in codes, sessions, profiles and notifications of consumers.

pub mod clients;
pub mod config;
pub mod consumers;
mod convert;
mod db;
pub mod domain;
pub mod grpc;
pub mod ops;
mod seed;
pub mod sender;
pub mod workers;

use std::sync::Arc;

use callers::Caller;
use clap::{Parser, Subcommand};
use contacts::Countries;
use jiff::tz::TimeZone;
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use proto::{accounts::v1::accounts_server::AccountsServer, topology};
use sqlx::{PgPool, migrate::Migrator};
use tokio::sync::Semaphore;
use types::{Clock, SystemClock, limits::MAX_PHOTO_BYTES};

use crate::{
    clients::{ordering::Ordering, photo_store::PhotoStore, session_cache::SessionCache},
    config::{Config, NotificationConfig, PhotoConfig, Rules, SenderConfig, SignInConfig},
    domain::{
        push::PushHosts,
        secret::{AppKey, Secret},
        sign_in::DemoLogin,
    },
    sender::Senders,
};

/// A photo and the other fields of its request.
const MAX_REQUEST_BYTES: usize = MAX_PHOTO_BYTES + 4_096;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// What operations need to know about the channels for notifications.
#[derive(Debug, Clone)]
pub struct NotificationRules {
    pub push_hosts: PushHosts,
    /// Key with which browsers register; empty if they cannot.
    pub push_key: String,
    pub has_push: bool,
    pub has_email: bool,
    /// Of the web app, without a slash at the end.
    pub origin: String,
    /// For consumers who did not report a zone.
    pub default_time_zone: TimeZone,
}

impl NotificationRules {
    /// # Errors
    /// The time zone is unknown.
    pub fn new(config: &NotificationConfig, senders: &Senders) -> anyhow::Result<Self> {
        Ok(Self {
            push_hosts: PushHosts::parse(&config.push_hosts),
            push_key: senders.push_key().to_owned(),
            has_push: senders.has_push(),
            has_email: senders.has_email(),
            origin: config.public_origin().to_owned(),
            default_time_zone: config.default_time_zone()?,
        })
    }

    /// Returns the consumer's zone. `name` is empty if they did not report one.
    fn zone_of(&self, name: &str) -> TimeZone {
        TimeZone::get(name).unwrap_or_else(|_| self.default_time_zone.clone())
    }
}

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
    /// Number of uploaded photos that may be decoded or wait for it.
    pub photo_uploads: Arc<Semaphore>,
    pub notifications: NotificationRules,
}

/// Eight uploads with their copies take 130 MB.
pub const MAX_PHOTO_UPLOADS: usize = 8;

#[derive(Parser)]
#[command(
    name = "accounts",
    about = "Sign-in codes, sessions, profiles and notifications of consumers"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve gRPC, consume events and send notifications.
    Serve,
    /// Apply the database migrations.
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
            kit::demo_data::require_allowed(&process)?;
            let pool = kit::postgres::connect(&process, url).await?;
            seed::seed(&pool, SystemClock.now()).await
        }
    }
}

async fn serve(process: Process, config: Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let rules: Rules = process.source.read()?;
    let messages = sender::from_config(process.source.read::<SenderConfig>()?)?;
    let notification_config: NotificationConfig = process.source.read()?;
    let senders = Arc::new(Senders::new(messages, &notification_config)?);
    let sign_in: SignInConfig = process.source.read()?;
    tokio::task::spawn_blocking(contacts::load_metadata).await?;
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
        photos: PhotoStore::from_config(&process.source.read::<PhotoConfig>()?)?,
        photo_decoding: Arc::new(Semaphore::new(1)),
        photo_uploads: Arc::new(Semaphore::new(MAX_PHOTO_UPLOADS)),
        notifications: NotificationRules::new(&notification_config, &senders)?,
    };
    let topology = Topology::new(topology::PREFIX, topology::CONSUMERS);
    let consumers = Arc::new(consumers::Consumers(cx.clone()));
    kit::messaging::start(&process, &pool, topology, Some(consumers))?;
    kit::prune::start(&process, &pool);
    workers::start(&process, &cx, &senders);
    kit::grpc::Server::<Caller>::new(&process, &key, pool, proto::DESCRIPTORS)?
        .add_service(AccountsServer::new(grpc::Grpc(cx)).max_decoding_message_size(MAX_REQUEST_BYTES))
        .serve(config.listen)
        .await
}
