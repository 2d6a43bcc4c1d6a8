//! Migrations of a service's database.

use std::time::Duration;

use secrecy::SecretString;
use sqlx::{PgPool, migrate::Migrator};

use super::{DatabaseTimeout, connect};
use crate::lifecycle::Process;

/// Migrations of this crate's tables: outbox, consumed events, idempotency keys. They run before a service's own.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Interval for looking at a schema that is not up to date.
const SCHEMA_INTERVAL: Duration = Duration::from_secs(1);

fn all<'a>(migrators: &'a [&Migrator]) -> impl Iterator<Item = &'a Migrator> {
    std::iter::once(&MIGRATOR).chain(migrators.iter().copied())
}

/// Runs this crate's migrations, then those of `migrators` in order, without a statement timeout.
///
/// # Errors
/// A migration fails or was changed after it ran.
pub async fn migrate(process: &Process, url: &SecretString, migrators: &[&Migrator]) -> anyhow::Result<()> {
    let pool = connect(process, url).await?;
    let mut conn = pool.acquire().await?;
    sqlx::query!("SELECT set_config('statement_timeout', '0', false)")
        .fetch_one(&mut *conn)
        .await?;
    for migrator in all(migrators) {
        migrator.run(&mut *conn).await?;
    }
    // Closed, because its settings differ from those of the pool.
    conn.close().await?;
    tracing::info!("schema is up to date");
    Ok(())
}

/// Waits until the schema is at least as new as this program. Serving never migrates, so that replicas that start together
/// do not compete.
///
/// # Errors
/// A setting is invalid, or shutdown was requested while waiting.
pub async fn require_schema(process: &Process, pool: &PgPool, migrators: &[&Migrator]) -> anyhow::Result<()> {
    let timeout = DatabaseTimeout::from_config(&process.source)?;
    for migrator in all(migrators) {
        let required = migrator
            .iter()
            .map(|migration| migration.version)
            .max()
            .unwrap_or_default();
        loop {
            match timeout.limit(applied_version(pool, migrator)).await {
                Ok(version) if version >= required => break,
                Ok(version) => tracing::warn!(
                    version,
                    required,
                    "schema is older than this program: run `migrate`"
                ),
                Err(error) => tracing::warn!(%error, required, "schema is missing: run `migrate`"),
            }
            anyhow::ensure!(
                process.sleep(SCHEMA_INTERVAL).await,
                "shutdown while waiting for the schema"
            );
        }
    }
    Ok(())
}

/// Returns the newest applied migration. Not checked at compile time: each migrator has its own table.
async fn applied_version(pool: &PgPool, migrator: &Migrator) -> Result<i64, sqlx::Error> {
    let query = format!(
        "SELECT coalesce(max(version), 0) FROM {} WHERE success",
        migrator.table_name
    );
    sqlx::query_scalar(sqlx::AssertSqlSafe(query))
        .fetch_one(pool)
        .await
}
