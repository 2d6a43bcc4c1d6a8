//! Stores feedback about an order.

use kit::{ErrorCode, InternalError, ServiceError, outbox};
use types::{ConsumerId, OrderId, limits::MAX_FEEDBACK_CHARS};

use crate::{
    Ordering, convert,
    db::{order_feedback, orders},
    domain::{
        feedback::{FeedbackDraft, FeedbackError, OrderFeedback},
        order::OrderRecord,
        status::Step,
    },
    errors::{invalid_field, order_unknown},
};

#[derive(Debug, thiserror::Error)]
pub enum SendOrderFeedbackError {
    #[error(transparent)]
    Invalid(#[from] FeedbackError),
    #[error("order not found")]
    NotFound,
    #[error("the order was not accepted")]
    NotCompleted,
    #[error("feedback already sent")]
    AlreadySent,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SendOrderFeedbackError);

impl From<SendOrderFeedbackError> for ServiceError {
    fn from(error: SendOrderFeedbackError) -> Self {
        match error {
            SendOrderFeedbackError::Invalid(FeedbackError::RatingMissing) => Self::new(
                ErrorCode::RuleViolation,
                "RATING_REQUIRED",
                "Please select a rating",
            )
            .with_field("rating"),
            SendOrderFeedbackError::Invalid(FeedbackError::UnknownAnswer(field)) => invalid_field(field),
            SendOrderFeedbackError::Invalid(FeedbackError::MessageTooLong) => Self::new(
                ErrorCode::RuleViolation,
                "FEEDBACK_TOO_LONG",
                format!("Please use up to {MAX_FEEDBACK_CHARS} characters."),
            )
            .with_field("message"),
            SendOrderFeedbackError::NotFound => order_unknown(),
            SendOrderFeedbackError::NotCompleted => Self::new(
                ErrorCode::Conflict,
                "ORDER_NOT_COMPLETED",
                "You can rate an order once the store has accepted it.",
            ),
            SendOrderFeedbackError::AlreadySent => Self::new(
                ErrorCode::Conflict,
                "FEEDBACK_ALREADY_SENT",
                "You've already rated this order.",
            ),
            SendOrderFeedbackError::Internal(error) => error.into(),
        }
    }
}

/// Stores the feedback about an order that the store has accepted, once, and publishes it without the message.
pub async fn send_order_feedback(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
    draft: FeedbackDraft,
) -> Result<(), SendOrderFeedbackError> {
    let feedback = OrderFeedback::new(&draft)?;
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let OrderRecord { order, .. } = orders::find(&mut tx, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(SendOrderFeedbackError::NotFound)?;
    if order.status.after(Step::Rate).is_err() {
        return Err(SendOrderFeedbackError::NotCompleted);
    }
    if !order_feedback::insert(&mut tx, &order, &feedback, now).await? {
        return Err(SendOrderFeedbackError::AlreadySent);
    }
    orders::increment_version(&mut tx, order_id).await?;
    let changed = orders::find(&mut tx, order_id)
        .await?
        .ok_or(SendOrderFeedbackError::NotFound)?;
    outbox::append(&mut tx, convert::order_rated(&changed.order, &feedback, now)).await?;
    tx.commit().await?;
    Ok(())
}
