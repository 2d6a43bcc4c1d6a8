//! Effects: planned calls to the provider.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::telemetry;
use sqlx::PgConnection;
use types::{ChargeId, PaymentMethodId};
use uuid::Uuid;

use super::unknown_value;
use crate::domain::charge::ChargeEffect;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Charge(ChargeId, ChargeEffect),
    /// Detaches a payment method from its customer.
    Detach(PaymentMethodId),
}

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

impl Effect {
    /// Returns the name in the database.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Charge(_, effect) => effect.as_str(),
            Self::Detach(_) => "detach",
        }
    }

    const fn subject_id(self) -> Uuid {
        match self {
            Self::Charge(id, _) => id.uuid(),
            Self::Detach(id) => id.uuid(),
        }
    }

    fn from_row(subject_id: Uuid, kind: &str) -> Result<Self, sqlx::Error> {
        Ok(match kind {
            "capture" => Self::Charge(subject_id.into(), ChargeEffect::Capture),
            "void" => Self::Charge(subject_id.into(), ChargeEffect::Void),
            "refund" => Self::Charge(subject_id.into(), ChargeEffect::Refund),
            "detach" => Self::Detach(subject_id.into()),
            other => return Err(unknown_value("kind", other)),
        })
    }
}

impl ClaimedEffect {
    /// Returns the idempotency key. Each attempt uses the same key, until the provider responds with an error.
    pub fn idempotency_key(&self) -> String {
        let (kind, version) = (self.effect.kind(), self.key_version);
        match self.effect {
            Effect::Charge(id, _) => format!("{id}:{kind}:{version}"),
            Effect::Detach(id) => format!("{id}:{kind}:{version}"),
        }
    }
}

/// Plans an effect unless it is planned or done. A failed effect is planned again. Records the current trace.
pub async fn plan(conn: &mut PgConnection, effect: Effect, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO effects (subject_id, kind, due_at, created_at, trace_parent) VALUES ($1, $2, $3, $3, $4)
         ON CONFLICT ON CONSTRAINT effects_pkey DO UPDATE
         SET state = 'planned', attempts = 0, due_at = excluded.due_at, trace_parent = excluded.trace_parent
         WHERE effects.state = 'failed'",
        effect.subject_id(),
        effect.kind(),
        at.to_sqlx(),
        telemetry::trace_parent(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims up to `limit` due effects. If the process dies, they are due again when the lease expires.
pub async fn claim_due(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    limit: i64,
) -> Result<Vec<ClaimedEffect>, sqlx::Error> {
    let until = now + lease;
    let rows = sqlx::query!(
        "UPDATE effects SET due_at = $2, attempts = attempts + 1
         WHERE (subject_id, kind) IN (
             SELECT subject_id, kind FROM effects WHERE state = 'planned' AND due_at <= $1
             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING subject_id, kind, attempts, key_version, trace_parent",
        now.to_sqlx(),
        until.to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ClaimedEffect {
                effect: Effect::from_row(row.subject_id, &row.kind)?,
                attempts: row.attempts,
                key_version: row.key_version,
                trace_parent: row.trace_parent,
            })
        })
        .collect()
}

/// Marks an effect as done: it was executed, or is no longer needed.
pub async fn mark_done(conn: &mut PgConnection, effect: Effect) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET state = 'done' WHERE subject_id = $1 AND kind = $2",
        effect.subject_id(),
        effect.kind()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Reschedules an effect. With `new_key`, the next attempt uses a new idempotency key.
pub async fn reschedule(
    conn: &mut PgConnection,
    effect: Effect,
    due_at: Timestamp,
    new_key: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET due_at = $3, key_version = key_version + $4
         WHERE subject_id = $1 AND kind = $2 AND state = 'planned'",
        effect.subject_id(),
        effect.kind(),
        due_at.to_sqlx(),
        i32::from(new_key),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks an effect as failed. It is not executed again until it is planned again.
pub async fn mark_failed(conn: &mut PgConnection, effect: Effect) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE effects SET state = 'failed' WHERE subject_id = $1 AND kind = $2",
        effect.subject_id(),
        effect.kind()
    )
    .execute(conn)
    .await?;
    Ok(())
}
