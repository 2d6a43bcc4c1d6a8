use callers::Caller;
use types::PurchaseId;

use super::{
    purchase::{self, PurchaseError, PurchaseSnapshot, check_amount},
    wallet::list_sources,
};
use crate::{
    GiftCards,
    db::accounts::{self, balance_id},
    domain::{
        deal::Terms,
        purchase::{AddFunds, Item, PurchaseKind},
    },
    ops::new_purchase::new_purchase,
};

/// Adds funds to a balance of the consumer. Idempotent per consumer and key.
///
/// # Errors
/// `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`, `BALANCE_UNKNOWN`, `BALANCE_LIMIT_REACHED`, `PAYMENT_METHOD_UNKNOWN`,
/// `FAILED_ACH_PAYMENTS`, or the reason of a declined payment.
pub async fn add_funds(
    cx: &GiftCards,
    caller: &Caller,
    command: AddFunds,
) -> Result<PurchaseSnapshot, PurchaseError> {
    let AddFunds {
        payment,
        amount,
        balance_id: requested,
    } = command;
    if let Some(response) = purchase::find_response(cx, &payment, PurchaseKind::TopUp).await? {
        return Ok(response);
    }
    check_amount(cx, amount)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let joepass = accounts::open_joepass(&mut tx, payment.consumer_id, cx.clock.now()).await?;
    let sources = list_sources(&mut tx, payment.consumer_id).await?;
    tx.commit().await?;
    let target = match requested {
        None => joepass.map(balance_id),
        Some(id) => sources.into_iter().map(|(id, _)| id).find(|own| *own == id),
    };
    let balance_id = target.ok_or_else(purchase::balance_unknown)?;
    let tender = purchase::find_tender(cx, caller, &payment).await?;
    let item = Item::TopUp { balance_id };
    let id = PurchaseId::new(cx.clock.now());
    let source = payment.source.clone();
    let purchase = new_purchase(cx, id, payment, item, Terms::without_deal(amount), tender);
    purchase::run(cx, purchase, source).await
}
