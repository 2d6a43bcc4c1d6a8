//! Connection to a service's database, and its migrations.

mod command_wait;
mod dead_connections;
mod migrations;
mod timeout;
mod transaction;

use std::{str::FromStr, sync::Arc, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sqlx::{
    Connection, PgConnection, PgPool,
    pool::PoolConnectionMetadata,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use self::dead_connections::{DeadConnections, opened_at};
pub use self::{
    command_wait::limit_command_wait,
    migrations::{MIGRATOR, migrate, require_schema},
    timeout::DatabaseTimeout,
    transaction::{begin, begin_on, begin_with, remove_statement_timeout},
};
use crate::{
    backoff::Backoff,
    config::{between, setting_of},
    lifecycle::Process,
    metrics,
};

/// Idle time after which a connection is tested before its next use. A test before each use costs a round trip for each
/// statement of a busy process, and a connection that was used a moment ago is rarely broken.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);
/// A test takes milliseconds. Short, because a pool whose idle connections are all dead tests one after the other.
const TEST_TIMEOUT: Duration = Duration::from_secs(1);
/// Age at which a connection is closed, so that the memory of its server process does not grow forever.
const MAX_LIFETIME: Duration = Duration::from_mins(30);

/// More than a server of PostgreSQL has.
const MAX_CONNECTIONS: i64 = 10_000;

#[derive(Debug, Deserialize)]
struct Config {
    /// Maximum number of connections of this process.
    #[serde(
        default = "default_connections",
        deserialize_with = "between::<1, MAX_CONNECTIONS, _, _>"
    )]
    database_connections: u32,
}

const fn default_connections() -> u32 {
    10
}

/// Connects, and waits with backoff while the database is unavailable. Later the process ends if connections stay dead after an
/// outage.
///
/// # Errors
/// The URL or a setting is invalid, the database has another encoding than UTF8, or shutdown was requested while waiting.
pub async fn connect(process: &Process, url: &SecretString) -> anyhow::Result<PgPool> {
    let timeout = DatabaseTimeout::from_config(&process.source)?;
    let options = connect_options(process, url)?;
    let pool = pool(process, options.clone(), timeout)?;
    metrics::observe_pool(&pool);
    let mut delays = Backoff::RECONNECT.delays();
    loop {
        let error = match timeout.limit(read_encoding(&pool, &options)).await {
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

/// The error does not contain the URL, which may contain a password.
fn connect_options(process: &Process, url: &SecretString) -> anyhow::Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url.expose_secret()).map_err(|_| {
        let setting = setting_of(process.name, "DATABASE_URL");
        anyhow::anyhow!("bad configuration: {setting}: expected postgres://user:password@host/database")
    })?;
    Ok(options
        .application_name(process.name)
        // No caller waits this long for one statement.
        .options([
            ("statement_timeout", "15000"),
            ("idle_in_transaction_session_timeout", "30000"),
        ]))
}

fn pool(process: &Process, options: PgConnectOptions, timeout: DatabaseTimeout) -> anyhow::Result<PgPool> {
    let config: Config = process.source.read()?;
    let connections = Arc::new(DeadConnections::new(timeout));
    let (opened, acquired, released) = (
        Arc::clone(&connections),
        Arc::clone(&connections),
        Arc::clone(&connections),
    );
    let pool = PgPoolOptions::new()
        .max_connections(config.database_connections)
        .acquire_timeout(Duration::from_secs(4))
        // `before_acquire` tests them.
        .test_before_acquire(false)
        // `release` closes them, because it counts all that are released.
        .max_lifetime(None)
        .after_connect(move |_, _| {
            opened.open();
            Box::pin(async { Ok(()) })
        })
        .before_acquire(move |connection, metadata| {
            let acquired = Arc::clone(&acquired);
            Box::pin(async move { acquire(&acquired, connection, metadata).await })
        })
        .after_release(move |connection, metadata| {
            let released = Arc::clone(&released);
            Box::pin(async move { release(&released, connection, metadata).await })
        })
        .connect_lazy_with(options);
    let (context, watched) = (process.clone(), pool.clone());
    process.spawn_worker("dead connections", move || {
        let (process, pool, connections) = (context.clone(), watched.clone(), Arc::clone(&connections));
        async move {
            tokio::select! {
                () = connections.watch(&process, &pool) => {}
                () = process.shutdown.cancelled() => {}
            }
        }
    });
    Ok(pool)
}

/// Returns false if the connection must be replaced: it was opened before an outage, or does not respond.
async fn acquire(
    connections: &DeadConnections,
    connection: &mut PgConnection,
    metadata: PoolConnectionMetadata,
) -> Result<bool, sqlx::Error> {
    let opened = opened_at(&metadata);
    if metadata.idle_for > TEST_AFTER_IDLE {
        let Ok(tested) = tokio::time::timeout(TEST_TIMEOUT, connection.ping()).await else {
            tracing::info!("idle connection to the database does not respond; will replace it");
            return Ok(false);
        };
        tested?;
    }
    Ok(connections.acquire(opened))
}

/// Returns false if the connection must not be used again. A statement or transaction that was dropped leaves a response or a
/// rollback that the next use would wait for.
async fn release(
    connections: &DeadConnections,
    connection: &mut PgConnection,
    metadata: PoolConnectionMetadata,
) -> Result<bool, sqlx::Error> {
    let opened = opened_at(&metadata);
    let flushed = tokio::time::timeout(connections.timeout.0, connection.flush()).await;
    let is_reusable = connections.release(opened, flushed.is_err());
    if let Ok(flushed) = flushed {
        flushed?;
    }
    Ok(is_reusable && metadata.age < MAX_LIFETIME)
}

/// Opens a connection of its own first: a pool tries again until its timeout, and then does not say why it could not connect.
async fn read_encoding(pool: &PgPool, options: &PgConnectOptions) -> Result<String, sqlx::Error> {
    PgConnection::connect_with(options).await?.close().await?;
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
