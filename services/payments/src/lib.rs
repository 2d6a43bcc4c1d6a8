//! Payments: provider customers, payment methods, and charges and their refunds.

mod audit_command;
pub mod config;
pub mod consumers;
mod convert;
mod db;
mod debts_command;
mod disputes_command;
mod domain;
mod effects_command;
pub mod grpc;
mod ops;
mod provider;
pub mod workers;

pub use ops::{audit, compare_with_provider};

use std::sync::Arc;
use std::time::Duration;

use callers::Caller;
use clap::Parser;
use kit::caller::CallerKey;
use kit::lifecycle::Process;
use order_records::Service;
use proto::payments::v1::payments_server::PaymentsServer;
use secrecy::SecretString;
use sqlx::PgPool;
use sqlx::migrate::Migrator;
use tokio::sync::Notify;
use types::timeouts::AUTHORIZE_CHARGE_OVERHEAD;
use types::{Clock, SystemClock};

use crate::config::{AuditConfig, EffectRules, PolicyConfig, Retention, RetentionConfig};
use crate::debts_command::DebtsCommand;
use crate::effects_command::EffectsCommand;
use crate::provider::{PaymentProvider, Stripe};

/// Migrations of this service's tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Dependencies of the operations.
#[derive(Debug, Clone)]
pub struct Payments {
    pub pool: PgPool,
    pub clock: Arc<dyn Clock>,
    pub process: Process,
    pub effects: EffectRules,
    pub retention: Retention,
    pub penalty_fee_cents: i64,
    /// Interval of the audit of charges that changed.
    pub audit_interval: Duration,
    /// Payment methods that a consumer can start to add in 24 hours.
    pub setup_intents_per_day: i64,
    provider: Arc<dyn PaymentProvider>,
    publishable_key: String,
    webhook_secret: SecretString,
    /// Maximum duration of an `AuthorizeCharge` call.
    authorize_timeout: Duration,
    /// Lease of one attempt to authorize a charge.
    attempt_lease: Duration,
    effects_planned: Arc<Notify>,
}

/// Payment methods, charges and refunds.
#[derive(Debug, Parser)]
enum Command {
    /// Serve gRPC, consume events and execute effects.
    Serve,
    /// Apply the database migrations.
    Migrate,
    /// Do nothing: this service has no seed data.
    Seed,
    /// List planned calls to the payment provider, and plan failed ones again.
    #[command(subcommand)]
    Effects(EffectsCommand),
    /// List debts, and waive penalty fees.
    #[command(subcommand)]
    Debts(DebtsCommand),
    /// List disputes that need a response.
    Disputes,
    /// Audit all charges, list the differences, and fail if there are any.
    Audit {
        /// Compare the charges of the last seven days with the payment provider too, and apply its later states.
        #[arg(long)]
        provider: bool,
    },
}

/// Runs the command of the command line.
///
/// # Errors
/// A setting is invalid, or a dependency is unavailable at startup.
pub async fn command(process: Process) -> anyhow::Result<()> {
    let now = SystemClock.now();
    match Command::parse() {
        Command::Serve => serve(&process).await,
        Command::Migrate => {
            let database: config::DatabaseConfig = process.source.read()?;
            kit::postgres::migrate(&process, &database.payments_database_url, &[&MIGRATOR]).await
        }
        Command::Seed => Ok(()),
        Command::Effects(command) => effects_command::run(&connect_command(&process).await?, command).await,
        Command::Debts(command) => debts_command::run(&connect_command(&process).await?, command, now).await,
        Command::Disputes => disputes_command::run(&connect_command(&process).await?).await,
        Command::Audit { provider } => {
            let pool = connect_command(&process).await?;
            let cx = if provider {
                let config: config::ProviderConfig = process.source.read()?;
                Some(Payments::new(
                    &process,
                    pool.clone(),
                    &config,
                    Arc::new(SystemClock),
                )?)
            } else {
                None
            };
            audit_command::run(&pool, cx.as_ref(), now).await
        }
    }
}

async fn connect(process: &Process) -> anyhow::Result<PgPool> {
    let database: config::DatabaseConfig = process.source.read()?;
    kit::postgres::connect(process, &database.payments_database_url).await
}

/// Connects for a command of an operator.
async fn connect_command(process: &Process) -> anyhow::Result<PgPool> {
    kit::postgres::limit_command_wait(process, connect(process)).await
}

async fn serve(process: &Process) -> anyhow::Result<()> {
    let server: config::ServerConfig = process.source.read()?;
    let provider: config::ProviderConfig = process.source.read()?;
    let key = CallerKey::from_config(&process.source)?;
    let pool = connect(process).await?;
    kit::postgres::require_schema(process, &pool, &[&MIGRATOR]).await?;
    let cx = Payments::new(process, pool, &provider, Arc::new(SystemClock))?;
    kit::messaging::start(
        process,
        &cx.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))),
    )?;
    kit::prune::start(process, &cx.pool);
    workers::start(&cx);
    kit::grpc::Server::<Caller>::new(process, &key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(order_records::server(Service::Payments, cx.pool.clone()))
        .add_service(PaymentsServer::new(grpc::Grpc(cx)))
        .serve(server.listen)
        .await
}

impl Payments {
    /// Creates the dependencies from the settings.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn new(
        process: &Process,
        pool: PgPool,
        provider: &config::ProviderConfig,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let effects: config::EffectsConfig = process.source.read()?;
        let retention: RetentionConfig = process.source.read()?;
        let policy = process.source.read::<PolicyConfig>()?;
        let audit: AuditConfig = process.source.read()?;
        let timeout = provider.timeout();
        let stripe = Stripe::new(&provider.provider_url, &provider.provider_secret_key, timeout)?;
        Ok(Self {
            pool,
            clock,
            process: process.clone(),
            effects: effects.rules(timeout),
            retention: retention.into(),
            penalty_fee_cents: policy.penalty_fee_cents,
            audit_interval: audit.interval(),
            setup_intents_per_day: policy.setup_intents_per_day,
            provider: Arc::new(stripe),
            publishable_key: provider.provider_publishable_key.clone(),
            webhook_secret: provider.provider_webhook_secret.clone(),
            authorize_timeout: timeout + AUTHORIZE_CHARGE_OVERHEAD,
            // Two provider calls (find and authorize), and time for the database.
            attempt_lease: timeout.saturating_mul(2) + Duration::from_secs(5),
            effects_planned: Arc::new(Notify::new()),
        })
    }

    /// Wakes the effects worker, so that it does not wait for its next poll.
    fn wake_effects_worker(&self) {
        self.effects_planned.notify_one();
    }

    async fn wait_for_planned_effects(&self) {
        self.effects_planned.notified().await;
    }
}
