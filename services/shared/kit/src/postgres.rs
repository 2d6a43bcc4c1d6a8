//! Connection to a service's database, and its migrations.

use std::{str::FromStr, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sqlx::{
    Connection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{backoff::Backoff, lifecycle::Process, metrics};

/// Migrations of this crate's tables: outbox, consumed events, idempotency keys. They run before a service's own.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Idle time after which a connection is tested before its next use. A test before each use costs a round trip for each
/// statement of a busy process, and a connection that was used a moment ago is rarely broken.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
struct Config {
    /// Maximum number of connections of this process.
    #[serde(default = "default_connections")]
    database_connections: u32,
}

const fn default_connections() -> u32 {
    10
}

/// Connects, and waits with backoff while the database is unavailable.
///
/// # Errors
/// The URL is invalid, the database has another encoding than UTF8, or shutdown was requested while waiting.
pub async fn connect(process: &Process, url: &SecretString) -> anyhow::Result<PgPool> {
    let config: Config = process.source.read()?;
    let options = PgConnectOptions::from_str(url.expose_secret())?
        .application_name(process.name)
        // No caller waits this long for one statement.
        .options([
            ("statement_timeout", "15000"),
            ("idle_in_transaction_session_timeout", "30000"),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(4))
        .test_before_acquire(false)
        .before_acquire(|connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for > TEST_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options);
    metrics::observe_pool(&pool);
    let mut delays = Backoff::RECONNECT.delays();
    loop {
        let error = match read_encoding(&pool).await {
            Ok(encoding) => {
                require_utf8(&encoding)?;
                return Ok(pool);
            }
            Err(error) => error,
        };
        let delay = delays.next_delay();
        tracing::warn!(%error, retry_in = ?delay, "database unavailable; will retry");
        anyhow::ensure!(
            process.sleep(delay).await,
            "shutdown while waiting for the database"
        );
    }
}

async fn read_encoding(pool: &PgPool) -> Result<String, sqlx::Error> {
    // `query!` cannot describe SHOW.
    sqlx::query_scalar("SHOW server_encoding").fetch_one(pool).await
}

/// With `SQL_ASCII`, texts with other than ASCII letters are compared and cut by bytes, so that searches fail.
fn require_utf8(encoding: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        encoding == "UTF8",
        "the database has the encoding {encoding}, but needs UTF8: create it with ENCODING 'UTF8' TEMPLATE template0"
    );
    Ok(())
}

/// Checks that the database executes statements.
pub(crate) async fn ping(pool: &PgPool) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT 1 AS one").fetch_one(pool).await.map(drop)
}

/// Runs this crate's migrations, then those of `migrators` in order, without a statement timeout. Ignores applied migrations of
/// newer releases, so that a release can be rolled back.
///
/// # Errors
/// A migration fails or was changed after it ran.
pub async fn migrate(process: &Process, url: &SecretString, migrators: &[&Migrator]) -> anyhow::Result<()> {
    let pool = connect(process, url).await?;
    let mut conn = pool.acquire().await?;
    sqlx::query!("SELECT set_config('statement_timeout', '0', false)")
        .fetch_one(&mut *conn)
        .await?;
    for migrator in std::iter::once(&&MIGRATOR).chain(migrators) {
        ignoring_newer(migrator).run(&mut *conn).await?;
    }
    // Closed, because its settings differ from those of the pool.
    conn.close().await?;
    tracing::info!("schema is up to date");
    Ok(())
}

fn ignoring_newer(migrator: &Migrator) -> Migrator {
    Migrator {
        migrations: migrator.migrations.clone(),
        ignore_missing: true,
        locking: migrator.locking,
        no_tx: migrator.no_tx,
        table_name: migrator.table_name.clone(),
        create_schemas: migrator.create_schemas.clone(),
    }
}

/// Waits until the schema is at least as new as this program. Serving never migrates, so that replicas that start together
/// do not compete.
///
/// # Errors
/// Shutdown was requested while waiting.
pub async fn require_schema(process: &Process, pool: &PgPool, migrators: &[&Migrator]) -> anyhow::Result<()> {
    for migrator in std::iter::once(&&MIGRATOR).chain(migrators) {
        let required = migrator
            .iter()
            .map(|migration| migration.version)
            .max()
            .unwrap_or_default();
        loop {
            match applied_version(pool, migrator).await {
                Ok(version) if version >= required => break,
                Ok(version) => tracing::warn!(
                    version,
                    required,
                    "schema is older than this program: run `migrate`"
                ),
                Err(error) => tracing::warn!(%error, required, "schema is missing: run `migrate`"),
            }
            anyhow::ensure!(
                process.sleep(Duration::from_secs(1)).await,
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
