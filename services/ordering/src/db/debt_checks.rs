//! What ordering knows of the debts of consumers. See `docs/decisions/0058-known-debts.md`.

use std::time::Duration;

use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::debt_check::DebtCheck;

pub async fn find(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<DebtCheck, sqlx::Error> {
    let check = sqlx::query_as!(
        DebtCheck,
        r#"SELECT announced_debts, coalesce(clear_until > now(), false) AS "is_clear!"
           FROM debt_checks WHERE consumer_id = $1"#,
        consumer_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(check.unwrap_or(DebtCheck {
        announced_debts: 0,
        is_clear: false,
    }))
}

/// Records that payments reported no debts, unless it has announced one since `announced_debts` was read, or the consumer was removed.
/// It counts for `valid_for` by the database's clock.
pub async fn record_clear(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    announced_debts: i64,
    valid_for: Duration,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO debt_checks (consumer_id, clear_until)
         SELECT $1, now() + make_interval(secs => $3)
         WHERE NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
         ON CONFLICT ON CONSTRAINT debt_checks_pkey DO UPDATE SET clear_until = EXCLUDED.clear_until
         WHERE debt_checks.announced_debts = $2",
        consumer_id.uuid(),
        announced_debts,
        valid_for.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Records that payments announced a debt, unless the consumer was removed.
pub async fn record_debt(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO debt_checks (consumer_id, announced_debts)
         SELECT $1, 1 WHERE NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
         ON CONFLICT ON CONSTRAINT debt_checks_pkey
         DO UPDATE SET announced_debts = debt_checks.announced_debts + 1, clear_until = NULL",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes what is known of a removed consumer.
pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM debt_checks WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
