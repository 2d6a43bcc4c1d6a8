//! Depth and age of the outbox.

use std::time::Duration;

use sqlx::PgPool;

use crate::{
    lifecycle::Process,
    metrics::{self, Gauge},
    postgres::DatabaseTimeout,
};

static EVENTS: Gauge = Gauge::new("outbox.events", "Events that are not published yet");
static OLDEST_AGE: Gauge = Gauge::seconds(
    "outbox.oldest.age",
    "Age of the oldest event that is not published yet",
);

const INTERVAL: Duration = Duration::from_secs(5);

/// Measures the outbox until shutdown if metrics are enabled. Every replica reports the same values.
pub(super) fn start(process: &Process, pool: &PgPool, timeout: DatabaseTimeout) {
    if metrics::is_enabled() {
        let (context, pool) = (process.clone(), pool.clone());
        process.spawn_worker("outbox metrics", move || {
            run(context.clone(), pool.clone(), timeout)
        });
    }
}

async fn run(process: Process, pool: PgPool, timeout: DatabaseTimeout) {
    loop {
        if let Err(error) = timeout.limit(sample(&pool)).await {
            tracing::warn!(%error, "cannot measure the outbox; will retry");
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}

async fn sample(pool: &PgPool) -> Result<(), sqlx::Error> {
    let outbox = sqlx::query!(
        r#"SELECT count(*) AS "events!",
                  coalesce(extract(epoch FROM now() - min(occurred_at))::bigint, 0) AS "oldest_seconds!"
           FROM outbox"#,
    )
    .fetch_one(pool)
    .await?;
    EVENTS.set_count(outbox.events, &[]);
    OLDEST_AGE.set_count(outbox.oldest_seconds, &[]);
    Ok(())
}
