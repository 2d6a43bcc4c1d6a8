//! Rules for automatic reloads. When a rule is due is a time of the database's clock, because replicas can have different ones.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use kit::InternalError;
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, Money};

use crate::domain::auto_reload::AutoReload;

struct Row {
    consumer_id: ConsumerId,
    is_enabled: bool,
    threshold: i64,
    amount: i64,
    payment_method_id: String,
    tender: String,
    paused_until: Option<SqlTimestamp>,
    frozen_until: Option<SqlTimestamp>,
}

impl TryFrom<Row> for AutoReload {
    type Error = InternalError;

    fn try_from(row: Row) -> Result<Self, InternalError> {
        Ok(Self {
            consumer_id: row.consumer_id,
            is_enabled: row.is_enabled,
            threshold: Money::usd(row.threshold),
            amount: Money::usd(row.amount),
            payment_method_id: row.payment_method_id,
            tender: row.tender.parse().map_err(InternalError::invariant_violated)?,
            paused_until: row.paused_until.map(Into::into),
            frozen_until: row.frozen_until.map(Into::into),
        })
    }
}

pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Option<AutoReload>, InternalError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT consumer_id, is_enabled, threshold, amount, payment_method_id, tender, paused_until, frozen_until
         FROM auto_reload_rules WHERE consumer_id = $1",
        consumer_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(AutoReload::try_from).transpose()
}

/// Inserts or replaces the consumer's rule. A freeze stays, including one from before the consumer had a rule. An enabled rule is
/// checked at once.
pub async fn upsert(conn: &mut PgConnection, rule: &AutoReload) -> Result<AutoReload, InternalError> {
    let row = sqlx::query_as!(
        Row,
        "INSERT INTO auto_reload_rules (consumer_id, is_enabled, threshold, amount, payment_method_id, tender, paused_until,
           due_at, updated_at, frozen_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $2 THEN now() END, now(),
           greatest($8::timestamptz, (SELECT frozen_until FROM auto_reload_freezes WHERE consumer_id = $1)))
         ON CONFLICT ON CONSTRAINT auto_reload_rules_pkey DO UPDATE SET is_enabled = excluded.is_enabled,
           threshold = excluded.threshold, amount = excluded.amount, payment_method_id = excluded.payment_method_id,
           tender = excluded.tender, paused_until = excluded.paused_until, due_at = excluded.due_at,
           updated_at = excluded.updated_at,
           frozen_until = greatest(auto_reload_rules.frozen_until, excluded.frozen_until)
         RETURNING consumer_id, is_enabled, threshold, amount, payment_method_id, tender, paused_until, frozen_until",
        rule.consumer_id.uuid(),
        rule.is_enabled,
        rule.threshold.minor_units(),
        rule.amount.minor_units(),
        rule.payment_method_id,
        rule.tender.as_str(),
        rule.paused_until.map(ToSqlx::to_sqlx) as _,
        rule.frozen_until.map(ToSqlx::to_sqlx) as _,
    )
    .fetch_one(conn)
    .await?;
    row.try_into()
}

/// Lets the worker check the consumer's rule, if there is one and the balance is JoePass and below its threshold. A check that runs
/// may have read the balance before, so the rule is checked again.
pub async fn mark_due(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    available_cents: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE auto_reload_rules SET due_at = now()
         WHERE consumer_id = $1 AND is_enabled AND (due_at IS NULL OR due_at > now()) AND threshold > $3
           AND EXISTS (SELECT FROM ledger.accounts WHERE id = $2 AND owner = $1)",
        consumer_id.uuid(),
        balance_id.uuid(),
        available_cents,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// A rule that the caller checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleLease {
    pub consumer_id: ConsumerId,
    leased_until: Timestamp,
}

/// Leases rules that are due: another task finds them again when the lease ends, unless the check ends before.
pub async fn lease_due(conn: &mut PgConnection, lease: Duration, limit: i64) -> sqlx::Result<Vec<RuleLease>> {
    let rows = sqlx::query!(
        r#"UPDATE auto_reload_rules SET due_at = now() + make_interval(secs => $1)
           WHERE consumer_id IN (SELECT consumer_id FROM auto_reload_rules WHERE due_at <= now()
                                 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING consumer_id, due_at AS "leased_until!: SqlTimestamp""#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| RuleLease {
            consumer_id: row.consumer_id,
            leased_until: row.leased_until.to_jiff(),
        })
        .collect())
}

/// Ends a check of a rule. `next` is the time until the next one, if the rule has to be checked again without a change of the balance.
/// Does nothing if the rule was changed, paused, or became due since it was leased.
pub async fn finish_check(
    conn: &mut PgConnection,
    lease: RuleLease,
    next: Option<SignedDuration>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE auto_reload_rules SET due_at = now() + make_interval(secs => $3) WHERE consumer_id = $1 AND due_at = $2",
        lease.consumer_id.uuid(),
        lease.leased_until.to_sqlx() as _,
        next.map(|next| next.as_secs_f64()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Pauses the rule after a reload with this payment method failed, and lets it be checked again afterwards. A longer pause stays. Returns
/// the end of the pause, or `None` if the rule is off, or uses another method by now.
pub async fn pause(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    payment_method_id: &str,
    until: Timestamp,
    now: Timestamp,
) -> sqlx::Result<Option<Timestamp>> {
    let paused_until = sqlx::query_scalar!(
        r#"UPDATE auto_reload_rules
           SET paused_until = greatest(paused_until, $3), due_at = now() + make_interval(secs => $4)
           WHERE consumer_id = $1 AND payment_method_id = $2 AND is_enabled
           RETURNING paused_until AS "paused_until!: SqlTimestamp""#,
        consumer_id.uuid(),
        payment_method_id,
        until.to_sqlx(),
        until.duration_since(now).as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(paused_until.map(SqlTimestamp::to_jiff))
}

/// Turns the rule off if it uses this payment method. Returns whether it does.
pub async fn turn_off(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    payment_method_id: &str,
) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE auto_reload_rules SET is_enabled = false, due_at = NULL, updated_at = now()
         WHERE consumer_id = $1 AND payment_method_id = $2",
        consumer_id.uuid(),
        payment_method_id,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Freezes the consumer's rule, and one that is set or enabled before the freeze ends.
pub async fn freeze(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    until: Timestamp,
    now: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO auto_reload_freezes (consumer_id, frozen_until) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT auto_reload_freezes_pkey
         DO UPDATE SET frozen_until = greatest(auto_reload_freezes.frozen_until, excluded.frozen_until)",
        consumer_id.uuid(),
        until.to_sqlx(),
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE auto_reload_rules SET frozen_until = greatest(frozen_until, $2),
           due_at = CASE WHEN is_enabled THEN now() + make_interval(secs => $3) END
         WHERE consumer_id = $1",
        consumer_id.uuid(),
        until.to_sqlx(),
        until.duration_since(now).as_secs_f64(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes the consumer's rule and freeze.
pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM auto_reload_freezes WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "DELETE FROM auto_reload_rules WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes up to `limit` freezes that have ended. Rules have their own.
pub async fn delete_ended_freezes(conn: &mut PgConnection, now: Timestamp, limit: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM auto_reload_freezes WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM auto_reload_freezes WHERE frozen_until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
