//! Statements of the relay on the outbox.

use std::time::Duration;

use sqlx::PgPool;
use uuid::Uuid;

pub(super) const BATCH_SIZE: usize = 200;
/// Longer than publishing and the wait for confirms together, so that no row is claimed while its confirm may arrive.
const LEASE: Duration = Duration::from_secs(15);

/// A claimed row of the outbox.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) position: i64,
    pub(super) event_id: Uuid,
    pub(super) event_type: String,
    pub(super) aggregate_id: String,
    pub(super) aggregate_version: i64,
    pub(super) payload: Vec<u8>,
    pub(super) trace_parent: Option<String>,
}

/// Moves confirmed rows to `published_events`, and claims the oldest rows that are not leased.
pub(super) async fn claim_oldest(pool: &PgPool, confirmed: &[i64]) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "WITH deleted AS (DELETE FROM outbox WHERE position = ANY ($3) RETURNING *), published AS (
             INSERT INTO published_events
                 (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted)
         UPDATE outbox SET leased_until = now() + make_interval(secs => $1)
         WHERE position IN (
             SELECT position FROM outbox
             WHERE (leased_until IS NULL OR leased_until < now()) AND position <> ALL ($3)
             ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING position, event_id, kind AS event_type, aggregate_id, aggregate_version, payload, trace_parent",
        LEASE.as_secs_f64(),
        limit(),
        confirmed,
    )
    .fetch_all(pool)
    .await
}

/// As [`claim_oldest`], without the rows of unavailable event types. Reads the first rows of each other event type from an index, because
/// the unavailable ones may have many rows that are older.
pub(super) async fn claim_other_types(
    pool: &PgPool,
    confirmed: &[i64],
    unavailable: &[String],
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "WITH RECURSIVE deleted AS (DELETE FROM outbox WHERE position = ANY ($3) RETURNING *), published AS (
             INSERT INTO published_events
                 (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted),
         kinds AS (
             (SELECT kind FROM outbox ORDER BY kind LIMIT 1)
             UNION ALL
             SELECT (SELECT outbox.kind FROM outbox WHERE outbox.kind > kinds.kind ORDER BY outbox.kind LIMIT 1)
             FROM kinds WHERE kinds.kind IS NOT NULL)
         UPDATE outbox SET leased_until = now() + make_interval(secs => $1)
         WHERE position IN (
             SELECT oldest.position FROM kinds CROSS JOIN LATERAL (
                 SELECT position, occurred_at FROM outbox
                 WHERE outbox.kind = kinds.kind AND (leased_until IS NULL OR leased_until < now())
                   AND position <> ALL ($3)
                 ORDER BY occurred_at LIMIT $2 FOR UPDATE SKIP LOCKED) oldest
             WHERE kinds.kind <> ALL ($4)
             ORDER BY oldest.occurred_at LIMIT $2)
         RETURNING position, event_id, kind AS event_type, aggregate_id, aggregate_version, payload, trace_parent",
        LEASE.as_secs_f64(),
        limit(),
        confirmed,
        unavailable,
    )
    .fetch_all(pool)
    .await
}

/// Moves confirmed rows to `published_events`.
pub(super) async fn remove(pool: &PgPool, confirmed: &[i64]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH deleted AS (DELETE FROM outbox WHERE position = ANY ($1) RETURNING *)
         INSERT INTO published_events
             (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
         SELECT event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at FROM deleted",
        confirmed
    )
    .execute(pool)
    .await
    .map(drop)
}

fn limit() -> i64 {
    i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX)
}
