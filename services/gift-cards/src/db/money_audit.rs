//! The purchases that the audit of money compares, by the database's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use kit::InternalError;
use sqlx::PgConnection;
use types::{Money, PurchaseId};
use uuid::Uuid;

use crate::domain::money_audit::AuditedPurchase;

/// Returns the time before which a change is settled.
pub async fn settled_before(conn: &mut PgConnection, settle_time: Duration) -> sqlx::Result<Timestamp> {
    sqlx::query_scalar!(
        r#"SELECT now() - make_interval(secs => $1) AS "settled_before!: SqlTimestamp""#,
        settle_time.as_secs_f64(),
    )
    .fetch_one(conn)
    .await
    .map(SqlTimestamp::to_jiff)
}

/// Lists purchases by id, after `after`: those that began or ended since an instant, or all.
pub async fn list_changed(
    conn: &mut PgConnection,
    since: Option<Timestamp>,
    after: Option<PurchaseId>,
    limit: i64,
) -> sqlx::Result<Vec<PurchaseId>> {
    let after = after.map_or(Uuid::nil(), PurchaseId::uuid);
    match since {
        Some(since) => {
            sqlx::query_scalar!(
                "SELECT id FROM purchases WHERE changed_at >= $1 AND id > $2 ORDER BY id LIMIT $3",
                since.to_sqlx() as _,
                after,
                limit,
            )
            .fetch_all(conn)
            .await
        }
        None => {
            sqlx::query_scalar!(
                "SELECT id FROM purchases WHERE id > $1 ORDER BY id LIMIT $2",
                after,
                limit,
            )
            .fetch_all(conn)
            .await
        }
    }
}

pub async fn read(
    conn: &mut PgConnection,
    ids: &[PurchaseId],
    settled_before: Timestamp,
) -> Result<Vec<AuditedPurchase>, InternalError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT id, kind, state, amount, changed_at <= $2 AS "is_settled!" FROM purchases WHERE id = ANY($1)"#,
        &ids,
        settled_before.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(AuditedPurchase {
                id: row.id,
                kind: row.kind.parse().map_err(InternalError::invariant_violated)?,
                state: row.state.parse().map_err(InternalError::invariant_violated)?,
                amount: Money::usd(row.amount),
                is_settled: row.is_settled,
            })
        })
        .collect()
}
