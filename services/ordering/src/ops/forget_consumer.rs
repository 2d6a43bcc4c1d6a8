//! Erases the personal data of a removed consumer. Amounts stay.

use kit::idempotency;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{carts, order_feedback, orders, user_feedback};

/// Deletes the saved cart, the feedback and the stored responses, and erases personal data from the consumer's orders.
pub(crate) async fn forget_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<(), sqlx::Error> {
    carts::delete(conn, consumer_id).await?;
    order_feedback::delete(conn, consumer_id).await?;
    user_feedback::delete(conn, consumer_id).await?;
    idempotency::delete_scope(conn, &consumer_id.to_string()).await?;
    orders::anonymize(conn, consumer_id).await
}
