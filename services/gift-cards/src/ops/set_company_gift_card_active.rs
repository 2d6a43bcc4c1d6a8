use types::{CompanyId, ConsumerId};

use super::{company_gift_card::CompanyGiftCardError, wallet::read_balances};
use crate::{
    GiftCards,
    db::company_cards,
    domain::wallet::{Balance, BalanceSource},
};

/// Offers the consumer's card of a company at checkout. Idempotent.
///
/// # Errors
/// [`CompanyGiftCardError::Unknown`] if the consumer has no card of the company.
pub async fn activate_company_gift_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: CompanyId,
) -> Result<Balance, CompanyGiftCardError> {
    set_active(cx, consumer_id, company_id, true).await
}

/// Stops offering the consumer's card of a company at checkout. Its value stays. Idempotent.
///
/// # Errors
/// [`CompanyGiftCardError::Unknown`] if the consumer has no card of the company.
pub async fn deactivate_company_gift_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: CompanyId,
) -> Result<Balance, CompanyGiftCardError> {
    set_active(cx, consumer_id, company_id, false).await
}

async fn set_active(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: CompanyId,
    is_active: bool,
) -> Result<Balance, CompanyGiftCardError> {
    let mut conn = cx.pool.acquire().await?;
    let card = company_cards::set_active(&mut conn, consumer_id, company_id, is_active)
        .await?
        .ok_or(CompanyGiftCardError::Unknown)?;
    let source = vec![(card.balance_id, BalanceSource::CompanyCard(card))];
    let balances = read_balances(&mut conn, consumer_id, source).await?;
    balances.into_iter().next().ok_or(CompanyGiftCardError::Unknown)
}
