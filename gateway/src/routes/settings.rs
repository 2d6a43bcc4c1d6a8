//! The consumer's settings.

use axum::extract::State;
use proto::accounts::v1 as accounts;
use proto::giftcards::v1 as giftcards;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::settings::{SaveSettingsRequest, Settings};
use crate::types::wallet::AutoReload;

/// Returns the settings, with the rule for automatic reloads if gift-cards is available.
#[utoipa::path(get, path = "/api/consumer/user/settings", tag = "account",
    responses((status = 200, body = ApiResponse<Settings>)))]
pub(crate) async fn get_settings(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Settings>, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    let (settings, auto_reload) = tokio::join!(
        client.get_settings(accounts::GetSettingsRequest {}),
        find_auto_reload(&gateway, &consumer),
    );
    Ok(ApiResponse::new(Settings::new(
        settings?.into_inner(),
        auto_reload,
    )))
}

/// Changes the settings that the request contains, and returns all settings. Reasons of errors: `VEHICLE_TOO_LONG`.
#[utoipa::path(post, path = "/api/consumer/user/save-settings", tag = "account",
    request_body = SaveSettingsRequest, responses((status = 200, body = ApiResponse<Settings>)))]
pub(crate) async fn save_settings(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SaveSettingsRequest>,
) -> Result<ApiResponse<Settings>, ApiError> {
    let request = accounts::SaveSettingsRequest::from(request);
    let mut client = gateway.clients.accounts(&consumer.context);
    let settings = client.save_settings(request).await?;
    let auto_reload = find_auto_reload(&gateway, &consumer).await;
    Ok(ApiResponse::new(Settings::new(
        settings.into_inner(),
        auto_reload,
    )))
}

/// Returns the rule for automatic reloads, or `None` if gift-cards is unavailable.
async fn find_auto_reload(gateway: &Gateway, consumer: &Consumer) -> Option<AutoReload> {
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let options = client
        .get_add_funds_options(giftcards::GetAddFundsOptionsRequest {})
        .await;
    let rule = options.map_err(ApiError::from).and_then(|options| {
        Ok(AutoReload::try_from(
            options.into_inner().auto_reload.unwrap_or_default(),
        )?)
    });
    match rule {
        Ok(rule) => Some(rule),
        Err(error) => {
            tracing::warn!(reason = %error.error.reason, "automatic reload of the settings unavailable");
            None
        }
    }
}
