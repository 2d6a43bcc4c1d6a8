use types::{ConsumerId, OrderId};

use super::{client_secret::with_client_secret, order_details::with_history, order_error::OrderError};
use crate::{Ordering, db::orders, domain::order::OrderDetails};

/// Returns an order of the consumer.
///
/// # Errors
/// [`OrderError::NotFound`] if the consumer has no such order.
pub async fn get_order(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
) -> Result<OrderDetails, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(OrderError::NotFound)?;
    if !record.placement.awaits_authentication {
        return Ok(with_history(&mut conn, record).await?);
    }
    drop(conn);
    let record = with_client_secret(cx, record).await;
    let mut conn = cx.pool.acquire().await?;
    Ok(with_history(&mut conn, record).await?)
}
