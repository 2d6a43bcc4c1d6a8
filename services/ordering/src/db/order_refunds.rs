//! Refunds of parts of completed orders. When one is due is a time of the database's clock, because replicas can have different ones.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{Currency, Money, OrderId};

use crate::domain::refund::{OrderRefund, RefundParts};

/// Makes other refunds of the order wait until the transaction ends.
pub async fn lock_order(conn: &mut PgConnection, order_id: OrderId) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT id FROM orders WHERE id = $1 FOR NO KEY UPDATE",
        order_id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

/// Returns the refunds of an order, also those that were not executed yet.
pub async fn list(
    conn: &mut PgConnection,
    order_id: OrderId,
    currency: Currency,
) -> sqlx::Result<Vec<OrderRefund>> {
    let rows = sqlx::query!(
        "SELECT refund_id, charge_amount, stored_value_amount FROM order_refunds WHERE order_id = $1",
        order_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    let refunds = rows.into_iter().map(|row| OrderRefund {
        refund_id: row.refund_id,
        parts: RefundParts {
            charge: Money::new(row.charge_amount, currency),
            stored_value: Money::new(row.stored_value_amount, currency),
        },
    });
    Ok(refunds.collect())
}

pub async fn insert(
    conn: &mut PgConnection,
    order_id: OrderId,
    OrderRefund { refund_id, parts }: &OrderRefund,
    at: Timestamp,
    first_attempt_after: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_refunds
             (order_id, refund_id, currency, charge_amount, stored_value_amount, created_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))",
        order_id.uuid(),
        refund_id,
        parts.charge.currency().code(),
        parts.charge.minor_units(),
        parts.stored_value.minor_units(),
        at.to_sqlx() as _,
        first_attempt_after.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes a refund that was not executed.
pub async fn delete(conn: &mut PgConnection, order_id: OrderId, refund_id: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM order_refunds WHERE order_id = $1 AND refund_id = $2 AND completed_at IS NULL",
        order_id.uuid(),
        refund_id,
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn set_completed(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE order_refunds SET completed_at = $3 WHERE order_id = $1 AND refund_id = $2 AND completed_at IS NULL",
        order_id.uuid(),
        refund_id,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A refund that was not executed yet.
#[derive(Debug)]
pub struct OpenRefund {
    pub order_id: OrderId,
    pub refund: OrderRefund,
    /// The number of attempts of the worker, this one included.
    pub attempts: u32,
}

/// Leases the refunds whose next attempt is due, the longest due first.
pub async fn claim_due(
    conn: &mut PgConnection,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<OpenRefund>> {
    let rows = sqlx::query!(
        r#"UPDATE order_refunds SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
           WHERE (order_id, refund_id) IN (
               SELECT order_id, refund_id FROM order_refunds
               WHERE completed_at IS NULL AND next_attempt_at <= now()
               ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING order_id AS "order_id: OrderId", refund_id, currency, charge_amount, stored_value_amount, attempts"#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let currency: Currency = super::parse_column("currency", &row.currency)?;
            let refund = OrderRefund {
                refund_id: row.refund_id,
                parts: RefundParts {
                    charge: Money::new(row.charge_amount, currency),
                    stored_value: Money::new(row.stored_value_amount, currency),
                },
            };
            Ok(OpenRefund {
                order_id: row.order_id,
                refund,
                attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
            })
        })
        .collect()
}

pub async fn set_next_attempt(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
    after: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE order_refunds SET next_attempt_at = now() + make_interval(secs => $3)
         WHERE order_id = $1 AND refund_id = $2 AND completed_at IS NULL",
        order_id.uuid(),
        refund_id,
        after.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts the refunds that were not executed after a number of attempts.
pub async fn count_failing(conn: &mut PgConnection, min_attempts: i32) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM order_refunds WHERE completed_at IS NULL AND attempts >= $1"#,
        min_attempts,
    )
    .fetch_one(conn)
    .await
}
