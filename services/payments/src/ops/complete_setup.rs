use types::{ConsumerId, PaymentMethodId};

use super::customer::CustomerError;
use super::publish;
use crate::Payments;
use crate::db::{payment_methods, provider_customers, setup_intents};
use crate::domain::setup::Setup;
use crate::provider::{ProviderError, RESOURCE_MISSING};

/// Imports the method that a setup intent saved, and records the provider's mandate. Idempotent. Returns the method, or `None`
/// while the setup has not succeeded, or if the method was deleted or the setup no longer exists at the provider.
pub async fn complete_setup(
    cx: &Payments,
    consumer_id: ConsumerId,
    setup: &Setup,
) -> Result<Option<PaymentMethodId>, CustomerError> {
    let provider_setup = match cx.provider.fetch_setup_intent(&setup.provider_id).await {
        Err(ProviderError::Rejected { code, .. }) if code == RESOURCE_MISSING => {
            tracing::warn!(setup_intent_id = %setup.provider_id, "setup intent missing at the provider");
            return Ok(None);
        }
        result => result?,
    };
    let Some(description) = provider_setup.method else {
        return Ok(None);
    };
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    provider_customers::lock(&mut tx, consumer_id).await?;
    // The consumer may have been removed since the provider was called.
    let customer = provider_customers::find(&mut tx, consumer_id).await?;
    if customer.is_none_or(|customer| customer.is_removed) {
        return Err(CustomerError::Removed);
    }
    if let Some(changed) = payment_methods::upsert(&mut tx, consumer_id, &description, now).await? {
        publish::method_changed(&mut tx, changed, now).await?;
    }
    let id = payment_methods::find_id_by_provider_id(&mut tx, consumer_id, &description.provider_id).await?;
    if let Some(id) = id {
        let mandate_id = provider_setup.mandate_id.as_deref();
        setup_intents::complete(&mut tx, &setup.provider_id, id, mandate_id, now).await?;
    }
    tx.commit().await?;
    Ok(id)
}
