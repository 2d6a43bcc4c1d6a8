//! Attempts to recover debts. A debt has at most one that is in flight or succeeded.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, DebtId, RecoveryId};

use crate::domain::debt::{Recovery, RecoveryEnd};

/// Inserts an attempt that is in flight. The caller has locked the debt.
pub async fn insert(conn: &mut PgConnection, recovery: Recovery, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO debt_recoveries (id, debt_id, state, created_at) VALUES ($1, $2, 'in_flight', $3)",
        recovery.id.uuid(),
        recovery.debt_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find_in_flight(
    conn: &mut PgConnection,
    debt_id: DebtId,
) -> Result<Option<RecoveryId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: RecoveryId" FROM debt_recoveries WHERE debt_id = $1 AND state = 'in_flight'"#,
        debt_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Ends an attempt that is in flight. Returns its debt, or `None` if it has ended before.
pub async fn end(
    conn: &mut PgConnection,
    id: RecoveryId,
    end: RecoveryEnd,
    at: Timestamp,
) -> Result<Option<DebtId>, sqlx::Error> {
    let state = match end {
        RecoveryEnd::Succeeded => "succeeded",
        RecoveryEnd::Failed => "failed",
    };
    sqlx::query_scalar!(
        r#"UPDATE debt_recoveries SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'in_flight'
           RETURNING debt_id AS "debt_id: DebtId""#,
        id.uuid(),
        state,
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Counts the failed attempts of a consumer since an instant. Does not count attempts that were voided without an object: they
/// reached no card.
pub async fn count_failed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM debt_recoveries JOIN debts ON debts.id = debt_recoveries.debt_id
           WHERE debts.consumer_id = $1 AND debt_recoveries.state = 'failed' AND debt_recoveries.created_at >= $2
             AND NOT EXISTS (SELECT FROM charges WHERE purpose = 'debt' AND subject_id = debt_recoveries.id
                             AND state = 'voided' AND provider_id IS NULL)"#,
        consumer_id.uuid(),
        since.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}

/// Returns whether an attempt is in flight and was started before an instant.
pub async fn was_started_before(
    conn: &mut PgConnection,
    id: RecoveryId,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM debt_recoveries
                          WHERE id = $1 AND state = 'in_flight' AND created_at < $2) AS "is_older!""#,
        id.uuid(),
        at.to_sqlx(),
    )
    .fetch_one(conn)
    .await
}
