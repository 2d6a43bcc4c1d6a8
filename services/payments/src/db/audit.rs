//! Records of charges for the audit, and its progress.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::ChargeId;
use uuid::Uuid;

use super::unknown_value;
use crate::domain::audit::{
    AuditedCharge, AuditedDebt, AuditedRecovery, DisputeTotals, EventTotal, RefundTotals,
};
use crate::domain::charge::Charge;
use crate::domain::event_kind::EventKind;

/// Returns whether this transaction is the only one that audits new changes.
pub async fn lock(conn: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock(hashtext('payments.audit')) AS "is_locked!""#)
        .fetch_one(conn)
        .await
}

/// Returns from when changes were not audited. A transaction commits later than the time of its change, so the last hour
/// before the previous audit is audited again. `None` if there was none.
pub async fn unaudited_since(conn: &mut PgConnection) -> Result<Option<Timestamp>, sqlx::Error> {
    let since = sqlx::query_scalar!(
        r#"SELECT audited_at - interval '1 hour' AS "since!: SqlTimestamp" FROM audit_progress"#
    )
    .fetch_optional(conn)
    .await?;
    Ok(since.map(SqlTimestamp::to_jiff))
}

/// Records that an audit has ended that began with this transaction, by the database's clock, as the times of charges are.
pub async fn record_progress(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO audit_progress (audited_at) VALUES (now())
         ON CONFLICT ON CONSTRAINT audit_progress_pkey DO UPDATE SET audited_at = excluded.audited_at",
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lists the charges since an instant for which the provider has money. A charge changes after its creation, and the index is by change.
pub async fn list_paid(conn: &mut PgConnection, since: Timestamp) -> Result<Vec<ChargeId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: ChargeId" FROM charges
           WHERE has_events AND updated_at >= $1 AND created_at >= $1
             AND state IN ('authorized', 'processing', 'succeeded')"#,
        since.to_sqlx(),
    )
    .fetch_all(conn)
    .await
}

/// Reads the records of charges, which are sorted by id.
pub async fn records(
    conn: &mut PgConnection,
    charges: Vec<Charge>,
) -> Result<Vec<AuditedCharge>, sqlx::Error> {
    let ids: Vec<Uuid> = charges.iter().map(|charge| charge.id.uuid()).collect();
    let mut events = events(&mut *conn, &ids).await?;
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT charges.fulfilled_at IS NOT NULL AS "is_fulfilled!", charges.updated_at AS "updated_at: SqlTimestamp",
                  refunds.accepted AS "accepted!", refunds.failed AS "failed!", refunds.planned AS "planned!",
                  refunds.without_effect AS "without_effect!",
                  disputes.count AS "disputes!", disputes.max_amount AS "max_disputed!",
                  debts.amount_minor_units AS "debt?", debts.penalty_fee_minor_units AS "penalty_fee?",
                  debts.fee_waived_at IS NOT NULL AS "is_fee_waived!", debts.recovered_at IS NOT NULL AS "is_recovered!",
                  debts.written_off_at IS NOT NULL AS "is_written_off!",
                  (SELECT count(*) FROM debt_recoveries
                   WHERE debt_id = debts.id AND state = 'succeeded') AS "succeeded_recoveries!",
                  debt_recoveries.state AS "recovery_state?",
                  recovered.amount_minor_units + recovered.penalty_fee_minor_units AS "recovered_total?",
                  recovered.recovered_at IS NOT NULL AS "is_debt_recovered!",
                  ARRAY (SELECT kind FROM effects
                         WHERE subject_id = charges.id AND state IN ('planned', 'failed')) AS "unfinished_effects!"
           FROM charges
           CROSS JOIN LATERAL (
             SELECT coalesce(sum(amount_minor_units) FILTER (WHERE state IN ('pending', 'succeeded', 'failed')), 0)::bigint
                      AS accepted,
                    coalesce(sum(amount_minor_units) FILTER (WHERE state = 'failed'), 0)::bigint AS failed,
                    coalesce(sum(amount_minor_units) FILTER (WHERE state = 'planned'), 0)::bigint AS planned,
                    count(*) FILTER (WHERE state = 'planned' AND NOT EXISTS (
                      SELECT FROM effects WHERE effects.subject_id = refunds.id AND effects.kind = 'refund_part'
                                            AND effects.state IN ('planned', 'failed'))) AS without_effect
             FROM refunds WHERE charge_id = charges.id) refunds
           CROSS JOIN LATERAL (
             SELECT count(*) AS count, coalesce(max(amount_minor_units), 0) AS max_amount
             FROM disputes WHERE charge_id = charges.id) disputes
           LEFT JOIN debts ON debts.charge_id = charges.id
           LEFT JOIN debt_recoveries ON charges.purpose = 'debt' AND debt_recoveries.id = charges.subject_id
           LEFT JOIN debts recovered ON recovered.id = debt_recoveries.debt_id
           WHERE charges.id = ANY ($1) ORDER BY charges.id"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(charges
        .into_iter()
        .zip(rows)
        .map(|(charge, row)| {
            let events = events.remove(&charge.id).unwrap_or_default();
            row.into_audited(charge, events)
        })
        .collect())
}

