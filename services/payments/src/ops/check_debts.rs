use types::ConsumerId;

use crate::Payments;
use crate::db::debts;

/// Returns whether a consumer has debts.
pub async fn check_debts(cx: &Payments, consumer_id: ConsumerId) -> Result<bool, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(debts::has_open(&mut conn, consumer_id).await?)
}
