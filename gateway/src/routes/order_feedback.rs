//! Feedback about orders.

use axum::Json;
use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::types::feedback::{FeedbackOutcome, SendOrderFeedbackRequest};

/// Stores feedback about an order of the consumer that the store has accepted, once. The response is 200 with `success` false
/// if the rating is missing, the order cannot be rated or was rated before, or the feedback cannot be stored now.
#[utoipa::path(post, path = "/api/consumer/analytics/order-feedback", tag = "orders",
    request_body = SendOrderFeedbackRequest, responses((status = 200, body = FeedbackOutcome)))]
pub(crate) async fn send_order_feedback(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SendOrderFeedbackRequest>,
) -> Result<Json<FeedbackOutcome>, ApiError> {
    let request: ordering::SendOrderFeedbackRequest = request.into();
    let mut client = gateway.clients.ordering(&consumer.context);
    match client.send_order_feedback(request).await {
        Ok(_) => Ok(Json(FeedbackOutcome::stored())),
        Err(status) => Ok(Json(FeedbackOutcome::from_error(ApiError::from(status).error)?)),
    }
}
