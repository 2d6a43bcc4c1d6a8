//! Takes a payment method away.

use types::{ConsumerId, PaymentMethodId};

use super::get_method::MethodError;
use super::publish;
use crate::Payments;
use crate::db::effects::{self, Task};
use crate::db::{customers, methods};
use crate::domain::method::Method;

/// Deletes a method of the caller's, and plans its detachment at the provider. Answers what is left; no other method
/// becomes the default by itself.
///
/// # Errors
/// [`MethodError`].
pub async fn delete_method(
    cx: &Payments,
    caller: ConsumerId,
    id: PaymentMethodId,
) -> Result<Vec<Method>, MethodError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    customers::lock(&mut tx, caller).await?;
    let version = methods::detach(&mut tx, caller, id, now)
        .await?
        .ok_or(MethodError::Unknown)?;
    effects::plan(&mut tx, Task::Detach(id), now).await?;
    publish::method_changed(&mut tx, caller, (id, version), now).await?;
    let left = methods::list(&mut tx, caller).await?;
    tx.commit().await?;
    cx.effects_planned();
    Ok(left)
}
