use types::ConsumerId;

use super::customer::{CustomerError, call_with_customer};
use super::publish;
use crate::Payments;
use crate::db::{payment_methods, provider_customers};
use crate::domain::payment_method::{MethodDescription, MethodKind, PaymentMethod};

/// Number of attempts while other calls replace the customer.
const MAX_ATTEMPTS: u32 = 3;

/// Ensures that the provider customer exists, imports the cards attached to it, and returns the consumer's methods.
/// The first card becomes the default.
pub async fn add_card(cx: &Payments, consumer_id: ConsumerId) -> Result<Vec<PaymentMethod>, CustomerError> {
    for _ in 0..MAX_ATTEMPTS {
        let (customer_id, attached) = call_with_customer(cx, consumer_id, |customer_id| async move {
            cx.provider.list_payment_methods(&customer_id).await
        })
        .await?;
        if let Some(methods) = import_methods(cx, consumer_id, &customer_id, &attached).await? {
            return Ok(methods);
        }
    }
    Err(kit::InternalError::invariant_violated("provider customer was replaced repeatedly").into())
}

/// Imports the methods attached to a customer. Returns `None` if the consumer's customer was replaced in the meantime.
async fn import_methods(
    cx: &Payments,
    consumer_id: ConsumerId,
    customer_id: &str,
    attached: &[MethodDescription],
) -> Result<Option<Vec<PaymentMethod>>, CustomerError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    provider_customers::lock(&mut tx, consumer_id).await?;
    // The consumer may have been removed since the provider was called.
    let customer = provider_customers::find(&mut tx, consumer_id)
        .await?
        .filter(|customer| !customer.is_removed)
        .ok_or(CustomerError::Removed)?;
    if customer.provider_id.as_deref() != Some(customer_id) {
        return Ok(None);
    }
    let has_default = payment_methods::list(&mut tx, consumer_id)
        .await?
        .iter()
        .any(|method| method.is_default);
    let mut first_card = None;
    // Oldest first, so that our ids have the same order.
    // Bank accounts are imported with the consumer's consent, by `add_bank_account`.
    let cards = attached
        .iter()
        .rev()
        .filter(|method| method.kind == MethodKind::Card);
    for description in cards {
        if let Some(changed) = payment_methods::upsert(&mut tx, consumer_id, description, now).await? {
            publish::method_changed(&mut tx, changed, now).await?;
            first_card = first_card.or(Some(changed.id));
        }
    }
    if let Some(card) = first_card.filter(|_| !has_default)
        && let Some(changed) = payment_methods::set_default(&mut tx, consumer_id, card).await?
    {
        publish::method_changed(&mut tx, changed, now).await?;
    }
    let methods = payment_methods::list(&mut tx, consumer_id).await?;
    tx.commit().await?;
    Ok(Some(methods))
}
