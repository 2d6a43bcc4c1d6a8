//! Orders whose payment was lost while they were being placed.

use sqlx::PgConnection;
use types::OrderId;

use super::parse_column;
use crate::domain::payment_loss::PaymentLoss;

/// Maximum number of losses per run.
const BATCH_SIZE: i64 = 100;

/// Records the loss until [`clear`].
pub async fn record(
    conn: &mut PgConnection,
    order_id: OrderId,
    loss: PaymentLoss,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE orders SET payment_loss = $2 WHERE id = $1",
        order_id.uuid(),
        loss.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Lists losses of orders that are no longer being placed.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<(OrderId, PaymentLoss)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT id, payment_loss AS "payment_loss!" FROM orders
           WHERE payment_loss IS NOT NULL AND status <> 'payment_pending' ORDER BY id LIMIT $1"#,
        BATCH_SIZE,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let loss = parse_column("payment_loss", &row.payment_loss)?;
            Ok((OrderId::from_uuid(row.id), loss))
        })
        .collect()
}

pub async fn clear(conn: &mut PgConnection, order_id: OrderId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE orders SET payment_loss = NULL WHERE id = $1",
        order_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
