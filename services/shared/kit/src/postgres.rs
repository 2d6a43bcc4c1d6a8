//! A service's own database.

use std::{str::FromStr, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sqlx::{
    PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::lifecycle::Process;

/// The tables of the kit: outbox, consumed events, idempotency keys. They come before a service's own.
pub static MIGRATOR: Migrator = sqlx::migrate!();

const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MOST: Duration = Duration::from_secs(5);

#[derive(Debug, Deserialize)]
struct Config {
    /// Connections that this process keeps at most.
    #[serde(default = "usual_connections")]
    database_connections: u32,
}

const fn usual_connections() -> u32 {
    10
}

/// Connects, and waits with backoff while the database is away.
///
/// # Errors
/// An address that cannot be read, or the process was told to stop while waiting.
pub async fn connect(process: &Process, url: &SecretString) -> anyhow::Result<PgPool> {
    let config: Config = process.source.read()?;
    let options = PgConnectOptions::from_str(url.expose_secret())?
        .application_name(process.name)
        // A statement that takes longer is stuck, and would outlive its caller.
        .options([
            ("statement_timeout", "15000"),
            ("idle_in_transaction_session_timeout", "30000"),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(4))
        .connect_lazy_with(options);
    let mut backoff = BACKOFF_FIRST;
    while let Err(error) = sqlx::query("SELECT 1").execute(&pool).await {
        tracing::warn!(%error, retry_in = ?backoff, "database is away, waiting");
        anyhow::ensure!(
            process.sleep(backoff).await,
            "told to stop while waiting for the database"
        );
        backoff = (backoff * 2).min(BACKOFF_MOST);
    }
    Ok(pool)
}

/// Brings a database up to date: the kit's tables, then each of `migrators` in order.
///
/// # Errors
/// A migration that fails or was changed after it ran.
pub async fn migrate(process: &Process, url: &SecretString, migrators: &[&Migrator]) -> anyhow::Result<()> {
    let pool = connect(process, url).await?;
    for migrator in std::iter::once(&&MIGRATOR).chain(migrators) {
        migrator.run(&pool).await?;
    }
    tracing::info!("schema is up to date");
    Ok(())
}

/// Waits until the schema is at least as new as this program; `serve` never migrates by itself, so that several
/// replicas start at once without racing for it.
///
/// # Errors
/// The process was told to stop while waiting.
pub async fn require_schema(process: &Process, pool: &PgPool, migrators: &[&Migrator]) -> anyhow::Result<()> {
    for migrator in std::iter::once(&&MIGRATOR).chain(migrators) {
        let wanted = migrator
            .iter()
            .map(|migration| migration.version)
            .max()
            .unwrap_or_default();
        let question = format!(
            "SELECT coalesce(max(version), 0) FROM {} WHERE success",
            migrator.table_name
        );
        loop {
            let found: Result<i64, sqlx::Error> = sqlx::query_scalar(sqlx::AssertSqlSafe(question.clone()))
                .fetch_one(pool)
                .await;
            match found {
                Ok(version) if version >= wanted => break,
                Ok(version) => tracing::warn!(
                    version,
                    wanted,
                    "schema is older than this program: run `migrate`"
                ),
                Err(error) => tracing::warn!(%error, wanted, "schema is missing: run `migrate`"),
            }
            anyhow::ensure!(
                process.sleep(Duration::from_secs(1)).await,
                "told to stop while waiting for the schema"
            );
        }
    }
    Ok(())
}
