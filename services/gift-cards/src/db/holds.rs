//! Holds of orders, one row per order.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use ledger::LiveHold;
use sqlx::PgConnection;
use types::{BalanceId, Money, OrderId, StoreId};
use uuid::Uuid;

use crate::domain::hold::{HeldAmount, Hold, HoldState, ListHolds, ListedHold, MAX_LISTED_HOLDS};

/// Inserts the order's hold and returns `true`, or `false` if the order has one. Waits for a concurrent insert.
pub async fn insert(
    conn: &mut PgConnection,
    order_id: OrderId,
    hold: &Hold,
    at: Timestamp,
) -> sqlx::Result<bool> {
    let held_amount = hold.held_amount();
    let done = sqlx::query!(
        "INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at, store_id)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7) ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING",
        order_id.uuid(),
        hold.state().as_str(),
        held_amount.map(|held_amount| held_amount.balance_id.uuid()),
        held_amount.map(|held_amount| held_amount.amount.minor_units()),
        held_amount.map(|held_amount| held_amount.title.as_str()),
        at.to_sqlx(),
        held_amount
            .and_then(|held_amount| held_amount.store_id)
            .map(StoreId::uuid),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the order's hold, locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, order_id: OrderId) -> Result<Option<Hold>, InternalError> {
    let row = sqlx::query!(
        "SELECT state, balance_id, amount, title, store_id FROM holds WHERE order_id = $1 FOR NO KEY UPDATE",
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
            store_id: row.store_id,
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

/// Returns the sums of the amounts held for orders that no store has accepted, by balance.
pub async fn total_held(
    conn: &mut PgConnection,
    balance_ids: &[Uuid],
) -> sqlx::Result<HashMap<BalanceId, Money>> {
    let rows = sqlx::query!(
        r#"SELECT balance_id AS "balance_id!: BalanceId", sum(amount)::bigint AS "cents!" FROM holds
           WHERE balance_id = ANY($1) AND state = 'held' GROUP BY balance_id"#,
        balance_ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.balance_id, Money::usd(row.cents)))
        .collect())
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

/// What is known of the order of a transaction.
#[derive(Debug, Clone, Copy)]
pub struct OrderHold {
    pub state: HoldState,
    pub store_id: Option<StoreId>,
}

/// Returns the holds of orders.
pub async fn find_all(
    conn: &mut PgConnection,
    order_ids: &[Uuid],
) -> Result<HashMap<OrderId, OrderHold>, InternalError> {
    let rows = sqlx::query!(
        "SELECT order_id, state, store_id FROM holds WHERE order_id = ANY($1)",
        order_ids
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let hold = OrderHold {
                state: parse_state(&row.state)?,
                store_id: row.store_id,
            };
            Ok((row.order_id, hold))
        })
        .collect()
}

struct ListedRow {
    order_id: OrderId,
    state: String,
    amount: Option<i64>,
}

/// Lists a page of holds. Each kind of request has its own statement, because a plan that suits all of them reads the whole table.
pub async fn list(conn: &mut PgConnection, request: &ListHolds) -> Result<Vec<ListedHold>, InternalError> {
    let after = request.after.map_or(Uuid::nil(), OrderId::uuid);
    let limit = i64::try_from(MAX_LISTED_HOLDS).unwrap_or(i64::MAX);
    let rows =
        match (&request.order_ids, request.changed_since) {
            (Some(order_ids), _) => {
                let order_ids: Vec<Uuid> = order_ids.iter().map(|id| id.uuid()).collect();
                sqlx::query_as!(
                    ListedRow,
                    "SELECT order_id, state, amount FROM holds WHERE order_id = ANY($1) ORDER BY order_id",
                    &order_ids,
                )
                .fetch_all(conn)
                .await?
            }
            (None, Some(since)) => {
                sqlx::query_as!(
                    ListedRow,
                    "SELECT order_id, state, amount FROM holds WHERE changed_at >= $1 AND order_id > $2
                 ORDER BY order_id LIMIT $3",
                    since.to_sqlx() as _,
                    after,
                    limit,
                )
                .fetch_all(conn)
                .await?
            }
            (None, None) => sqlx::query_as!(
                ListedRow,
                "SELECT order_id, state, amount FROM holds WHERE order_id > $1 ORDER BY order_id LIMIT $2",
                after,
                limit,
            )
            .fetch_all(conn)
            .await?,
        };
    rows.into_iter()
        .map(|row| {
            Ok(ListedHold {
                order_id: row.order_id,
                state: parse_state(&row.state)?,
                amount: row.amount.map(Money::usd),
            })
        })
        .collect()
}

fn parse_state(text: &str) -> Result<HoldState, InternalError> {
    text.parse().map_err(InternalError::invariant_violated)
}
