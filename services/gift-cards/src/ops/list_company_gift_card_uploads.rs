use kit::InternalError;
use types::{CompanyId, ConsumerId, Page};

use crate::{GiftCards, db::purchases, domain::purchase::Purchase};

/// Returns the purchases that added to the consumer's card of a company or, without one, to any company card, newest first.
pub async fn list_company_gift_card_uploads(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
    page: Page,
) -> Result<Vec<Purchase>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    purchases::list_uploads(&mut conn, consumer_id, company_id, page).await
}
