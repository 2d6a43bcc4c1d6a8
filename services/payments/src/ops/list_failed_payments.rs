use types::ConsumerId;

use crate::Payments;
use crate::db::debts;
use crate::domain::debt::FailedPayments;

/// More than a consumer can have: a debt keeps them from placing orders.
const OPEN_LIMIT: i64 = 100;
const RECOVERED_LIMIT: i64 = 100;

/// Lists a consumer's debts, oldest first, and the orders of those that were paid, newest first.
pub async fn list_failed_payments(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<FailedPayments, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(FailedPayments {
        open: debts::list_open(&mut conn, Some(consumer_id), OPEN_LIMIT).await?,
        recovered_orders: debts::list_recovered_orders(&mut conn, consumer_id, RECOVERED_LIMIT).await?,
    })
}
