//! Cancels the orders of a removed consumer that can be canceled, and erases the consumer's personal data. Amounts stay.

use std::time::Duration;

use kit::{InternalError, idempotency};
use sqlx::PgConnection;
use types::ConsumerId;

use super::cancel_order::cancel_orders_of_removed_consumer;
use crate::{
    Ordering,
    db::{carts, debt_checks, leases, order_feedback, orders, removed_consumers, user_feedback},
};

/// Longer than requests and sagas that began before the removal can run.
const ERASE_AGAIN_AFTER: Duration = Duration::from_mins(5);

/// Time after which an erasure that failed is repeated. Other consumers are erased in the meantime.
const RETRY_AFTER: Duration = Duration::from_mins(1);

/// Writes a tombstone, so that no order is written or placed for the consumer. Ends sagas that run (recovery closes their
/// orders), cancels orders that no store accepted, deletes the saved cart, the feedback and the stored responses, and erases
/// personal data from the consumer's orders. Stores finish the orders that they accepted.
pub(crate) async fn forget_consumer(
    cx: &Ordering,
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<(), InternalError> {
    removed_consumers::insert(conn, consumer_id, ERASE_AGAIN_AFTER).await?;
    erase(cx, conn, consumer_id).await
}

/// Cancels and erases what requests wrote while their consumer was removed: their transactions did not see the tombstone, and the
/// removal did not see what they wrote.
pub async fn erase_late_data(cx: &Ordering) -> Result<(), InternalError> {
    loop {
        let mut conn = cx.pool.acquire().await?;
        let Some(consumer_id) = removed_consumers::take_due(&mut conn, RETRY_AFTER).await? else {
            return Ok(());
        };
        drop(conn);
        if let Err(error) = erase_again(cx, consumer_id).await {
            tracing::warn!(%consumer_id, %error, "late data not erased; will retry");
        }
    }
}

async fn erase_again(cx: &Ordering, consumer_id: ConsumerId) -> Result<(), InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    erase(cx, &mut tx, consumer_id).await?;
    removed_consumers::set_erased(&mut tx, consumer_id).await?;
    tx.commit().await?;
    Ok(())
}

async fn erase(cx: &Ordering, conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), InternalError> {
    // Waits for sagas that are confirming an order, so that the next statement sees the order. Orders are locked before their
    // stored responses, as sagas do.
    leases::expire(conn, consumer_id).await?;
    cancel_orders_of_removed_consumer(cx, conn, consumer_id).await?;
    carts::delete(conn, consumer_id, None).await?;
    debt_checks::delete(conn, consumer_id).await?;
    order_feedback::delete(conn, consumer_id).await?;
    user_feedback::delete(conn, consumer_id).await?;
    idempotency::delete_scope(conn, &consumer_id.to_string()).await?;
    orders::anonymize(conn, consumer_id).await?;
    Ok(())
}
