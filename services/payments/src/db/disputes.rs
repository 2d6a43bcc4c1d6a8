//! Disputes of cardholders.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{ChargeId, Money};

use super::charges::subject;
use super::unknown_value;
use crate::domain::dispute::Dispute;
use crate::domain::subject::ChargeSubject;

/// Inserts a dispute, or updates its status and deadline unless the report is outdated. Returns whether it was inserted.
pub async fn upsert(
    conn: &mut PgConnection,
    charge_id: ChargeId,
    dispute: &Dispute,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO disputes (provider_id, charge_id, amount_minor_units, reason, status, respond_by, opened_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
         ON CONFLICT ON CONSTRAINT disputes_pkey DO NOTHING",
        dispute.provider_id,
        charge_id.uuid(),
        dispute.amount.minor_units(),
        dispute.reason,
        dispute.status,
        dispute.respond_by.map(ToSqlx::to_sqlx) as _,
        at.to_sqlx(),
    )
    .execute(&mut *conn)
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok(true);
    }
    sqlx::query!(
        "UPDATE disputes SET status = $2, respond_by = $3, amount_minor_units = $4, updated_at = $5
         WHERE provider_id = $1 AND (status, respond_by, amount_minor_units) IS DISTINCT FROM ($2, $3, $4)
           AND status <> ALL ($6)",
        dispute.provider_id,
        dispute.status,
        dispute.respond_by.map(ToSqlx::to_sqlx) as _,
        dispute.amount.minor_units(),
        at.to_sqlx(),
        &dispute.later_statuses(),
    )
    .execute(conn)
    .await?;
    Ok(false)
}

/// Lists up to `limit` disputes that need a response, the most urgent first.
pub async fn list_open(
    conn: &mut PgConnection,
    limit: i64,
) -> Result<Vec<(Dispute, ChargeSubject)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT disputes.provider_id, disputes.amount_minor_units, charges.currency AS "currency!", disputes.reason,
                  disputes.status, disputes.respond_by AS "respond_by: SqlTimestamp", charges.purpose,
                  charges.subject_id
           FROM disputes JOIN charges ON charges.id = disputes.charge_id
           WHERE disputes.status IN ('needs_response', 'warning_needs_response')
           ORDER BY disputes.respond_by LIMIT $1"#,
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let currency = row
                .currency
                .parse()
                .map_err(|_| unknown_value("currency", &row.currency))?;
            let dispute = Dispute {
                provider_id: row.provider_id,
                amount: Money::new(row.amount_minor_units, currency),
                reason: row.reason,
                status: row.status,
                respond_by: row.respond_by.map(SqlTimestamp::to_jiff),
            };
            Ok((dispute, subject(&row.purpose, row.subject_id)?))
        })
        .collect()
}
