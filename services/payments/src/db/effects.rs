//! Effects: planned calls to the provider.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use kit::telemetry;
use sqlx::PgConnection;
use uuid::Uuid;

use super::charges::subject;
use super::unknown_value;
use crate::domain::charge::ChargeEffect;
use crate::domain::effect::{DETACH, Effect, EffectCount, EffectState, ListedEffect, REFUND_PART};

/// An effect that the caller has leased.
#[derive(Debug, Clone)]
pub struct ClaimedEffect {
    pub effect: Effect,
    /// Number of attempts, including this one.
    pub attempts: i32,
    /// Part of the idempotency key.
    pub key_version: i32,
    /// Trace context of the span that planned the effect.
    pub trace_parent: Option<String>,
}

impl ClaimedEffect {
    /// Returns the idempotency key. All attempts use the same key until the provider responds with an error that it
    /// would repeat for that key.
    pub fn idempotency_key(&self) -> String {
        format!("{}:{}", self.effect, self.key_version)
    }
}

const fn subject_id(effect: Effect) -> Uuid {
    match effect {
        Effect::Charge(id, _) => id.uuid(),
        Effect::RefundPart(id) => id.uuid(),
        Effect::Detach(id) => id.uuid(),
    }
}

fn effect(subject_id: Uuid, kind: &str) -> Result<Effect, sqlx::Error> {
    Ok(match (kind, ChargeEffect::from_name(kind)) {
        (_, Some(effect)) => Effect::Charge(subject_id.into(), effect),
        (DETACH, None) => Effect::Detach(subject_id.into()),
        (REFUND_PART, None) => Effect::RefundPart(subject_id.into()),
        (_, None) => return Err(unknown_value("kind", kind)),
    })
}

fn state(name: &str) -> Result<EffectState, sqlx::Error> {
    name.parse().map_err(|_| unknown_value("state", name))
}

/// Plans an effect unless it is planned or done. A failed effect is planned again. Records the current trace.
pub async fn plan(conn: &mut PgConnection, effect: Effect) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO effects (subject_id, kind, due_at, created_at, trace_parent) VALUES ($1, $2, now(), now(), $3)
         ON CONFLICT ON CONSTRAINT effects_pkey DO UPDATE
         SET state = 'planned', attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at,
             trace_parent = excluded.trace_parent, key_version = effects.key_version + 1, failure_code = NULL,
             last_error = NULL, finished_at = NULL
         WHERE effects.state = 'failed'",
        subject_id(effect),
        effect.kind(),
        telemetry::trace_parent(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Plans an effect that is due although it is missing, done, or failed without a code. Returns whether it was planned.
pub async fn plan_missing(conn: &mut PgConnection, effect: Effect) -> Result<bool, sqlx::Error> {
    let planned = sqlx::query!(
        "INSERT INTO effects (subject_id, kind, due_at, created_at, trace_parent) VALUES ($1, $2, now(), now(), $3)
         ON CONFLICT ON CONSTRAINT effects_pkey DO UPDATE
         SET state = 'planned', attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at,
             trace_parent = excluded.trace_parent, key_version = effects.key_version + 1, last_error = NULL,
             finished_at = NULL
         WHERE effects.state = 'done' OR (effects.state = 'failed' AND effects.failure_code IS NULL)",
        subject_id(effect),
        effect.kind(),
        telemetry::trace_parent(),
    )
    .execute(conn)
    .await?;
    Ok(planned.rows_affected() == 1)
}

/// Returns whether an effect has failed with a code, so that it can never succeed.
pub async fn has_failed(conn: &mut PgConnection, effect: Effect) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM effects WHERE subject_id = $1 AND kind = $2 AND state = 'failed'
                          AND failure_code IS NOT NULL) AS "has_failed!""#,
        subject_id(effect),
        effect.kind(),
    )
    .fetch_one(conn)
    .await
}

/// Plans failed effects again: the given one, or all. Leaves out captures, because stores collect the money of failed ones. Returns
/// the number of planned effects.
pub async fn plan_failed(conn: &mut PgConnection, only: Option<Effect>) -> Result<u64, sqlx::Error> {
    let planned = sqlx::query!(
        "UPDATE effects SET state = 'planned', attempts = 0, due_at = now(), created_at = now(), key_version = key_version + 1,
                failure_code = NULL, finished_at = NULL
         WHERE state = 'failed' AND kind <> 'capture' AND ($1::uuid IS NULL OR (subject_id = $1 AND kind = $2))",
        only.map(subject_id),
        only.map(Effect::kind),
    )
    .execute(conn)
    .await?;
    Ok(planned.rows_affected())
}

/// Marks failed effects of a charge as done, except the effect that is due.
pub async fn finish_obsolete(
    conn: &mut PgConnection,
    effect_due: Option<ChargeEffect>,
    charge_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET state = 'done', finished_at = $3
         WHERE subject_id = $1 AND state = 'failed' AND kind IS DISTINCT FROM $2",
        charge_id,
        effect_due.map(ChargeEffect::as_str),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims up to `limit` due effects, by the database's clock. If the process dies, they are due again when the lease expires.
pub async fn claim_due(
    conn: &mut PgConnection,
    lease: Duration,
    limit: i64,
) -> Result<Vec<ClaimedEffect>, sqlx::Error> {
    let rows = sqlx::query!(
        "UPDATE effects SET due_at = now() + make_interval(secs => $1), attempts = attempts + 1
         WHERE (subject_id, kind) IN (
             SELECT subject_id, kind FROM effects WHERE state = 'planned' AND due_at <= now()
             ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING subject_id, kind, attempts, key_version, trace_parent",
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ClaimedEffect {
                effect: effect(row.subject_id, &row.kind)?,
                attempts: row.attempts,
                key_version: row.key_version,
                trace_parent: row.trace_parent,
            })
        })
        .collect()
}

