//! What orders hold.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{BalanceId, Currency, Money, OrderId};
use uuid::Uuid;

use crate::domain::{Hold, Stake};

/// Writes an order's hold, unless it has one: waits for whoever is writing it just now.
pub async fn insert(
    conn: &mut PgConnection,
    order: OrderId,
    hold: &Hold,
    at: Timestamp,
) -> sqlx::Result<bool> {
    let stake = hold.stake();
    let done = sqlx::query!(
        "INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING",
        order.uuid(),
        hold.state(),
        stake.map(|stake| stake.balance.uuid()),
        stake.map(|stake| stake.amount.minor_units()),
        stake.map(|stake| stake.title.as_str()),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// An order's hold, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, order: OrderId) -> Result<Option<Hold>, kit::InternalError> {
    let row = sqlx::query!(
        "SELECT state, balance_id, amount, title FROM holds WHERE order_id = $1 FOR NO KEY UPDATE",
        order.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let stake = match (row.balance_id, row.amount, row.title) {
        (Some(balance), Some(cents), Some(title)) => Some(Stake {
            balance,
            amount: Money::new(cents, Currency::Usd),
            title,
        }),
        _ => None,
    };
    let hold = Hold::from_state(&row.state, stake);
    hold.map(Some).ok_or_else(|| {
        kit::InternalError::broken(format!("hold of {order} is {} without its stake", row.state))
    })
}

/// Moves a locked hold on from the state that was read.
pub async fn change(
    conn: &mut PgConnection,
    order: OrderId,
    from: &'static str,
    to: &Hold,
    at: Timestamp,
) -> Result<(), kit::InternalError> {
    let done = sqlx::query!(
        "UPDATE holds SET state = $3, changed_at = $4 WHERE order_id = $1 AND state = $2",
        order.uuid(),
        from,
        to.state(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    match done.rows_affected() {
        1 => Ok(()),
        _ => Err(kit::InternalError::broken(format!(
            "hold of {order} is no longer {from}"
        ))),
    }
}

/// What orders that no store has accepted hold of a balance.
pub async fn held_of(conn: &mut PgConnection, balance: BalanceId) -> sqlx::Result<Money> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "cents!" FROM holds WHERE balance_id = $1 AND state = 'held'"#,
        balance.uuid(),
    )
    .fetch_one(conn)
    .await
    .map(Money::usd)
}

/// The states of these orders' holds.
pub async fn states(conn: &mut PgConnection, orders: &[Uuid]) -> sqlx::Result<HashMap<OrderId, String>> {
    let rows = sqlx::query!(
        "SELECT order_id, state FROM holds WHERE order_id = ANY($1)",
        orders
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.order_id, row.state)).collect())
}
