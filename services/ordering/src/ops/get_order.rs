use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use super::{client_secret::with_client_secret, order_details::with_history, order_error::OrderError};
use crate::{
    Ordering,
    db::orders,
    domain::order::{OrderDetails, OrderRecord},
};

/// Returns an order of the consumer, with its client secret if it waits for the consumer's authentication.
///
/// # Errors
/// [`OrderError::NotFound`] if the consumer has no such order.
pub async fn get_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<OrderDetails, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let record = find_order(&mut conn, consumer_id, order_id).await?;
    if !record.placement.awaits_authentication {
        return Ok(with_history(&mut conn, record).await?);
    }
    drop(conn);
    let record = with_client_secret(cx, record).await;
    let mut conn = cx.pool.acquire().await?;
    Ok(with_history(&mut conn, record).await?)
}

/// Returns an order of the consumer without its client secret, for which payments is called.
pub(super) async fn find_order(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<OrderRecord, OrderError> {
    orders::find(conn, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(OrderError::NotFound)
}
