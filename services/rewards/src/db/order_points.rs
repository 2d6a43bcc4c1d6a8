//! What each order has come to.

use sqlx::PgConnection;
use types::{Money, OrderId};

/// An order's standing; its row is locked until the transaction ends.
pub struct Standing {
    /// Subtotal less discounts; nothing until the order is completed.
    pub earning: Money,
    /// What was refunded of it.
    pub refunded: Money,
    /// What has been given for it so far.
    pub points: i64,
    /// In so many postings.
    pub postings: i64,
}

/// Notes that an order was completed, or that some of it was refunded, and says where it stands.
pub async fn note(
    conn: &mut PgConnection,
    order: OrderId,
    earning: Option<Money>,
    refunded: Money,
) -> sqlx::Result<Standing> {
    let row = sqlx::query!(
        r#"INSERT INTO order_points (order_id, earning, refunded) VALUES ($1, $2, $3)
           ON CONFLICT ON CONSTRAINT order_points_pkey
           DO UPDATE SET earning = coalesce(excluded.earning, order_points.earning),
                         refunded = order_points.refunded + excluded.refunded
           RETURNING coalesce(earning, 0) AS "earning!", refunded, points, postings"#,
        order.uuid(),
        earning.map(Money::minor_units),
        refunded.minor_units(),
    )
    .fetch_one(conn)
    .await?;
    Ok(Standing {
        earning: Money::usd(row.earning),
        refunded: Money::usd(row.refunded),
        points: row.points,
        postings: row.postings,
    })
}

/// Notes what has been given for an order now, in one posting more.
pub async fn given(conn: &mut PgConnection, order: OrderId, points: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE order_points SET points = $2, postings = postings + 1 WHERE order_id = $1",
        order.uuid(),
        points,
    )
    .execute(conn)
    .await
    .map(drop)
}