/// Claims one effect if it is planned and due. The transaction may have planned it, so that the current time counts.
pub async fn claim(
    conn: &mut PgConnection,
    claimed: Effect,
    lease: Duration,
) -> Result<Option<ClaimedEffect>, sqlx::Error> {
    let row = sqlx::query!(
        "UPDATE effects SET due_at = clock_timestamp() + make_interval(secs => $3), attempts = attempts + 1
         WHERE subject_id = $1 AND kind = $2 AND state = 'planned' AND due_at <= clock_timestamp()
         RETURNING attempts, key_version, trace_parent",
        subject_id(claimed),
        claimed.kind(),
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| ClaimedEffect {
        effect: claimed,
        attempts: row.attempts,
        key_version: row.key_version,
        trace_parent: row.trace_parent,
    }))
}

/// Marks an effect as done: it was executed, or is no longer needed.
pub async fn mark_done(conn: &mut PgConnection, effect: Effect, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET state = 'done', failure_code = NULL, last_error = NULL, finished_at = $3
         WHERE subject_id = $1 AND kind = $2",
        subject_id(effect),
        effect.kind(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Reschedules an effect after an error, by the database's clock. With `new_key`, the next attempt uses a new idempotency key.
pub async fn reschedule(
    conn: &mut PgConnection,
    effect: Effect,
    delay: Duration,
    new_key: bool,
    error: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET due_at = now() + make_interval(secs => $3), key_version = key_version + $4, last_error = $5
         WHERE subject_id = $1 AND kind = $2 AND state = 'planned'",
        subject_id(effect),
        effect.kind(),
        delay.as_secs_f64(),
        i32::from(new_key),
        error,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks an effect as failed, unless it became unnecessary during the attempt. It is not executed again until it is planned again.
pub async fn mark_failed(
    conn: &mut PgConnection,
    effect: Effect,
    code: &str,
    error: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET state = 'failed', failure_code = $3, last_error = $4, finished_at = $5
         WHERE subject_id = $1 AND kind = $2 AND state = 'planned'",
        subject_id(effect),
        effect.kind(),
        code,
        error,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lists up to `limit` effects in the given states, oldest first. With `only_failed_captures`, lists captures that have failed for good,
/// newest first: they keep their code when they are done, because their hold was voided.
pub async fn list(
    conn: &mut PgConnection,
    states: &[EffectState],
    only_failed_captures: bool,
    limit: i64,
) -> Result<Vec<ListedEffect>, sqlx::Error> {
    let names: Vec<String> = states.iter().map(|state| state.as_str().to_owned()).collect();
    let rows = sqlx::query!(
        r#"SELECT effects.subject_id, effects.kind, effects.state, effects.attempts, effects.failure_code,
                  effects.last_error, effects.created_at AS "created_at: SqlTimestamp",
                  effects.due_at AS "due_at: SqlTimestamp", charges.purpose AS "purpose?",
                  charges.subject_id AS "charge_subject_id?"
           FROM effects LEFT JOIN refunds ON refunds.id = effects.subject_id
                LEFT JOIN charges ON charges.id = coalesce(refunds.charge_id, effects.subject_id)
           WHERE effects.state = ANY ($1)
             AND (NOT $3 OR (effects.kind = 'capture' AND effects.failure_code IS NOT NULL))
           ORDER BY CASE WHEN $3 THEN effects.finished_at END DESC, effects.created_at LIMIT $2"#,
        &names,
        limit,
        only_failed_captures,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ListedEffect {
                effect: effect(row.subject_id, &row.kind)?,
                state: state(&row.state)?,
                subject: row
                    .purpose
                    .zip(row.charge_subject_id)
                    .map(|(purpose, id)| subject(&purpose, id))
                    .transpose()?,
                attempts: row.attempts,
                created_at: row.created_at.to_jiff(),
                due_at: row.due_at.to_jiff(),
                failure_code: row.failure_code,
                last_error: row.last_error,
            })
        })
        .collect()
}

/// Counts the effects that are planned or failed, by kind and state.
pub async fn count_unfinished(conn: &mut PgConnection) -> Result<Vec<EffectCount>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT kind, state, count(*) AS "count!" FROM effects WHERE state IN ('planned', 'failed')
           GROUP BY kind, state"#,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(EffectCount {
                state: state(&row.state)?,
                kind: row.kind,
                count: row.count,
            })
        })
        .collect()
}

/// Returns the number of effects that are planned for longer than `age`, and when the oldest of them was planned.
pub async fn count_overdue(
    conn: &mut PgConnection,
    age: Duration,
) -> Result<(i64, Option<Timestamp>), sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "count!", min(created_at) AS "oldest: SqlTimestamp" FROM effects
           WHERE state = 'planned' AND created_at <= now() - make_interval(secs => $1)"#,
        age.as_secs_f64(),
    )
    .fetch_one(conn)
    .await?;
    Ok((row.count, row.oldest.map(SqlTimestamp::to_jiff)))
}

/// Deletes up to `limit` effects that were done before an instant, oldest first. Returns their number.
pub async fn delete_done(
    conn: &mut PgConnection,
    done_before: Timestamp,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM effects WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM effects WHERE state = 'done' AND coalesce(finished_at, created_at) < $1
             ORDER BY coalesce(finished_at, created_at) LIMIT $2 FOR UPDATE SKIP LOCKED))",
        done_before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
