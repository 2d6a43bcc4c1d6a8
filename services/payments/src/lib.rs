//! Payments: provider customers, payment methods, and the one charge of each order.

pub mod config;
pub mod consumers;
mod convert;
pub mod db;
pub mod domain;
pub mod grpc;
pub mod ops;
pub mod provider;
pub mod workers;

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use callers::Caller;
use kit::caller::CallerKey;
use kit::lifecycle::Process;
use proto::payments::v1::payments_server::PaymentsServer;
use secrecy::SecretString;
use sqlx::PgPool;
use sqlx::migrate::Migrator;
use tokio::sync::Notify;
use types::{Clock, SystemClock};

use crate::config::EffectRules;
use crate::provider::{PaymentProvider, Stripe};

/// This service's own tables.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// What its operations work with.
#[derive(Debug, Clone)]
pub struct Payments {
    /// Its database.
    pub pool: PgPool,
    /// The payment provider.
    pub provider: Arc<dyn PaymentProvider>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The process, whose tracked tasks finish what was begun.
    pub process: Process,
    /// What the page's calls to the provider are authenticated with.
    pub publishable_key: String,
    /// What the provider signs its webhooks with.
    pub webhook_secret: SecretString,
    /// How long a call waits for another one that authorises the same charge.
    pub authorize_wait: Duration,
    /// How long an attempt to authorise keeps others out.
    pub attempt_lease: Duration,
    /// How planned calls are carried out.
    pub effects: EffectRules,
    planned: Arc<Notify>,
}

/// Payments: payment methods, and the one charge of each order.
#[derive(Debug, Parser)]
enum Command {
    /// Serves gRPC, consumes events and carries out planned calls.
    Serve,
    /// Brings the database up to date.
    Migrate,
    /// Plans a test card for the demo consumer where the provider's key is one for tests; may be repeated.
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
        return kit::postgres::migrate(&process, &storage.payments_database_url, &[&MIGRATOR]).await;
    }
    let provider: config::Provider = process.source.read()?;
    let pool = kit::postgres::connect(&process, &storage.payments_database_url).await?;
    kit::postgres::require_schema(&process, &pool, &[&MIGRATOR]).await?;
    let cx = Payments::new(&process, pool, &provider, Arc::new(SystemClock))?;
    match command {
        Command::Seed if provider.is_in_test_mode() => Ok(ops::attach_test_card::plan(&cx).await?),
        Command::Seed => {
            tracing::info!("nothing to seed: the payment provider's key is not one for tests");
            Ok(())
        }
        Command::Serve | Command::Migrate => serve(&process, cx).await,
    }
}

async fn serve(process: &Process, cx: Payments) -> anyhow::Result<()> {
    let serving: config::Serving = process.source.read()?;
    let key = CallerKey::from_config(&process.source)?;
    kit::messaging::start(
        process,
        &cx.pool,
        kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS),
        Some(Arc::new(consumers::Consumers(cx.clone()))),
    )?;
    kit::prune::start(process, &cx.pool);
    process.spawn(workers::effects::run(cx.clone()));
    process.spawn(workers::look::run(cx.clone()));
    kit::grpc::Server::<Caller>::new(process, key, cx.pool.clone(), proto::DESCRIPTORS)?
        .add_service(PaymentsServer::new(grpc::Grpc(cx)))
        .serve(serving.listen)
        .await
}

impl Payments {
    /// What operations work with, from the settings.
    ///
    /// # Errors
    /// A bad setting.
    pub fn new(
        process: &Process,
        pool: PgPool,
        provider: &config::Provider,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let effects: config::Effects = process.source.read()?;
        let timeout = provider.timeout();
        Ok(Self {
            pool,
            provider: Arc::new(Stripe::new(
                &provider.provider_url,
                &provider.provider_secret_key,
                timeout,
            )?),
            clock,
            process: process.clone(),
            publishable_key: provider.provider_publishable_key.clone(),
            webhook_secret: provider.provider_webhook_secret.clone(),
            authorize_wait: timeout,
            // Two calls, a look and the request, and some time for the database.
            attempt_lease: timeout.saturating_mul(2) + Duration::from_secs(5),
            effects: effects.rules(timeout),
            planned: Arc::new(Notify::new()),
        })
    }

    /// Wakes the worker, which would find what was planned by itself a little later.
    fn effects_planned(&self) {
        self.planned.notify_one();
    }

    async fn wait_for_effects(&self) {
        self.planned.notified().await;
    }
}
