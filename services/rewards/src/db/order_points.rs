//! What each order earned, and the points posted for it.

use sqlx::PgConnection;
use types::{Money, OrderId};

use crate::domain::points::OrderPoints;

/// Records the completion (`earning`) or a refund of an order. Returns the totals; the row stays locked until the
/// transaction ends.
pub async fn record(
    conn: &mut PgConnection,
    order_id: OrderId,
    earning: Option<Money>,
    refunded: Money,
) -> sqlx::Result<OrderPoints> {
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, earning, refunded) VALUES ($1, $2, $3)
           ON CONFLICT ON CONSTRAINT order_points_pkey
           DO UPDATE SET earning = coalesce(excluded.earning, order_points.earning),
                         refunded = order_points.refunded + excluded.refunded
           RETURNING coalesce(earning, 0) AS "earning!", refunded, is_unpaid, points, postings"#,
        order_id.uuid(),
        earning.map(Money::minor_units),
        refunded.minor_units(),
    )
    .fetch_one(conn)
    .await?;
    Ok(OrderPoints {
        order_id,
        earning: Money::usd(row.earning),
        refunded: Money::usd(row.refunded),
        is_unpaid: row.is_unpaid,
        points: row.points,
        postings: row.postings,
    })
}

/// Records that the payment of an order was lost. Returns the totals; the row stays locked until the transaction ends.
pub async fn record_unpaid(conn: &mut PgConnection, order_id: OrderId) -> sqlx::Result<OrderPoints> {
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, is_unpaid) VALUES ($1, true)
           ON CONFLICT ON CONSTRAINT order_points_pkey DO UPDATE SET is_unpaid = true
           RETURNING coalesce(earning, 0) AS "earning!", refunded, is_unpaid, points, postings"#,
        order_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(OrderPoints {
        order_id,
        earning: Money::usd(row.earning),
        refunded: Money::usd(row.refunded),
        is_unpaid: row.is_unpaid,
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
