//! Stores feedback about the app.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, limits::MAX_FEEDBACK_CHARS, text::sanitize_text_within};

use crate::{Ordering, db::user_feedback};

const MAX_MESSAGES_PER_DAY: i64 = 20;
const DAY: Duration = Duration::from_hours(24);

#[derive(Debug, thiserror::Error)]
pub enum SendUserFeedbackError {
    #[error("message empty")]
    Empty,
    #[error("message too long")]
    TooLong,
    #[error("too many messages; retry after {retry_after:?}")]
    TooMany { retry_after: Duration },
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SendUserFeedbackError);

impl From<SendUserFeedbackError> for ServiceError {
    fn from(error: SendUserFeedbackError) -> Self {
        match error {
            SendUserFeedbackError::Empty => Self::new(
                ErrorCode::RuleViolation,
                "FEEDBACK_EMPTY",
                "Please enter a message.",
            )
            .with_field("message"),
            SendUserFeedbackError::TooLong => Self::new(
                ErrorCode::RuleViolation,
                "FEEDBACK_TOO_LONG",
                format!("Please use up to {MAX_FEEDBACK_CHARS} characters."),
            )
            .with_field("message"),
            SendUserFeedbackError::TooMany { retry_after } => Self::new(
                ErrorCode::RateLimited,
                "TOO_MANY_FEEDBACK",
                "You've sent a lot of feedback today. Please try again tomorrow.",
            )
            .with_retry_after(retry_after),
            SendUserFeedbackError::Internal(error) => error.into(),
        }
    }
}

/// Stores the message without control characters and surrounding white space.
///
/// # Errors
/// [`SendUserFeedbackError::TooMany`] if the consumer sent 20 messages in the last 24 hours.
pub async fn send_user_feedback(
    cx: &Ordering,
    consumer_id: ConsumerId,
    message: &str,
) -> Result<(), SendUserFeedbackError> {
    let message = sanitize_text_within(message, MAX_FEEDBACK_CHARS).ok_or(SendUserFeedbackError::TooLong)?;
    if message.is_empty() {
        return Err(SendUserFeedbackError::Empty);
    }
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let limiting = user_feedback::lock_nth_newest(&mut tx, consumer_id, MAX_MESSAGES_PER_DAY).await?;
    if let Some(sent_at) = limiting
        && now < sent_at + DAY
    {
        let retry_after = (sent_at + DAY).duration_since(now).unsigned_abs();
        return Err(SendUserFeedbackError::TooMany { retry_after });
    }
    user_feedback::insert(&mut tx, consumer_id, &message, now).await?;
    tx.commit().await?;
    Ok(())
}
