//! The store turns an order down: everything is given back.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as pb;
use types::OrderId;

use crate::{
    Ordering,
    db::orders::Row,
    domain::{
        order::{Actor, Step},
        own_words,
    },
    ops::transition::{Move, StepError, transition},
};

const LONGEST_REASON: usize = 200;

/// Why an order was not turned down.
#[derive(Debug, thiserror::Error)]
pub enum RejectError {
    /// The consumer would not be told why.
    #[error("no reason given")]
    NoReason,
    /// More than a sentence.
    #[error("reason too long")]
    ReasonTooLong,
    /// Not this store's order, or a state that does not allow it.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl From<RejectError> for ServiceError {
    fn from(error: RejectError) -> Self {
        match error {
            RejectError::NoReason => Self::new(
                ErrorCode::RuleViolation,
                "REASON_REQUIRED",
                "Tell the consumer why: the reason is missing.",
            )
            .with_field("reason"),
            RejectError::ReasonTooLong => Self::new(
                ErrorCode::RuleViolation,
                "REASON_TOO_LONG",
                "A reason may have up to 200 characters.",
            )
            .with_field("reason"),
            RejectError::Step(error) => error.into(),
        }
    }
}

/// The store turns an order down, and says why in its own words. Repeating it changes nothing.
///
/// # Errors
/// [`RejectError`].
pub async fn reject(
    cx: &Ordering,
    caller: &Caller,
    order: OrderId,
    why: &str,
) -> Result<pb::Order, RejectError> {
    let why = own_words::of(why, LONGEST_REASON).ok_or(RejectError::ReasonTooLong)?;
    if why.is_empty() {
        return Err(RejectError::NoReason);
    }
    let own = |row: &Row| caller.store(row.store()).is_ok();
    let wanted = Move {
        step: Step::Reject,
        by: Actor::Store,
        reason: "STORE_REJECTED",
        message: &why,
    };
    Ok(transition(cx, order, own, wanted).await?)
}
