//! Orders that their consumer canceled.

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use crate::domain::notification::CanceledOrder;

/// Inserts a canceled order, once. Does nothing if the consumer was removed.
pub(crate) async fn insert(conn: &mut PgConnection, order: &CanceledOrder) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO canceled_orders (order_id, consumer_id, canceled_at)
         SELECT $1, id, $3 FROM consumers WHERE id = $2
         ON CONFLICT ON CONSTRAINT canceled_orders_pkey DO NOTHING",
        order.order_id,
        order.consumer_id.uuid(),
        order.canceled_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
