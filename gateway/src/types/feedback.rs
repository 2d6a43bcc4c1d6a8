//! Feedback about orders.

use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::EmptyResponse;

/// Feedback about an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendOrderFeedbackRequest {
    pub(crate) order_id: String,
    /// Stars.
    pub(crate) rating: i32,
    /// Was it ready on time? 1 yes, -1 no, 0 unanswered.
    #[serde(default)]
    pub(crate) feedback_order_ready: i32,
    /// Could the consumer skip the line? 1 yes, -1 no, 0 unanswered.
    #[serde(default)]
    pub(crate) feedback_order_correct: i32,
    pub(crate) message: Option<String>,
}

impl From<SendOrderFeedbackRequest> for ordering::SendOrderFeedbackRequest {
    fn from(request: SendOrderFeedbackRequest) -> Self {
        Self {
            order_id: request.order_id,
            rating: request.rating,
            order_ready: request.feedback_order_ready,
            order_correct: request.feedback_order_correct,
            message: request.message.unwrap_or_default(),
        }
    }
}

/// Whether the feedback was stored.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FeedbackOutcome {
    success: bool,
    /// Null if the feedback was not stored.
    #[schema(required)]
    data: Option<EmptyResponse>,
    /// Sentences for the consumer if the feedback was not stored.
    errors: Vec<String>,
    /// Why the feedback was not stored: `RATING_REQUIRED`, `FEEDBACK_ALREADY_SENT`, `ORDER_NOT_COMPLETED` or `UNAVAILABLE`;
    /// empty if it was stored.
    reason: String,
}

impl FeedbackOutcome {
    pub(crate) const fn stored() -> Self {
        Self {
            success: true,
            data: Some(EmptyResponse {}),
            errors: Vec::new(),
            reason: String::new(),
        }
    }

    /// Returns the error that another status reports, or the outcome.
    pub(crate) fn from_error(error: ServiceError) -> Result<Self, ServiceError> {
        let message = match error.code {
            ErrorCode::Conflict => error.message,
            ErrorCode::RuleViolation if error.reason == "RATING_REQUIRED" => error.message,
            ErrorCode::Unavailable => "Failed to submit feedback. Please try again".into(),
            _ => return Err(error),
        };
        Ok(Self {
            success: false,
            data: None,
            errors: vec![message.into_owned()],
            reason: error.reason.into_owned(),
        })
    }
}
