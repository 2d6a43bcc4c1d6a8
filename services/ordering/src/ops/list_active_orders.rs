use jiff::civil::Date;
use kit::InternalError;
use types::ConsumerId;

use super::{client_secret::with_client_secret, order_details::with_histories};
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
    if !records
        .iter()
        .any(|record| record.placement.awaits_authentication)
    {
        return Ok(with_histories(&mut conn, records).await?);
    }
    drop(conn);
    let records =
        futures::future::join_all(records.into_iter().map(|record| with_client_secret(cx, record))).await;
    let mut conn = cx.pool.acquire().await?;
    Ok(with_histories(&mut conn, records).await?)
}
