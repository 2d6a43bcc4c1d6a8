//! Lists the scheduled orders of a store, and which of them are outside its opening hours.

use callers::Caller;
use types::StoreId;

use super::{list_queue::ListQueueError, order_details::with_histories};
use crate::{Ordering, db::orders, domain::order::ScheduledOrder};

/// The hours may have changed since the orders were placed. The staff decide about such orders.
///
/// # Errors
/// [`ListQueueError::Forbidden`] if the caller has no credential of the store.
pub async fn list_scheduled_orders(
    cx: &Ordering,
    caller: &Caller,
    store_id: StoreId,
) -> Result<Vec<ScheduledOrder>, ListQueueError> {
    caller.store(store_id).map_err(|_| ListQueueError::Forbidden)?;
    let mut conn = cx.pool.acquire().await?;
    let records = orders::list_scheduled(&mut conn, store_id).await?;
    let orders = with_histories(&mut conn, records).await?;
    drop(conn);
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let times = orders.iter().map(|details| details.order.ready_at);
    let closed = cx.clients.stores.list_closed_times(store_id, times).await?;
    let marked = orders.into_iter().map(|details| ScheduledOrder {
        is_outside_hours: closed.contains(&details.order.ready_at),
        details,
    });
    Ok(marked.collect())
}
