use kit::InternalError;
use types::{CompanyId, ConsumerId, Page};

use super::{company_gift_card::sources, list_transactions::read_transactions};
use crate::{
    GiftCards,
    domain::wallet::{Transaction, TransactionFilter},
};

/// Returns the transactions of orders that were paid with the consumer's card of a company or, without one, with any company
/// card, newest first.
pub async fn list_company_gift_card_orders(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
    page: Page,
) -> Result<Vec<Transaction>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let sources = sources(&mut conn, consumer_id, company_id).await?;
    read_transactions(&mut conn, sources, TransactionFilter::Orders, page).await
}
