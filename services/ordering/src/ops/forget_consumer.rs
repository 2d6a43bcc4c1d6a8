//! Erases the personal data of a removed consumer. Amounts stay.

use std::time::Duration;

use kit::{InternalError, idempotency};
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{
    Ordering,
    db::{carts, leases, order_feedback, orders, removed_consumers, user_feedback},
};

/// Longer than requests and sagas that began before the removal can run.
const ERASE_AGAIN_AFTER: Duration = Duration::from_mins(5);

const BATCH_SIZE: i64 = 20;

/// Writes a tombstone, so that no order is written for the consumer. Deletes the saved cart, the feedback and the stored
/// responses, erases personal data from the consumer's orders, and ends sagas that run: recovery closes their orders.
pub(crate) async fn forget_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<(), sqlx::Error> {
    removed_consumers::insert(conn, consumer_id, ERASE_AGAIN_AFTER).await?;
    erase(conn, consumer_id).await
}

/// Erases what requests wrote while their consumer was removed: their transactions did not see the tombstone, and the removal
/// did not see what they wrote.
pub async fn erase_late_data(cx: &Ordering) -> Result<(), InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    for consumer_id in removed_consumers::take_due(&mut tx, BATCH_SIZE).await? {
        erase(&mut tx, consumer_id).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn erase(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    carts::delete(conn, consumer_id).await?;
    order_feedback::delete(conn, consumer_id).await?;
    user_feedback::delete(conn, consumer_id).await?;
    idempotency::delete_scope(conn, &consumer_id.to_string()).await?;
    leases::expire(conn, consumer_id).await?;
    orders::anonymize(conn, consumer_id).await
}
