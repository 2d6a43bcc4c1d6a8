//! The method that is offered first.

use types::{ConsumerId, PaymentMethodId};

use super::get_method::MethodError;
use super::publish;
use crate::Payments;
use crate::db::{customers, methods};
use crate::domain::method::Method;

/// Makes a method of the caller's the default, or leaves none.
///
/// # Errors
/// [`MethodError`].
pub async fn set_default(
    cx: &Payments,
    caller: ConsumerId,
    wanted: Option<PaymentMethodId>,
) -> Result<Vec<Method>, MethodError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    customers::lock(&mut tx, caller).await?;
    let before = methods::list(&mut tx, caller)
        .await?
        .into_iter()
        .find(|method| method.is_default);
    if before.map(|method| method.id) != wanted {
        if let Some(news) = methods::unset_default(&mut tx, caller).await? {
            publish::method_changed(&mut tx, caller, news, now).await?;
        }
        if let Some(id) = wanted {
            let version = methods::set_default(&mut tx, caller, id)
                .await?
                .ok_or(MethodError::Unknown)?;
            publish::method_changed(&mut tx, caller, (id, version), now).await?;
        }
    }
    let all = methods::list(&mut tx, caller).await?;
    tx.commit().await?;
    Ok(all)
}
