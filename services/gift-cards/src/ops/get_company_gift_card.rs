use types::{ConsumerId, GiftCardId};

use super::{
    company_gift_card::{CompanyGiftCardError, sources},
    wallet::read_balances,
};
use crate::{
    GiftCards,
    domain::wallet::{Balance, BalanceSource},
};

/// Returns a company card of the consumer.
///
/// # Errors
/// [`CompanyGiftCardError::Unknown`] if the card does not exist or is another consumer's.
pub async fn get_company_gift_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    gift_card_id: GiftCardId,
) -> Result<Balance, CompanyGiftCardError> {
    let mut conn = cx.pool.acquire().await?;
    let mut sources = sources(&mut conn, consumer_id, None).await?;
    sources
        .retain(|(_, source)| matches!(source, BalanceSource::CompanyCard(card) if card.id == gift_card_id));
    let balances = read_balances(&mut conn, consumer_id, sources).await?;
    balances.into_iter().next().ok_or(CompanyGiftCardError::Unknown)
}
