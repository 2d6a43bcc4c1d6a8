use types::{ConsumerId, PaymentMethodId};

use super::payment_method_error::PaymentMethodError;
use super::publish;
use crate::Payments;
use crate::db::{effects, payment_methods, provider_customers};
use crate::domain::effect::Effect;
use crate::domain::payment_method::PaymentMethod;

/// Deletes a consumer's method, plans its detachment at the provider, and returns the remaining methods. No other method
/// becomes the default.
pub async fn delete_payment_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<Vec<PaymentMethod>, PaymentMethodError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    provider_customers::lock(&mut tx, consumer_id).await?;
    let detached = payment_methods::detach(&mut tx, consumer_id, id, now)
        .await?
        .ok_or(PaymentMethodError::NotFound)?;
    effects::plan(&mut tx, Effect::Detach(id)).await?;
    publish::method_removed(&mut tx, detached, now).await?;
    let remaining = payment_methods::list(&mut tx, consumer_id).await?;
    tx.commit().await?;
    cx.wake_effects_worker();
    Ok(remaining)
}
