//! The payment provider's browser script.

use proto::payments::v1 as payments;

use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::types::order::{Order, PlacedOrder};
use crate::types::payment::ProviderScript;

/// Adds the provider's script to an order whose payment the consumer has to authenticate.
pub(super) async fn attach_provider_script(
    gateway: &Gateway,
    consumer: &Consumer,
    order: Order,
) -> Result<PlacedOrder, ApiError> {
    let provider_script = match order.client_secret {
        Some(_) => Some(fetch_provider_script(gateway, consumer).await?),
        None => None,
    };
    Ok(PlacedOrder {
        order,
        provider_script,
    })
}

/// Returns the script with which the consumer authenticates a payment in the page.
async fn fetch_provider_script(gateway: &Gateway, consumer: &Consumer) -> Result<ProviderScript, ApiError> {
    let config = &gateway.provider;
    let publishable_key = match &config.provider_publishable_key {
        Some(key) => key.clone(),
        None => {
            let mut client = gateway.clients.payments(&consumer.context);
            let key = client
                .get_publishable_key(payments::GetPublishableKeyRequest {})
                .await?;
            key.into_inner().publishable_key
        }
    };
    Ok(ProviderScript {
        publishable_key,
        script_url: config.provider_script_url.clone(),
    })
}
