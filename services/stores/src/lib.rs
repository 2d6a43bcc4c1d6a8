//! Wires configuration, database, gRPC, relay, consumers and workers.

mod config;
mod consumers;
mod convert;
mod credentials_command;
pub mod db;
pub mod domain;
mod grpc;
mod menu_cache;
mod not_found;
pub mod ops;
mod output;
mod recent_snapshots;
mod settings_grpc;
mod staff_grpc;
pub mod webhook_client;
mod webhooks_command;
pub mod workers;

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use callers::Caller;
use clap::{Parser, Subcommand};
use kit::{InternalError, caller::CallerKey, lifecycle::Process};
use order_records::Service;
use proto::stores::v1::{
    store_settings_server::StoreSettingsServer, store_staff_server::StoreStaffServer,
    stores_server::StoresServer,
};
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, StoreId, SystemClock};

pub use consumers::Consumers;
pub use grpc::Grpc;
pub use settings_grpc::SettingsGrpc;
pub use staff_grpc::StaffGrpc;

use crate::{
    config::{Config, WebhookConfig},
    credentials_command::CredentialsCommand,
    domain::{
        geo::Position,
        hours::WeeklyHours,
        staff::{Pin, StoreCode},
        webhook_keys::{SealedSecret, WebhookKeys},
        webhook_secret::WebhookSecret,
    },
    menu_cache::MenuCache,
    ops::{
        import_menus::import_files,
        import_stores::{ImportOptions, import_file},
    },
    recent_snapshots::RecentSnapshots,
    webhook_client::WebhookClient,
    webhooks_command::WebhooksCommand,
};

/// The tables of this service, without those of the kit.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Dependencies of the operations.
#[derive(Debug)]
pub struct Stores {
    pub(crate) pool: PgPool,
    pub(crate) clock: Arc<dyn Clock>,
    /// Position by which lists are sorted if the consumer's position is unknown.
    pub(crate) default_position: Position,
    pub(crate) menus: MenuCache,
    pub(crate) recent_snapshots: RecentSnapshots,
    pub(crate) webhooks: WebhookClient,
    pub(crate) webhook_keys: WebhookKeys,
}

impl Stores {
    #[must_use]
    pub fn new(
        pool: PgPool,
        clock: Arc<dyn Clock>,
        default_position: Position,
        webhooks: WebhookClient,
        webhook_keys: WebhookKeys,
    ) -> Self {
        Self {
            pool,
            clock,
            default_position,
            menus: MenuCache::default(),
            recent_snapshots: RecentSnapshots::default(),
            webhooks,
            webhook_keys,
        }
    }

    /// Encrypts a secret for the database.
    pub(crate) fn seal(&self, secret: &WebhookSecret) -> Result<SealedSecret, InternalError> {
        let sealed = self.webhook_keys.seal(secret, &mut rand::rng());
        sealed.map_err(|error| InternalError::invariant_violated(format!("secret not encrypted: {error}")))
    }
}

#[derive(Debug, Parser)]
#[command(
    name = "stores",
    about = "Companies, stores, menus and the capacity of stores"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve gRPC, consume events and send webhooks.
    Serve,
    /// Apply the database migrations.
    Migrate,
    /// Write the companies, menus and stores of the development stack. Idempotent.
    Seed,
    /// Import companies and their menus from two JSON files, in one transaction, and print the ids of the companies. Items keep
    /// their ids as long as they keep their keys. `deploy/seed` has examples.
    ImportMenus {
        /// Categories, items, sizes and modifications.
        menu: PathBuf,
        /// Companies with their names and prices.
        companies: PathBuf,
    },
    /// Import stores from a CSV file, and update those with an existing number. Needs their companies. Numbers are unique over all
    /// companies: a row with the number of a store of another company is rejected.
    Import {
        /// Columns `store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude`,
        /// and optionally `company` (id or name), `curbside` (true or false), `baristas` (of new stores), `tax_rate_ppm` and
        /// `photo` (an https URL or a path of the gateway; empty for the drawn picture). Existing stores keep what has no value.
        file: PathBuf,
        /// Id or name of the company that runs the stores. Required unless the file has a column `company`.
        #[arg(long)]
        company: Option<String>,
        /// Daily opening hours of new stores in local time, such as `05:00-21:00`. Without them new stores have no hours: they are
        /// listed, and take orders once their staff set hours.
        #[arg(long, value_parser = WeeklyHours::parse_daily)]
        hours: Option<WeeklyHours>,
    },
    /// Print the id and the secret of a new credential with which the systems of stores sign in. The secret cannot be shown again.
    IssueCredential {
        /// Describes the owner of the credential.
        #[arg(long)]
        label: String,
        /// Ids of the stores to which the credential gives access.
        #[arg(required = true)]
        stores: Vec<StoreId>,
    },
    /// List and revoke the credentials of the systems of stores.
    #[command(subcommand)]
    Credentials(CredentialsCommand),
    /// Set the code and PIN with which the staff of a store sign in to the console, print them, and end their sessions.
    StaffPin {
        store: StoreId,
        /// The code. If absent, the store keeps its code or gets a new one.
        #[arg(long)]
        code: Option<StoreCode>,
        /// Six to twelve digits. If absent, a new PIN is generated.
        #[arg(long)]
        pin: Option<Pin>,
    },
    /// Change and list the webhook subscriptions of companies.
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
}

