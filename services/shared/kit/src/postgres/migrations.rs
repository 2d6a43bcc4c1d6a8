//! Migrations of a service's database.
//!
//! A migration that waits for the lock of a table blocks all later statements on that table. Therefore it waits for a short
//! time and is tried again.

use std::time::Duration;

use anyhow::Context;
use secrecy::SecretString;
use sqlx::{
    Connection, PgConnection, PgPool,
    migrate::{MigrateError, Migration, Migrator},
};
use tokio::time::Instant;

use super::{DatabaseTimeout, connect};
use crate::{backoff::Backoff, lifecycle::Process};

/// Migrations of this crate's tables: outbox, consumed events, idempotency keys. They run before a service's own.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Time for which other statements may wait behind a migration.
const LOCK_TIMEOUT: &str = "3s";
/// `CREATE INDEX CONCURRENTLY` waits for transactions that run already, and blocks no statement.
const NO_LOCK_TIMEOUT: &str = "0";
const LOCK_RETRIES: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(15));
const LOCK_RETRY_TIME: Duration = Duration::from_mins(5);
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Advisory lock of the program that migrates a database.
const MIGRATION_LOCK: i64 = 0x006d_6967_7261_7465;
const MIGRATION_LOCK_INTERVAL: Duration = Duration::from_secs(1);

/// Interval for looking at a schema that is not up to date.
const SCHEMA_INTERVAL: Duration = Duration::from_secs(1);

fn all<'a>(migrators: &'a [&Migrator]) -> impl Iterator<Item = &'a Migrator> {
    std::iter::once(&MIGRATOR).chain(migrators.iter().copied())
}

/// Runs this crate's migrations, then those of `migrators` in order, without a statement timeout. A migration that needs a lock
/// of a running transaction is tried again for five minutes. Ignores applied migrations of newer releases, so that a release can
/// be rolled back.
///
/// # Errors
/// A migration fails, gets no lock or was changed after it ran, or shutdown was requested while waiting.
pub async fn migrate(process: &Process, url: &SecretString, migrators: &[&Migrator]) -> anyhow::Result<()> {
    let pool = connect(process, url).await?;
    // Taken from the pool, whose connections count as dead if all of them are in use for long, and have other settings.
    let mut conn = pool.acquire().await?.detach();
    sqlx::query!("SELECT set_config('statement_timeout', '0', false)")
        .fetch_one(&mut conn)
        .await?;
    lock(process, &mut conn).await?;
    for migrator in all(migrators).map(ignoring_newer) {
        for migration in migrator.iter() {
            apply(process, &mut conn, &migrator, migration).await?;
        }
    }
    rebuild_invalid_indexes(&mut conn).await?;
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

/// Waits until no other program migrates the database. Polls, because `CREATE INDEX CONCURRENTLY` in the other program would wait
/// for a statement that waits for the lock.
async fn lock(process: &Process, conn: &mut PgConnection) -> anyhow::Result<()> {
    loop {
        let is_locked = sqlx::query_scalar!(
            r#"SELECT pg_try_advisory_lock($1) AS "is_locked!""#,
            MIGRATION_LOCK
        )
        .fetch_one(&mut *conn)
        .await?;
        if is_locked {
            return Ok(());
        }
        tracing::info!("another program migrates the database; will wait");
        anyhow::ensure!(
            process.sleep(MIGRATION_LOCK_INTERVAL).await,
            "shutdown while waiting for another migration"
        );
    }
}

/// Applies a migration unless it is applied already.
async fn apply(
    process: &Process,
    conn: &mut PgConnection,
    migrator: &Migrator,
    migration: &Migration,
) -> anyhow::Result<()> {
    let lock_timeout = if migration.no_tx {
        NO_LOCK_TIMEOUT
    } else {
        LOCK_TIMEOUT
    };
    sqlx::query!("SELECT set_config('lock_timeout', $1, false)", lock_timeout)
        .fetch_one(&mut *conn)
        .await?;
    let end = Instant::now() + LOCK_RETRY_TIME;
    let mut delays = LOCK_RETRIES.delays();
    loop {
        let error = match migrator.run_to(migration.version, &mut *conn).await {
            Ok(()) => return Ok(()),
            Err(error) if is_lock_timeout(&error) => error,
            Err(error) => return Err(error.into()),
        };
        if Instant::now() > end {
            return Err(error).context(
                "the locks of other transactions did not end: see pg_stat_activity, and migrate again",
            );
        }
        let delay = delays.next_delay();
        tracing::warn!(%error, version = migration.version, retry_in = ?delay, "migration waits for a lock; will retry");
        anyhow::ensure!(
            process.sleep(delay).await,
            "shutdown while waiting for the lock of a migration"
        );
    }
}

/// Rebuilds indexes that an interrupted `CREATE INDEX CONCURRENTLY` left. The next run of the migration finds such an index by its name,
/// and does not build it. Indexes of an interrupted `REINDEX` are copies, which are left to an operator.
async fn rebuild_invalid_indexes(conn: &mut PgConnection) -> anyhow::Result<()> {
    let indexes: Vec<String> = sqlx::query_scalar(
        r"SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
          WHERE NOT indisvalid AND relkind = 'i' AND relnamespace = current_schema()::regnamespace
            AND relname !~ '_cc(new|old)\d*$'",
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!("SELECT set_config('lock_timeout', $1, false)", NO_LOCK_TIMEOUT)
        .fetch_one(&mut *conn)
        .await?;
    for index in indexes {
        tracing::warn!(index, "invalid index found; will rebuild it");
        // The name is quoted by PostgreSQL.
        let statement = sqlx::AssertSqlSafe(format!("REINDEX INDEX CONCURRENTLY {index}"));
        sqlx::raw_sql(statement)
            .execute(&mut *conn)
            .await
            .with_context(|| format!("the index {index} cannot be rebuilt"))?;
    }
    Ok(())
}

fn is_lock_timeout(error: &MigrateError) -> bool {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error
            .as_database_error()
            .is_some_and(|error| error.code().as_deref() == Some(LOCK_NOT_AVAILABLE)),
        _ => false,
    }
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
