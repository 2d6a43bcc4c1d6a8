//! Creates purchases as their sagas write them.

use kit::{ErrorCode, ServiceError};
use types::{CompanyId, ConsumerId, DealId, Money, PurchaseId};

use super::purchase::{PurchaseError, check_amount, deal_not_available};
use crate::{
    GiftCards,
    db::deals,
    domain::{
        charge::ClientSecret,
        deal::Terms,
        purchase::{Item, Payment, PaymentSource, Purchase, PurchaseState, Tender},
    },
};

pub(super) fn new_purchase(
    cx: &GiftCards,
    id: PurchaseId,
    payment: Payment,
    item: Item,
    terms: Terms,
    tender: Tender,
) -> Purchase {
    let balance_id = match &item {
        Item::TopUp { balance_id } => Some(*balance_id),
        Item::GiftCard { .. } | Item::CompanyCard { .. } => None,
    };
    Purchase {
        id,
        consumer_id: payment.consumer_id,
        item,
        state: PurchaseState::Pending,
        epoch: 1,
        client_secret: ClientSecret::default(),
        idempotency_key: payment.idempotency_key,
        request_hash: payment.request_hash,
        amount: terms.amount,
        value: terms.value,
        deal_id: terms.deal_id,
        tender,
        payment_method_id: match payment.source {
            PaymentSource::Saved { payment_method_id } => payment_method_id,
            PaymentSource::Wallet { .. } => String::new(),
        },
        is_automatic: false,
        balance_id,
        failure: None,
        created_at: cx.clock.now(),
    }
}

/// Returns the terms of a deal, or those of an amount without deal.
///
/// # Errors
/// `DEAL_NOT_AVAILABLE`, `AMOUNT_REQUIRED`, `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`.
pub(super) async fn find_terms(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
    deal_id: Option<DealId>,
    amount: Option<Money>,
) -> Result<Terms, PurchaseError> {
    let Some(deal_id) = deal_id else {
        let amount = amount.ok_or_else(amount_required)?;
        check_amount(cx, amount)?;
        return Ok(Terms::without_deal(amount));
    };
    let mut conn = cx.pool.acquire().await?;
    let now = cx.clock.now();
    let usable = deals::list(&mut conn, consumer_id, company_id, Some(deal_id), now).await?;
    let deal = usable.first().ok_or_else(deal_not_available)?;
    Ok(deal.terms())
}

fn amount_required() -> PurchaseError {
    ServiceError::new(ErrorCode::RuleViolation, "AMOUNT_REQUIRED", "Enter an amount.")
        .with_field("amount")
        .into()
}
