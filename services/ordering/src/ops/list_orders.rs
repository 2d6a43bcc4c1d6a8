use kit::InternalError;
use types::{ConsumerId, Page};

use super::order_details::with_histories;
use crate::{Ordering, db::orders, domain::order::OrderDetails};

/// Lists the consumer's orders that were placed, newest first.
pub async fn list_orders(
    cx: &Ordering,
    consumer_id: ConsumerId,
    page: Page,
) -> Result<Vec<OrderDetails>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let records = orders::list_placed(&mut conn, consumer_id, page).await?;
    Ok(with_histories(&mut conn, records).await?)
}
