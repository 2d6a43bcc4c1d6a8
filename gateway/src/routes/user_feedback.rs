//! Feedback about the app.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::account::SendUserFeedbackRequest;

/// Stores feedback about the app. After 20 messages in 24 hours the response is 429 with reason `TOO_MANY_FEEDBACK`.
#[utoipa::path(post, path = "/api/consumer/analytics/user-feedback", tag = "account",
    request_body = SendUserFeedbackRequest, responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn send_user_feedback(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SendUserFeedbackRequest>,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let request = ordering::SendUserFeedbackRequest {
        message: request.message,
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    client.send_user_feedback(request).await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}
