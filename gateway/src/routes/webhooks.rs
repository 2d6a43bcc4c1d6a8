//! What the payment provider tells us. Only payments can say whether it really was the provider.

use axum::extract::{Request, State};
use proto::payments::v1 as payments;

use crate::caller::Call;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract;
use crate::gateway::Gateway;
use crate::types::EmptyResponse;

/// Where the provider signs.
const SIGNATURE: &str = "stripe-signature";

/// Hands an event on as it came: the signature covers every byte.
#[utoipa::path(post, path = "/webhooks/payments", tag = "webhooks",
    request_body(content = String, content_type = "application/json", description = "An event, signed as a whole"),
    params(("stripe-signature" = String, Header)), responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub async fn receive_provider_event(
    State(gateway): State<Gateway>,
    call: Call,
    request: Request,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let signature = request
        .headers()
        .get(SIGNATURE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let payload = extract::raw(request, &gateway).await?.to_vec();
    let event = payments::ReceiveProviderEventRequest { payload, signature };
    gateway
        .clients
        .payments(&call)
        .receive_provider_event(event)
        .await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}
