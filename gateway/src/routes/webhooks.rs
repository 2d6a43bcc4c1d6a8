//! Webhooks of the payment provider.

use axum::extract::{Request, State};
use proto::payments::v1 as payments;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::read_body;
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;

const SIGNATURE_HEADER: &str = "stripe-signature";

/// Receives an event of the payment provider.
#[utoipa::path(post, path = "/webhooks/payments", tag = "webhooks",
    request_body(content = String, content_type = "application/json", description = "The signed event"),
    params(("stripe-signature" = String, Header)), responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn receive_provider_event(
    State(gateway): State<Gateway>,
    context: CallContext,
    request: Request,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let signature = request.headers().get(SIGNATURE_HEADER);
    let signature = signature
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    // Payments verifies the signature, which covers the unparsed body.
    let event = payments::ReceiveProviderEventRequest {
        signature: signature.to_owned(),
        payload: read_body(request, &gateway).await?.to_vec(),
    };
    let mut client = gateway.clients.payments(&context);
    client.receive_provider_event(event).await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}
