//! The make-time of a scheduled order has come: the store sees it now.

use proto::ordering::v1 as pb;
use types::OrderId;

use crate::{
    Ordering,
    domain::order::{Actor, Step},
    ops::transition::{Move, StepError, transition},
};

/// Puts a scheduled order into the store's queue.
///
/// # Errors
/// [`StepError`]: it was cancelled at the last moment.
pub async fn promote(cx: &Ordering, order: OrderId) -> Result<pb::Order, StepError> {
    transition(cx, order, |_| true, Move::plain(Step::Promote, Actor::System)).await
}
