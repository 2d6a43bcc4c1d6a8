use types::ConsumerId;

use crate::Payments;
use crate::db::debts;
use crate::domain::debt::ListedDebt;

/// More than a consumer can have: a debt keeps them from placing orders.
const LIMIT: i64 = 100;

/// Lists a consumer's debts, oldest first.
pub async fn list_failed_payments(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<Vec<ListedDebt>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(debts::list_open(&mut conn, Some(consumer_id), LIMIT).await?)
}