async fn events(
    conn: &mut PgConnection,
    ids: &[Uuid],
) -> Result<HashMap<ChargeId, Vec<EventTotal>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT charge_id, kind, count(*) AS "count!", sum(amount_minor_units)::bigint AS "amount!",
                  min(amount_minor_units) AS "min!", max(amount_minor_units) AS "max!"
           FROM charge_events WHERE charge_id = ANY ($1) GROUP BY charge_id, kind"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let mut events: HashMap<ChargeId, Vec<EventTotal>> = HashMap::new();
    for row in rows {
        events.entry(row.charge_id).or_default().push(EventTotal {
            kind: EventKind::from_name(&row.kind).ok_or_else(|| unknown_value("kind", &row.kind))?,
            count: row.count,
            amount: row.amount,
            min_amount: row.min,
            max_amount: row.max,
        });
    }
    Ok(events)
}

struct Row {
    is_fulfilled: bool,
    updated_at: SqlTimestamp,
    accepted: i64,
    failed: i64,
    planned: i64,
    without_effect: i64,
    disputes: i64,
    max_disputed: i64,
    debt: Option<i64>,
    penalty_fee: Option<i64>,
    is_fee_waived: bool,
    is_recovered: bool,
    is_written_off: bool,
    succeeded_recoveries: i64,
    recovery_state: Option<String>,
    recovered_total: Option<i64>,
    is_debt_recovered: bool,
    unfinished_effects: Vec<String>,
}

impl Row {
    fn into_audited(self, charge: Charge, events: Vec<EventTotal>) -> AuditedCharge {
        AuditedCharge {
            charge,
            is_fulfilled: self.is_fulfilled,
            updated_at: self.updated_at.to_jiff(),
            refunds: RefundTotals {
                accepted: self.accepted,
                failed: self.failed,
                planned: self.planned,
                without_effect: self.without_effect,
            },
            disputes: DisputeTotals {
                count: self.disputes,
                max_amount: self.max_disputed,
            },
            debt: self
                .debt
                .zip(self.penalty_fee)
                .map(|(amount, penalty_fee)| AuditedDebt {
                    amount,
                    penalty_fee,
                    is_fee_waived: self.is_fee_waived,
                    is_recovered: self.is_recovered,
                    is_written_off: self.is_written_off,
                    succeeded_recoveries: self.succeeded_recoveries,
                }),
            recovery: self
                .recovery_state
                .zip(self.recovered_total)
                .map(|(state, debt_total)| AuditedRecovery {
                    state,
                    debt_total,
                    is_debt_recovered: self.is_debt_recovered,
                }),
            events,
            unfinished_effects: self.unfinished_effects,
        }
    }
}
