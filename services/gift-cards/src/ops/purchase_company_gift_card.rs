use callers::Caller;
use kit::{ErrorCode, ServiceError};
use types::PurchaseId;

use super::{
    new_purchase::{find_terms, new_purchase},
    purchase::{self, PurchaseError, PurchaseSnapshot},
};
use crate::{
    GiftCards,
    domain::purchase::{Item, PurchaseCompanyGiftCard, PurchaseKind},
};

/// Buys a card of a company, or adds to the one that the consumer has. Idempotent per consumer and key.
///
/// # Errors
/// As [`super::add_funds::add_funds`], and `COMPANY_UNKNOWN`, `DEAL_NOT_AVAILABLE`, `AMOUNT_REQUIRED`.
pub async fn purchase_company_gift_card(
    cx: &GiftCards,
    caller: &Caller,
    command: PurchaseCompanyGiftCard,
) -> Result<PurchaseSnapshot, PurchaseError> {
    let PurchaseCompanyGiftCard {
        payment,
        company_id,
        amount,
        deal_id,
    } = command;
    if let Some(response) = purchase::find_response(cx, &payment, PurchaseKind::CompanyCard).await? {
        return Ok(response);
    }
    let terms = find_terms(cx, payment.consumer_id, Some(company_id), deal_id, amount).await?;
    let (company_name, tender) = tokio::try_join!(
        async { Ok::<_, PurchaseError>(cx.clients.stores.find_company(company_id).await?) },
        purchase::find_tender(cx, caller, &payment),
    )?;
    let item = Item::CompanyCard {
        company_id,
        company_name: company_name.ok_or_else(company_unknown)?,
    };
    let id = PurchaseId::new(cx.clock.now());
    let source = payment.source.clone();
    let purchase = new_purchase(cx, id, payment, item, terms, tender);
    purchase::run(cx, purchase, source).await
}

fn company_unknown() -> PurchaseError {
    ServiceError::new(
        ErrorCode::NotFound,
        "COMPANY_UNKNOWN",
        "We couldn't find that company.",
    )
    .with_field("companyId")
    .into()
}
