//! Holds of orders, one row per order.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use ledger::LiveHold;
use sqlx::PgConnection;
use types::{BalanceId, Money, OrderId};
use uuid::Uuid;

use crate::domain::hold::{HeldAmount, Hold, HoldState};

/// Inserts the order's hold and returns `true`, or `false` if the order has one. Waits for a concurrent insert.
pub async fn insert(
    conn: &mut PgConnection,
    order_id: OrderId,
    hold: &Hold,
    at: Timestamp,
) -> sqlx::Result<bool> {
    let held_amount = hold.held_amount();
    let done = sqlx::query!(
        "INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING",
        order_id.uuid(),
        hold.state().as_str(),
        held_amount.map(|held_amount| held_amount.balance_id.uuid()),
        held_amount.map(|held_amount| held_amount.amount.minor_units()),
        held_amount.map(|held_amount| held_amount.title.as_str()),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the order's hold, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, order_id: OrderId) -> Result<Option<Hold>, InternalError> {
    let row = sqlx::query!(
        "SELECT state, balance_id, amount, title FROM holds WHERE order_id = $1 FOR NO KEY UPDATE",
        order_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let held_amount = match (row.balance_id, row.amount, row.title) {
        (Some(balance_id), Some(cents), Some(title)) => Some(HeldAmount {
            balance_id,
            amount: Money::usd(cents),
            title,
        }),
        _ => None,
    };
    let state = parse_state(&row.state)?;
    let hold = Hold::from_parts(state, held_amount);
    hold.map(Some).ok_or_else(|| {
        InternalError::invariant_violated(format!(
            "hold of {order_id}: state {state} does not match its amount"
        ))
    })
}

/// Changes the state of a locked hold.
///
/// # Errors
/// [`InternalError`] if the state is not `from`.
pub async fn update_state(
    conn: &mut PgConnection,
    order_id: OrderId,
    from: HoldState,
    to: HoldState,
    at: Timestamp,
) -> Result<(), InternalError> {
    let done = sqlx::query!(
        "UPDATE holds SET state = $3, changed_at = $4 WHERE order_id = $1 AND state = $2",
        order_id.uuid(),
        from.as_str(),
        to.as_str(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    match done.rows_affected() {
        1 => Ok(()),
        _ => Err(InternalError::invariant_violated(format!(
            "hold of {order_id} is no longer {from}"
        ))),
    }
}

/// Returns the sum of the amounts held for orders that no store has accepted.
pub async fn total_held(conn: &mut PgConnection, balance_id: BalanceId) -> sqlx::Result<Money> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "cents!" FROM holds WHERE balance_id = $1 AND state = 'held'"#,
        balance_id.uuid(),
    )
    .fetch_one(conn)
    .await
    .map(Money::usd)
}

/// Deletes the oldest tombstones that were created before this time, at most `limit`.
pub async fn delete_closed(conn: &mut PgConnection, before: Timestamp, limit: i64) -> sqlx::Result<u64> {
    sqlx::query!(
        "DELETE FROM holds WHERE order_id IN (
             SELECT order_id FROM holds WHERE state = 'closed' AND created_at < $1
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

/// Returns the amounts that are neither captured nor released, by order.
pub async fn live(conn: &mut PgConnection) -> sqlx::Result<Vec<LiveHold>> {
    let rows = sqlx::query!(r#"SELECT order_id, amount AS "amount!" FROM holds WHERE state = 'held'"#)
        .fetch_all(conn)
        .await?;
    let holds = rows.into_iter().map(|row| LiveHold {
        subject: row.order_id.uuid(),
        amount: row.amount,
    });
    Ok(holds.collect())
}

/// Returns the states of the orders that have a hold.
pub async fn states(
    conn: &mut PgConnection,
    order_ids: &[Uuid],
) -> Result<HashMap<OrderId, HoldState>, InternalError> {
    let rows = sqlx::query!(
        "SELECT order_id, state FROM holds WHERE order_id = ANY($1)",
        order_ids
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.order_id, parse_state(&row.state)?)))
        .collect()
}

fn parse_state(text: &str) -> Result<HoldState, InternalError> {
    text.parse().map_err(InternalError::invariant_violated)
}
