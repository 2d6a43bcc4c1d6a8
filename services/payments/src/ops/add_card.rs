//! Takes over the methods that the page has attached at the provider.

use types::ConsumerId;

use super::customer::{self, CustomerError};
use super::publish;
use crate::Payments;
use crate::db::{customers, methods};
use crate::domain::method::{Description, Method, MethodKind};

/// How often the provider is asked where the customer was made anew in the meantime.
const TRIES: u32 = 3;

/// Makes sure that the provider customer exists, takes over what is attached there, and answers the consumer's
/// methods. A first card becomes the default.
///
/// # Errors
/// [`CustomerError`].
pub async fn add_card(cx: &Payments, caller: ConsumerId) -> Result<Vec<Method>, CustomerError> {
    for _ in 0..TRIES {
        let asked = customer::ask(cx, caller, |customer| async move {
            cx.provider.list_methods(&customer).await
        });
        let (customer, attached) = asked.await?.map_err(kit::InternalError::from)?;
        if let Some(all) = take_over(cx, caller, &customer, &attached).await? {
            return Ok(all);
        }
    }
    Err(kit::InternalError::broken("a customer kept changing").into())
}

/// Takes over what is attached to a customer; none where that is not the consumer's any more.
async fn take_over(
    cx: &Payments,
    caller: ConsumerId,
    customer: &str,
    attached: &[Description],
) -> Result<Option<Vec<Method>>, CustomerError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    customers::lock(&mut tx, caller).await?;
    // Removed while the provider was asked: nothing of the person may come back.
    let known = customers::find(&mut tx, caller)
        .await?
        .filter(|known| !known.removed)
        .ok_or(CustomerError::Removed)?;
    if known.provider_id.as_deref() != Some(customer) {
        return Ok(None);
    }
    let has_default = methods::list(&mut tx, caller)
        .await?
        .iter()
        .any(|method| method.is_default);
    let mut first_card = None;
    // Oldest first, so that our ids sort as they came.
    for description in attached.iter().rev() {
        if let Some(news) = methods::upsert(&mut tx, caller, description, now).await? {
            publish::method_changed(&mut tx, caller, news, now).await?;
            if description.kind == MethodKind::Card {
                first_card = first_card.or(Some(news.0));
            }
        }
    }
    if let Some(card) = first_card.filter(|_| !has_default)
        && let Some(version) = methods::set_default(&mut tx, caller, card).await?
    {
        publish::method_changed(&mut tx, caller, (card, version), now).await?;
    }
    let all = methods::list(&mut tx, caller).await?;
    tx.commit().await?;
    Ok(Some(all))
}
