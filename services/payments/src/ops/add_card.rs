//! Takes over the methods that the page has attached at the provider.

use types::ConsumerId;

use super::customer::{self, CustomerError};
use super::publish;
use crate::Payments;
use crate::db::{customers, methods};
use crate::domain::method::{Method, MethodKind};

/// Makes sure that the provider customer exists, takes over what is attached there, and answers the consumer's
/// methods. A first card becomes the default.
///
/// # Errors
/// [`CustomerError`].
pub async fn add_card(cx: &Payments, caller: ConsumerId) -> Result<Vec<Method>, CustomerError> {
    let customer = customer::ensure(cx, caller).await?;
    let attached = cx
        .provider
        .list_methods(&customer)
        .await
        .map_err(kit::Fault::from)?;
    let now = cx.clock.now();

    let mut tx = cx.pool.begin().await?;
    customers::lock(&mut tx, caller).await?;
    // Removed while the provider was asked: nothing of the person may come back.
    if customers::find(&mut tx, caller)
        .await?
        .is_none_or(|customer| customer.removed)
    {
        return Err(CustomerError::Removed);
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
    Ok(all)
}
