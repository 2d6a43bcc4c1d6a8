use kit::InternalError;
use types::ConsumerId;

use super::order_details::with_histories;
use crate::{Ordering, db::orders, domain::order::OrderDetails};

/// Lists the consumer's orders from Scheduled to Ready, and those that wait for the consumer to authenticate the payment, by
/// promised time.
pub async fn list_active_orders(
    cx: &Ordering,
    consumer_id: ConsumerId,
) -> Result<Vec<OrderDetails>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let records = orders::list_active(&mut conn, consumer_id).await?;
    Ok(with_histories(&mut conn, records).await?)
}
