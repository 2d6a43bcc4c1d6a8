//! Stored value in a ledger: JoePass, gift cards and company cards, their purchases, and holds of orders on them.

pub mod clients;
pub mod config;
pub mod consumers;
mod convert;
mod db;
pub mod domain;
pub mod grpc;
pub mod ops;
pub mod sender;
mod workers;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use callers::Caller;
use clap::Parser;
use kit::{caller::CallerKey, lifecycle::Process, messaging::Topology};
use ledger::audit_worker;
use order_records::Service;
use proto::giftcards::v1::gift_cards_server::GiftCardsServer;
use sqlx::{PgPool, migrate::Migrator};
use types::{Clock, Money, OrderId, SystemClock};

use crate::{
    clients::Clients,
    config::{Config, Rules, SecretConfig, SenderConfig},
    domain::secret::Secret,
    ops::{audit_money::MoneyAudit, close_hold_by_operator::ClosedHold},
};

pub use db::accounts;

/// The migrations of the ledger and of this service, in order.
pub const MIGRATORS: &[&Migrator] = &[&ledger::MIGRATOR, &MIGRATOR];

static MIGRATOR: Migrator = sqlx::migrate!();

const TOPOLOGY: Topology = Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS);

/// Dependencies shared by the operations.
#[derive(Debug, Clone)]
pub struct GiftCards {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    pub clients: Clients,
    pub rules: Rules,
    /// Key of codes and PINs.
    pub secret: Secret,
    /// Runs tasks that shutdown waits for.
    pub process: Process,
}

/// Stored value: JoePass, gift cards and company cards.
#[derive(Debug, Parser)]
enum Command {
    /// Serve gRPC and consume events.
    Serve,
    /// Apply the database migrations.
    Migrate,
    /// Create deals and a physical card with a public number, and give the demo consumer a balance. For development only. Can be
    /// repeated.
    Seed,
    /// Import deals of gift cards from a JSON file, and update those with an existing key. Nothing is imported if the file has an
    /// error. `deploy/seed/deals.json` is an example.
    ImportDeals { file: PathBuf },
    /// Audit the whole ledger, compare all purchases with it and with their charges, and fail if there are differences.
    Audit {
        /// Only what is in the database of this service. Payments need not run.
        #[arg(long)]
        local: bool,
    },
    /// Return the stored value that an order holds or has used by mistake to its balance. Only for a hold that `ordering audit`
    /// reports as `hold_without_order` or `hold_unexpected`, and only if the order does not exist or stored value pays no part of it:
    /// otherwise the command returns the payment of the order.
    CloseHold {
        order_id: OrderId,
        /// The amount of the hold in cents, as order-xray shows it, including parts that were refunded. The command fails if the hold
        /// has another amount.
        cents: i64,
    },
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
        Command::Migrate => {
            kit::postgres::migrate(&process, &config.gift_cards_database_url, MIGRATORS).await
        }
        Command::Seed => {
            kit::demo_data::require_allowed(&process)?;
            ops::seed::seed(&connect(&process, &config).await?).await
        }
        Command::ImportDeals { file } => import(&connect_command(&process, &config).await?, &file).await,
        Command::Audit { local } => audit(connect_command(&process, &config).await?, local).await,
        Command::CloseHold { order_id, cents } => {
            let expected = Money::usd(cents);
            close_hold(&connect_command(&process, &config).await?, order_id, expected).await
        }
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

/// Compares the purchases with their charges also if the ledger is inconsistent.
async fn audit(cx: GiftCards, local: bool) -> anyhow::Result<()> {
    let ledger = ops::audit::audit(&cx).await;
    if !local {
        kit::audit::run_command(&MoneyAudit(cx)).await?;
    }
    ledger
}

async fn close_hold(cx: &GiftCards, order_id: OrderId, expected: Money) -> anyhow::Result<()> {
    let ClosedHold { returned, state } =
        ops::close_hold_by_operator::close_hold_by_operator(cx, order_id, expected).await?;
    writeln!(io::stdout(), "{returned} {}", state.as_str())?;
    Ok(())
}

async fn import(cx: &GiftCards, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let deals = ops::import_deals::import_deals(cx, &text)
        .await
        .with_context(|| file.display().to_string())?;
    tracing::info!(deals, file = %file.display(), "imported");
    Ok(())
}

async fn connect(process: &Process, config: &Config) -> anyhow::Result<GiftCards> {
    let pool = kit::postgres::connect(process, &config.gift_cards_database_url).await?;
    kit::postgres::require_schema(process, &pool, MIGRATORS).await?;
    let key = CallerKey::from_config(&process.source)?;
    Ok(GiftCards {
        pool,
        clock: Arc::new(SystemClock),
        clients: Clients::new(config, &key)?,
        rules: process.source.read()?,
        secret: process.source.read::<SecretConfig>()?.secret()?,
        process: process.clone(),
    })
}

/// Connects for a command of an operator.
async fn connect_command(process: &Process, config: &Config) -> anyhow::Result<GiftCards> {
    kit::postgres::limit_command_wait(process, connect(process, config)).await
}

async fn serve(process: &Process, config: &Config, cx: GiftCards) -> anyhow::Result<()> {
    let key = CallerKey::from_config(&process.source)?;
    tokio::task::spawn_blocking(contacts::load_metadata).await?;
    let consumers = Arc::new(consumers::Consumers(cx.clone()));
    kit::messaging::start(process, &cx.pool, TOPOLOGY, Some(consumers))?;
    kit::prune::start(process, &cx.pool);
    let sender = sender::from_config(process.source.read::<SenderConfig>()?)?;
    workers::start(process, &cx, sender);
    audit_worker::start(process, &cx.pool, cx.rules.audit_interval(), ops::audit::RULES);
    kit::grpc::Server::<Caller>::new(process, &key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(order_records::server(Service::GiftCards, cx.pool.clone()))
        .add_service(GiftCardsServer::new(grpc::Grpc(cx)))
        .serve(config.listen)
        .await
}
