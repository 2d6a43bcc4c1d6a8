//! Feedback about orders.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::{feedback::OrderFeedback, order::Order};

/// Returns false if feedback about the order exists.
pub async fn insert(
    conn: &mut PgConnection,
    order: &Order,
    feedback: &OrderFeedback,
    created_at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO order_feedback (order_id, consumer_id, rating, order_ready, order_correct, message, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT ON CONSTRAINT order_feedback_pkey DO NOTHING",
        order.id.uuid(),
        order.consumer_id.uuid(),
        i16::from(feedback.rating),
        i16::from(feedback.order_ready.code()),
        i16::from(feedback.order_correct.code()),
        feedback.message,
        created_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM order_feedback WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
