//! What each order earned, and the points posted for it.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, Money, OrderId, StoreId};

use crate::domain::{order::CompletedOrder, points::OrderPoints};

/// Records the completion of an order. Returns the totals; the row stays locked until the transaction ends.
pub async fn record_completion(
    conn: &mut PgConnection,
    order: &CompletedOrder,
    points_per_unit: i64,
) -> sqlx::Result<OrderPoints> {
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, earning, consumer_id, store_id, completed_at, points_per_unit, total,
                                     is_in_app)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT ON CONSTRAINT order_points_pkey
           DO UPDATE SET earning = excluded.earning, consumer_id = excluded.consumer_id, store_id = excluded.store_id,
                         completed_at = excluded.completed_at, points_per_unit = excluded.points_per_unit,
                         total = excluded.total, is_in_app = excluded.is_in_app
           RETURNING coalesce(earning, 0) AS "earning!",
                     coalesce(total, earning, 0) AS "total!", refunded, is_unpaid, points_per_unit, points, postings"#,
        order.order_id.uuid(),
        order.earning.minor_units().max(0),
        order.consumer_id.uuid(),
        order.store_id.map(StoreId::uuid),
        order.completed_at.to_sqlx(),
        points_per_unit,
        order.total.minor_units(),
        order.is_in_app,
    )
    .fetch_one(conn)
    .await?;
    Ok(OrderPoints {
        order_id: order.order_id,
        earning: Money::usd(row.earning),
        total: Money::usd(row.total),
        refunded: Money::usd(row.refunded),
        is_unpaid: row.is_unpaid,
        points_per_unit: row.points_per_unit,
        points: row.points,
        postings: row.postings,
    })
}

/// Records a refund of an order, once. Returns the totals, or `None` if the refund was recorded before; the row stays locked
/// until the transaction ends.
pub async fn record_refund(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
    refunded: Money,
) -> sqlx::Result<Option<OrderPoints>> {
    let inserted = sqlx::query!(
        "INSERT INTO order_refunds (order_id, refund_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        order_id.uuid(),
        refund_id,
    )
    .execute(&mut *conn)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(None);
    }
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, refunded) VALUES ($1, $2)
           ON CONFLICT ON CONSTRAINT order_points_pkey
           DO UPDATE SET refunded = order_points.refunded + excluded.refunded
           RETURNING coalesce(earning, 0) AS "earning!",
                     coalesce(total, earning, 0) AS "total!", refunded, is_unpaid, points_per_unit, points, postings"#,
        order_id.uuid(),
        refunded.minor_units(),
    )
    .fetch_one(conn)
    .await?;
    Ok(Some(OrderPoints {
        order_id,
        earning: Money::usd(row.earning),
        total: Money::usd(row.total),
        refunded: Money::usd(row.refunded),
        is_unpaid: row.is_unpaid,
        points_per_unit: row.points_per_unit,
        points: row.points,
        postings: row.postings,
    }))
}

/// Records that the payment of an order was lost. Returns the totals; the row stays locked until the transaction ends.
pub async fn record_unpaid(conn: &mut PgConnection, order_id: OrderId) -> sqlx::Result<OrderPoints> {
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, is_unpaid) VALUES ($1, true)
           ON CONFLICT ON CONSTRAINT order_points_pkey DO UPDATE SET is_unpaid = true
           RETURNING coalesce(earning, 0) AS "earning!",
                     coalesce(total, earning, 0) AS "total!", refunded, is_unpaid, points_per_unit, points, postings"#,
        order_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(OrderPoints {
        order_id,
        earning: Money::usd(row.earning),
        total: Money::usd(row.total),
        refunded: Money::usd(row.refunded),
        is_unpaid: row.is_unpaid,
        points_per_unit: row.points_per_unit,
        points: row.points,
        postings: row.postings,
    })
}

/// Sets the points posted for the order after one more posting.
pub async fn set_points(conn: &mut PgConnection, order_id: OrderId, points: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE order_points SET points = $2, postings = postings + 1 WHERE order_id = $1",
        order_id.uuid(),
        points,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns whether the consumer has a completed order in the native app that is paid and not refunded.
pub async fn has_app_order(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM order_points
             WHERE consumer_id = $1 AND is_in_app AND completed_at IS NOT NULL AND NOT is_unpaid
               AND (total = 0 OR total > refunded)) AS "exists!""#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Returns the consumer's first completed order that is paid and not refunded, or `None`.
pub async fn find_first_paid(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<OrderId>> {
    sqlx::query_scalar!(
        "SELECT order_id FROM order_points
         WHERE consumer_id = $1 AND completed_at IS NOT NULL AND NOT is_unpaid AND earning > refunded
         ORDER BY completed_at, order_id LIMIT 1",
        consumer_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns whether the order is completed, paid and not refunded.
pub async fn is_paid(conn: &mut PgConnection, order_id: OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM order_points
             WHERE order_id = $1 AND completed_at IS NOT NULL AND NOT is_unpaid AND earning > refunded) AS "is_paid!""#,
        order_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Removes the consumer from their orders.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE order_points SET consumer_id = NULL WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}
