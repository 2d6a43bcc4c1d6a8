//! Deletes old rows of this crate's tables, in small batches. Every replica of every service prunes its own database; rows
//! that another replica has locked are skipped.

use std::time::Duration;

use sqlx::{PgConnection, PgPool, postgres::PgQueryResult};

use crate::lifecycle::Process;

const DAY: Duration = Duration::from_hours(24);

/// Retention of records that an event was consumed. Consumers reject events that are almost this old
/// ([`crate::consumer`]), so that no event is applied twice, even if dead letters are requeued after weeks.
pub const CONSUMED_EVENT_RETENTION: Duration = DAY.saturating_mul(30);

/// Time for which published events can be published again after a restore (`deploy/backup/replay-events`).
pub const PUBLISHED_EVENT_RETENTION: Duration = DAY;

/// Retention of stored responses of idempotent requests. Unfinished requests are kept, because recovery needs them.
pub const RESPONSE_RETENTION: Duration = DAY.saturating_mul(7);

const INTERVAL: Duration = Duration::from_mins(1);
const BATCH_SIZE: u64 = 1_000;
/// Pause between batches, so that pruning does not delay other statements.
const PAUSE: Duration = Duration::from_millis(50);
/// A batch takes milliseconds. If it takes longer, it waits for a lock; it is aborted and retried later.
const STATEMENT_TIMEOUT: &str = "3s";
/// Applies if the server does not respond at all.
const BATCH_TIMEOUT: Duration = Duration::from_secs(8);

#[derive(Debug, Clone, Copy)]
enum Table {
    ConsumedEvents,
    PublishedEvents,
    Idempotency,
}

impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::ConsumedEvents => "consumed_events",
            Self::PublishedEvents => "published_events",
            Self::Idempotency => "idempotency",
        }
    }

    /// Deletes the oldest rows past their retention, at most [`BATCH_SIZE`].
    async fn delete_batch(self, conn: &mut PgConnection) -> Result<PgQueryResult, sqlx::Error> {
        let limit = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
        match self {
            Self::ConsumedEvents => {
                sqlx::query!(
                    "DELETE FROM consumed_events WHERE ctid = ANY (ARRAY (
                         SELECT ctid FROM consumed_events
                         WHERE consumed_at < now() - make_interval(secs => $1)
                         ORDER BY consumed_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
                    CONSUMED_EVENT_RETENTION.as_secs_f64(),
                    limit,
                )
                .execute(conn)
                .await
            }
            Self::PublishedEvents => {
                sqlx::query!(
                    "DELETE FROM published_events WHERE ctid = ANY (ARRAY (
                         SELECT ctid FROM published_events
                         WHERE published_at < now() - make_interval(secs => $1)
                         ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
                    PUBLISHED_EVENT_RETENTION.as_secs_f64(),
                    limit,
                )
                .execute(conn)
                .await
            }
            Self::Idempotency => {
                sqlx::query!(
                    "DELETE FROM idempotency WHERE ctid = ANY (ARRAY (
                         SELECT ctid FROM idempotency
                         WHERE started_at < now() - make_interval(secs => $1) AND response IS NOT NULL
                         ORDER BY started_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
                    RESPONSE_RETENTION.as_secs_f64(),
                    limit,
                )
                .execute(conn)
                .await
            }
        }
    }
}

/// Prunes in a worker until shutdown, which waits for the current batch.
pub fn start(process: &Process, pool: &PgPool) {
    let (context, pool) = (process.clone(), pool.clone());
    process.spawn_worker("prune", move || run(context.clone(), pool.clone()));
}

async fn run(process: Process, pool: PgPool) {
    loop {
        for table in [Table::ConsumedEvents, Table::PublishedEvents, Table::Idempotency] {
            let name = table.name();
            match prune(&process, &pool, table).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, table = name, "pruned"),
                Err(error) => {
                    tracing::warn!(
                        error = format!("{error:#}"),
                        table = name,
                        "prune failed; will retry"
                    );
                }
            }
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

/// Deletes batches, each in its own transaction, until a batch is not full. Returns the number of deleted rows.
async fn prune(process: &Process, pool: &PgPool, table: Table) -> anyhow::Result<u64> {
    let mut rows = 0;
    loop {
        let batch = tokio::time::timeout(BATCH_TIMEOUT, prune_batch(pool, table)).await??;
        rows += batch;
        if batch < BATCH_SIZE || !process.sleep(PAUSE).await {
            return Ok(rows);
        }
    }
}

async fn prune_batch(pool: &PgPool, table: Table) -> Result<u64, sqlx::Error> {
    let mut tx = crate::postgres::begin(pool).await?;
    sqlx::query!(
        "SELECT set_config('statement_timeout', $1, true)",
        STATEMENT_TIMEOUT
    )
    .fetch_one(&mut *tx)
    .await?;
    let deleted = table.delete_batch(&mut tx).await?;
    tx.commit().await?;
    Ok(deleted.rows_affected())
}
