//! Requests about an order.

use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as pb;

use crate::{
    domain::{
        delay::{DelayDraft, NewReadyTime},
        feedback::FeedbackDraft,
    },
    errors::invalid_field,
};

pub(crate) fn feedback_draft(request: pb::SendOrderFeedbackRequest) -> FeedbackDraft {
    FeedbackDraft {
        rating: request.rating,
        order_ready: request.order_ready,
        order_correct: request.order_correct,
        message: request.message,
    }
}

/// # Errors
/// The request has no valid time, or both a time and minutes.
pub(crate) fn delay_draft(request: pb::DelayOrderRequest) -> Result<DelayDraft, ServiceError> {
    let ready = match (request.ready_at.as_str(), request.minutes) {
        ("", minutes) if minutes > 0 => Some(NewReadyTime::InMinutes(minutes)),
        ("", _) => None,
        (ready_at, 0) => {
            let at = ready_at.parse().map_err(|_| invalid_field("readyAt"))?;
            Some(NewReadyTime::At(at))
        }
        _ => None,
    };
    let ready = ready.ok_or_else(|| {
        ServiceError::new(
            ErrorCode::RuleViolation,
            "DELAY_INVALID",
            "Please enter the new time or the minutes from now.",
        )
        .with_field(if request.minutes == 0 {
            "readyAt"
        } else {
            "minutes"
        })
    })?;
    Ok(DelayDraft {
        ready,
        reason: request.reason,
    })
}
