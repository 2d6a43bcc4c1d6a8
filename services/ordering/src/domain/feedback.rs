//! Feedback about an order.

use types::{limits::MAX_FEEDBACK_CHARS, text::sanitize_text_within};

/// Feedback as the consumer sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackDraft {
    /// 1 to 5 stars.
    pub rating: i32,
    /// The code of an [`Answer`].
    pub order_ready: i32,
    /// The code of an [`Answer`].
    pub order_correct: i32,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderFeedback {
    /// 1 to 5 stars.
    pub rating: u8,
    /// Was the order ready on time?
    pub order_ready: Answer,
    /// Could the consumer skip the line?
    pub order_correct: Answer,
    /// May be empty.
    pub message: String,
}

/// The consumer's answer to a yes-or-no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    Unanswered,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FeedbackError {
    #[error("no rating from 1 to 5")]
    RatingMissing,
    #[error("the answer in {0} is not 1, -1 or 0")]
    UnknownAnswer(&'static str),
    #[error("message too long")]
    MessageTooLong,
}

impl Answer {
    #[must_use]
    pub const fn code(self) -> i8 {
        match self {
            Self::Yes => 1,
            Self::No => -1,
            Self::Unanswered => 0,
        }
    }

    const fn from_code(code: i32) -> Option<Self> {
        match code {
            1 => Some(Self::Yes),
            -1 => Some(Self::No),
            0 => Some(Self::Unanswered),
            _ => None,
        }
    }
}

impl OrderFeedback {
    /// Checks the feedback and removes control characters and surrounding white space from the message.
    pub fn new(draft: &FeedbackDraft) -> Result<Self, FeedbackError> {
        let answer = |code, field| Answer::from_code(code).ok_or(FeedbackError::UnknownAnswer(field));
        let rating = u8::try_from(draft.rating)
            .ok()
            .filter(|rating| (1..=5).contains(rating));
        Ok(Self {
            rating: rating.ok_or(FeedbackError::RatingMissing)?,
            order_ready: answer(draft.order_ready, "feedbackOrderReady")?,
            order_correct: answer(draft.order_correct, "feedbackOrderCorrect")?,
            message: sanitize_text_within(&draft.message, MAX_FEEDBACK_CHARS)
                .ok_or(FeedbackError::MessageTooLong)?,
        })
    }
}
