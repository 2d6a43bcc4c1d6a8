//! The payment provider's browser script.

use axum::extract::State;
use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;

use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::order::Order;
use crate::types::payment::ProviderScript;
use crate::types::place_order::PlacedOrder;
use crate::types::purchase::PurchaseResult;

/// Returns the script with which the client finds out whether the browser has Apple Pay or Google Pay.
#[utoipa::path(get, path = "/api/stripe/script", tag = "payments",
    responses((status = 200, body = ApiResponse<ProviderScript>)))]
pub(crate) async fn get_provider_script(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<ProviderScript>, ApiError> {
    let script = fetch_provider_script(&gateway, &consumer).await?;
    Ok(ApiResponse::new(script))
}

/// Adds the provider's script to an order that waits for the consumer to authenticate the payment.
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

/// Adds the provider's script to a purchase that waits for the consumer to authenticate the payment.
pub(super) async fn attach_to_purchase(
    gateway: &Gateway,
    consumer: &Consumer,
    purchase: giftcards::Purchase,
) -> Result<ApiResponse<PurchaseResult>, ApiError> {
    let mut result = PurchaseResult::try_from(purchase)?;
    if result.client_secret.is_some() {
        result.provider_script = Some(fetch_provider_script(gateway, consumer).await?);
    }
    Ok(ApiResponse::new(result))
}

/// Returns the script with which the consumer authenticates a payment.
pub(super) async fn fetch_provider_script(
    gateway: &Gateway,
    consumer: &Consumer,
) -> Result<ProviderScript, ApiError> {
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
