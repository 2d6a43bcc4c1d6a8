//! Forgets what the kit's tables need no longer, so that they hold weeks and not years. Every replica of every service
//! prunes its own database; of two at once each passes over what the other is at.

use std::time::Duration;

use sqlx::PgPool;

use crate::lifecycle::Process;

const DAY: Duration = Duration::from_secs(86_400);

/// How long a service knows that it consumed an event. The consumer takes no event that is nearly as old
/// ([`crate::consumer`]), so none has its effect twice, whoever brings it again: a broker, a relay, or a person who moves
/// dead letters back.
pub const CONSUMED_EVENT_RETENTION: Duration = DAY.saturating_mul(30);

/// How long the answer to a finished request stays under its key (contract, `PlaceOrderRequest.idempotency_key`). What is
/// not finished stays until it is: a saga or its recovery still needs it.
pub const RESPONSE_RETENTION: Duration = DAY.saturating_mul(7);

const EVERY: Duration = Duration::from_secs(60);
const BATCH: u64 = 1_000;
/// Between batches, so that those whom somebody waits for get through.
const PAUSE: Duration = Duration::from_millis(50);

/// A batch takes milliseconds. One that takes longer waits for somebody, and is better tried again.
const STATEMENT_TIMEOUT: &str = "SET LOCAL statement_timeout = '3s'";
/// When the server does not even say that.
const BATCH_WITHIN: Duration = Duration::from_secs(8);

/// What is forgotten: rows of one table that are older than so many seconds (`$1`), oldest first, so many at once (`$2`).
struct Old {
    what: &'static str,
    kept: Duration,
    delete: &'static str,
}

const ALL: [Old; 2] = [
    Old {
        what: "consumed events",
        kept: CONSUMED_EVENT_RETENTION,
        delete: "DELETE FROM consumed_events WHERE ctid = ANY (ARRAY (
                     SELECT ctid FROM consumed_events
                     WHERE consumed_at < now() - $1 * interval '1 second'
                     ORDER BY consumed_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
    },
    Old {
        what: "answers kept under idempotency keys",
        kept: RESPONSE_RETENTION,
        delete: "DELETE FROM idempotency WHERE ctid = ANY (ARRAY (
                     SELECT ctid FROM idempotency
                     WHERE started_at < now() - $1 * interval '1 second' AND response IS NOT NULL
                     ORDER BY started_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
    },
];

/// Prunes on a tracked task until the process is told to stop; the batch under way is finished.
pub fn start(process: &Process, pool: &PgPool) {
    drop(process.spawn(run(process.clone(), pool.clone())));
}

async fn run(process: Process, pool: PgPool) {
    loop {
        for old in &ALL {
            match forget(&process, &pool, old).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, what = old.what, "forgotten"),
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), what = old.what, "not forgotten yet");
                }
            }
        }
        if !process.sleep(EVERY).await {
            return;
        }
    }
}

/// Batch by batch, each in a transaction of its own, until no full one is left.
async fn forget(process: &Process, pool: &PgPool, old: &Old) -> anyhow::Result<u64> {
    let mut rows = 0;
    loop {
        let batch = tokio::time::timeout(BATCH_WITHIN, forget_batch(pool, old)).await??;
        rows += batch;
        if batch < BATCH || !process.sleep(PAUSE).await {
            return Ok(rows);
        }
    }
}

async fn forget_batch(pool: &PgPool, old: &Old) -> anyhow::Result<u64> {
    let mut tx = pool.begin().await?;
    sqlx::query(STATEMENT_TIMEOUT).execute(&mut *tx).await?;
    let done = sqlx::query(old.delete)
        .bind(i64::try_from(old.kept.as_secs())?)
        .bind(i64::try_from(BATCH)?)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(done.rows_affected())
}
