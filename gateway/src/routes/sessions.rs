//! The consumer's sessions on all devices.

use axum::extract::State;
use proto::accounts::v1 as accounts;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::session::{EndSessionRequest, ForgetDeviceRequest, SessionList};

/// Returns the consumer's active sessions, and known devices without a session.
#[utoipa::path(get, path = "/api/consumer/user/sessions", tag = "account",
    responses((status = 200, body = ApiResponse<SessionList>)))]
pub(crate) async fn list_sessions(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<SessionList>, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    let list = client.list_sessions(accounts::ListSessionsRequest {}).await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// Ends one of the consumer's sessions. Its device has to enter a new code, and is no longer known.
#[utoipa::path(post, path = "/api/consumer/user/end-session", tag = "account",
    request_body = EndSessionRequest, responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn end_session(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<EndSessionRequest>,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let ended = request.session_id.parse();
    let request = accounts::EndSessionRequest {
        session_id: request.session_id,
    };
    let mut client = gateway.clients.accounts(&consumer.context);
    client.end_session(request).await?;
    // Streams of other gateways end with their next check of the session.
    if let Ok(ended) = ended {
        gateway.live_orders.end_session(consumer.id, ended);
    }
    Ok(ApiResponse::new(EmptyResponse {}))
}

/// Makes a device unknown and ends its sessions.
#[utoipa::path(post, path = "/api/consumer/user/forget-device", tag = "account",
    request_body = ForgetDeviceRequest, responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn forget_device(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<ForgetDeviceRequest>,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let request = accounts::ForgetDeviceRequest {
        device_id: request.device_id,
    };
    let mut client = gateway.clients.accounts(&consumer.context);
    client.forget_device(request).await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}
