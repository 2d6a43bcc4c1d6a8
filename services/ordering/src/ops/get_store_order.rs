use callers::Caller;
use types::OrderId;

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering,
    db::orders,
    domain::{order::OrderDetails, status::Status},
};

/// Returns an order to its store, also after it has ended.
///
/// # Errors
/// [`OrderError::NotFound`] if the caller has no access to the order, or it was never placed.
pub async fn get_store_order(
    cx: &Ordering,
    caller: &Caller,
    order_id: OrderId,
) -> Result<OrderDetails, OrderError> {
    let mut conn = cx.pool.acquire().await?;
    let record = orders::find(&mut conn, order_id)
        .await?
        .filter(|record| {
            let order = &record.order;
            let is_placed = !matches!(order.status, Status::PaymentPending | Status::PaymentFailed);
            is_placed && caller.store(order.store_id).is_ok()
        })
        .ok_or(OrderError::NotFound)?;
    Ok(with_history(&mut conn, record).await?)
}