/// Runs the command of the command line.
///
/// # Errors
/// A setting is invalid, or the command failed.
pub async fn run_command(process: Process) -> anyhow::Result<()> {
    let cli = Cli::parse();
    let config: Config = process.source.read()?;
    match cli.command {
        Command::Serve => serve(process, config).await,
        Command::Migrate => kit::postgres::migrate(&process, &config.stores_database_url, &[&MIGRATOR]).await,
        Command::Seed => {
            kit::demo_data::require_allowed(&process)?;
            ops::seed::seed(&connect(&process, &config).await?, &config.dev_store_credential).await
        }
        Command::ImportMenus { menu, companies } => {
            import_files(&connect_command(&process, &config).await?, &menu, &companies).await
        }
        Command::Import { file, company, hours } => {
            let options = ImportOptions { company, hours };
            import_file(&connect_command(&process, &config).await?, &file, &options)
                .await
                .with_context(|| format!("cannot import {}", file.display()))
        }
        Command::IssueCredential { label, stores } => {
            let cx = connect_command(&process, &config).await?;
            ops::issue_credential::print_credential(&cx, &label, stores).await
        }
        Command::Credentials(command) => {
            credentials_command::run(&connect_command(&process, &config).await?, command).await
        }
        Command::StaffPin { store, code, pin } => {
            let cx = connect_command(&process, &config).await?;
            ops::set_staff_pin::print_staff_pin(&cx, store, code, pin).await
        }
        Command::Webhooks(command) => {
            webhooks_command::run(&connect_command(&process, &config).await?, command).await
        }
    }
}

async fn connect(process: &Process, config: &Config) -> anyhow::Result<Stores> {
    let pool = kit::postgres::connect(process, &config.stores_database_url).await?;
    kit::postgres::require_schema(process, &pool, &[&MIGRATOR]).await?;
    let position = Position::new(config.default_latitude, config.default_longitude)
        .context("bad configuration: DEFAULT_LATITUDE, DEFAULT_LONGITUDE")?;
    let webhooks = WebhookClient::new(config.webhooks_allow_private_addresses)?;
    let webhook_keys = process.source.read::<WebhookConfig>()?.keys()?;
    Ok(Stores::new(
        pool,
        Arc::new(SystemClock),
        position,
        webhooks,
        webhook_keys,
    ))
}

/// Connects for a command of an operator.
async fn connect_command(process: &Process, config: &Config) -> anyhow::Result<Stores> {
    kit::postgres::limit_command_wait(process, connect(process, config)).await
}

async fn serve(process: Process, config: Config) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    let stores = Arc::new(connect(&process, &config).await?);
    kit::messaging::start(
        &process,
        &stores.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(Consumers::new(Arc::clone(&stores)))),
    )?;
    kit::prune::start(&process, &stores.pool);
    let (context, cx) = (process.clone(), Arc::clone(&stores));
    process.spawn_worker("prune capacity", move || {
        workers::prune::run(context.clone(), Arc::clone(&cx))
    });
    let (context, cx) = (process.clone(), Arc::clone(&stores));
    process.spawn_worker("end pauses", move || {
        workers::end_pauses::run(context.clone(), Arc::clone(&cx))
    });
    let (context, cx) = (process.clone(), Arc::clone(&stores));
    process.spawn_worker("send webhooks", move || {
        workers::send_webhooks::run(context.clone(), Arc::clone(&cx))
    });
    let (context, cx) = (process.clone(), Arc::clone(&stores));
    process.spawn_worker("count webhooks", move || {
        workers::count_webhooks::run(context.clone(), Arc::clone(&cx))
    });
    kit::grpc::Server::<Caller>::new(&process, &key, stores.pool.clone(), proto::DESCRIPTORS)?
        .add_service(StoresServer::new(Grpc::new(Arc::clone(&stores))))
        .add_service(StoreSettingsServer::new(SettingsGrpc::new(Arc::clone(&stores))))
        .add_service(order_records::server(Service::Stores, stores.pool.clone()))
        .add_service(StoreStaffServer::new(StaffGrpc::new(stores)))
        .serve(config.listen)
        .await
}
