//! Push notifications and how they are turned off.

use axum::extract::State;
use proto::accounts::v1 as accounts;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::notifications::{
    SavePushSubscriptionRequest, StopNotificationsQuery, StoppedNotifications,
};

/// Registers this device for push notifications until it signs out. Reasons of errors: `PUSH_SUBSCRIPTION_INVALID`.
#[utoipa::path(post, path = "/api/consumer/user/save-push-subscription", tag = "account",
    request_body = SavePushSubscriptionRequest, responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn save_push_subscription(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SavePushSubscriptionRequest>,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let request = accounts::SavePushSubscriptionRequest::from(request);
    let mut client = gateway.clients.accounts(&consumer.context);
    client.save_push_subscription(request).await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}

/// Turns off the channel of a notification with its token, without a session. Mail programs send this request for the
/// header `List-Unsubscribe` (RFC 8058), so it is accepted from any origin. Reasons of errors: `STOP_TOKEN_INVALID`.
#[utoipa::path(post, path = "/api/consumer/user/stop-notifications", tag = "account",
    params(StopNotificationsQuery), responses((status = 200, body = ApiResponse<StoppedNotifications>)))]
pub(crate) async fn stop_notifications(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StopNotificationsQuery>,
) -> Result<ApiResponse<StoppedNotifications>, ApiError> {
    let mut client = gateway.clients.accounts(&context);
    let request = accounts::StopNotificationsRequest { token: query.token };
    let stopped = client.stop_notifications(request).await?.into_inner();
    Ok(ApiResponse::new(StoppedNotifications {
        channel: stopped.channel,
    }))
}
