use kit::InternalError;
use types::{CompanyId, ConsumerId};

use crate::{GiftCards, db::deals, domain::deal::Deal};

/// Returns the deals that the consumer can use: those of a company or, without one, those for cards that all stores accept.
pub async fn list_gift_card_deals(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
) -> Result<Vec<Deal>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(deals::list(&mut conn, consumer_id, company_id, None, cx.clock.now()).await?)
}
