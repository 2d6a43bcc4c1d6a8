use types::{ConsumerId, PaymentMethodId};

use super::payment_method_error::PaymentMethodError;
use super::publish;
use crate::Payments;
use crate::db::{payment_methods, provider_customers};
use crate::domain::payment_method::PaymentMethod;

/// Makes a consumer's method the default, and returns all methods.
pub async fn set_default_payment_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<Vec<PaymentMethod>, PaymentMethodError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    provider_customers::lock(&mut tx, consumer_id).await?;
    let methods = payment_methods::list(&mut tx, consumer_id).await?;
    if methods.iter().any(|method| method.is_default && method.id == id) {
        return Ok(methods);
    }
    if let Some(changed) = payment_methods::unset_default(&mut tx, consumer_id).await? {
        publish::method_changed(&mut tx, changed, now).await?;
    }
    let changed = payment_methods::set_default(&mut tx, consumer_id, id)
        .await?
        .ok_or(PaymentMethodError::NotFound)?;
    publish::method_changed(&mut tx, changed, now).await?;
    let methods = payment_methods::list(&mut tx, consumer_id).await?;
    tx.commit().await?;
    Ok(methods)
}
