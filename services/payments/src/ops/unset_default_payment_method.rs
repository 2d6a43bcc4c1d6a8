use types::ConsumerId;

use super::publish;
use crate::Payments;
use crate::db::{payment_methods, provider_customers};
use crate::domain::payment_method::PaymentMethod;

/// Unsets the consumer's default method, and returns all methods.
pub async fn unset_default_payment_method(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<Vec<PaymentMethod>, kit::InternalError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    provider_customers::lock(&mut tx, consumer_id).await?;
    if let Some(changed) = payment_methods::unset_default(&mut tx, consumer_id).await? {
        publish::method_changed(&mut tx, changed, now).await?;
    }
    let methods = payment_methods::list(&mut tx, consumer_id).await?;
    tx.commit().await?;
    Ok(methods)
}
