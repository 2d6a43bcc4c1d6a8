use jiff::civil::Date;
use kit::InternalError;
use types::ConsumerId;

use super::order_details::with_histories;
use crate::{Ordering, db::orders, domain::order::OrderDetails};

/// Lists the consumer's orders from Scheduled to Ready, and those that wait for the consumer to authenticate the payment, by
/// promised time. With a day, only those promised for it in the store's time zone.
pub async fn list_active_orders(
    cx: &Ordering,
    consumer_id: ConsumerId,
    day: Option<Date>,
) -> Result<Vec<OrderDetails>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let mut records = orders::list_active(&mut conn, consumer_id).await?;
    if let Some(day) = day {
        records.retain(|record| record.order.is_promised_on(day));
    }
    Ok(with_histories(&mut conn, records).await?)
}
