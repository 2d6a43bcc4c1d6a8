//! Parts of captured holds that were returned to their balances.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{Money, OrderId};

pub async fn insert(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
    amount: Money,
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_refunds (order_id, refund_id, amount, created_at) VALUES ($1, $2, $3, $4)",
        order_id.uuid(),
        refund_id,
        amount.minor_units(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find_amount(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
) -> sqlx::Result<Option<Money>> {
    let cents = sqlx::query_scalar!(
        "SELECT amount FROM order_refunds WHERE order_id = $1 AND refund_id = $2",
        order_id.uuid(),
        refund_id,
    )
    .fetch_optional(conn)
    .await?;
    Ok(cents.map(Money::usd))
}

/// Returns the sum of the refunds of an order, in cents.
pub async fn total_cents(conn: &mut PgConnection, order_id: OrderId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "cents!" FROM order_refunds WHERE order_id = $1"#,
        order_id.uuid(),
    )
    .fetch_one(conn)
    .await
}
