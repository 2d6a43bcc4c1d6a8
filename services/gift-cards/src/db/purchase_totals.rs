//! Sums and counts of a consumer's purchases, for limits and balances.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use ledger::AccountId;
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, ConsumerId, Money};

use crate::domain::auto_reload::{RecentReloads, ReloadState};

/// Returns the number of purchases without a payment outcome, excluding started bank debits.
pub async fn count_unfinished(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM purchases
           WHERE consumer_id = $1 AND state IN ('pending', 'requires_action')"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Returns the value that unfinished purchases will add to a balance or, without one, to the consumer's card of a company.
pub async fn unfinished_value(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: Option<BalanceId>,
    company_id: Option<CompanyId>,
) -> sqlx::Result<Money> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(value), 0)::bigint AS "cents!" FROM purchases
           WHERE consumer_id = $1 AND state IN ('pending', 'requires_action', 'processing')
             AND (balance_id = $2 OR company_id = $3)"#,
        consumer_id.uuid(),
        balance_id.map(BalanceId::uuid),
        company_id.map(CompanyId::uuid),
    )
    .fetch_one(conn)
    .await
    .map(Money::usd)
}

/// A purchase by bank debit that has not settled.
#[derive(Debug)]
pub struct PendingValue {
    pub balance_id: Option<BalanceId>,
    pub company_id: Option<CompanyId>,
    pub value: i64,
}

pub async fn list_processing(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Vec<PendingValue>> {
    sqlx::query_as!(
        PendingValue,
        "SELECT balance_id, company_id, value FROM purchases WHERE consumer_id = $1 AND state = 'processing'",
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await
}

/// Returns the balance and the automatic reloads of a consumer, and how many of them began since these instants. One statement reads
/// both, so that a reload that ends at the same time either still runs or is part of the balance.
pub async fn reload_state(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    account: AccountId,
    day_start: Timestamp,
    week_start: Timestamp,
) -> sqlx::Result<ReloadState> {
    let row = sqlx::query!(
        r#"SELECT coalesce((SELECT balance FROM ledger.balances WHERE account_id = $2), 0) AS "available!",
                  count(*) AS "count!",
                  count(*) FILTER (WHERE state <> 'failed' AND created_at > $3) AS "last_day!",
                  count(*) FILTER (WHERE state <> 'failed' AND created_at > $4) AS "last_week!",
                  coalesce(bool_or(state IN ('pending', 'requires_action', 'processing')), false) AS "is_one_running!"
           FROM purchases WHERE consumer_id = $1 AND is_automatic"#,
        consumer_id.uuid(),
        account.uuid(),
        day_start.to_sqlx(),
        week_start.to_sqlx(),
    )
    .fetch_one(conn)
    .await?;
    Ok(ReloadState {
        available: Money::usd(row.available),
        count: row.count,
        recent: RecentReloads {
            last_day: row.last_day,
            last_week: row.last_week,
            is_one_running: row.is_one_running,
        },
    })
}
